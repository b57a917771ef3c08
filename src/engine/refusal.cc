#include "engine/refusal.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace evenbench::engine {
namespace {

using Json = nlohmann::json;

constexpr const char* kContinuousUsage = "continuous_usage_stats";

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Where `name` stands in `text` as a whole word: "max_tokens" is not in "my_max_tokens".
std::size_t word_position(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    const bool starts = at == 0 || !is_name_character(text[at - 1]);
    if (starts && (end == text.size() || !is_name_character(text[end]))) return at;
  }
  return std::string_view::npos;
}

std::optional<std::string> first_named(std::string_view text,
                                       const std::vector<std::string>& fields) {
  std::size_t best = std::string_view::npos;
  std::optional<std::string> found;
  for (const std::string& field : fields) {
    const auto at = word_position(text, field);
    if (at >= best) continue;
    best = at;
    found = field;
  }
  return found;
}

// FastAPI: {"detail":[{"loc":["body","ignore_eos"],"type":"extra_forbidden","input":…}]}. The input
// repeats the whole request, so only the location may be looked at.
std::optional<std::string> located(const Json& answer, const std::vector<std::string>& fields) {
  if (!answer.is_object() || !answer.contains("detail") || !answer["detail"].is_array())
    return std::nullopt;
  for (const Json& item : answer["detail"]) {
    if (!item.is_object() || !item.contains("loc")) continue;
    if (auto field = first_named(item["loc"].dump(), fields)) return field;
  }
  return std::nullopt;
}

// OpenAI: {"error":{"param":"stream_options.include_usage",…}}; some have it at the top.
std::optional<std::string> parameter(const Json& answer, const std::vector<std::string>& fields) {
  if (!answer.is_object()) return std::nullopt;
  for (const Json* holder : {&answer, answer.contains("error") ? &answer["error"] : nullptr}) {
    if (holder == nullptr || !holder->is_object() || !holder->contains("param")) continue;
    if (auto field = first_named((*holder)["param"].dump(), fields)) return field;
  }
  return std::nullopt;
}

bool drop_extra(wire::RequestShape& shape, const std::string& field) {
  Json extra = Json::parse(shape.extra_json, nullptr, false);
  if (!extra.is_object() || extra.erase(field) == 0) return false;
  shape.extra_json =
      extra.empty() ? "" : extra.dump(-1, ' ', false, Json::error_handler_t::replace);
  return true;
}

}  // namespace

std::vector<std::string> refusable_fields(const wire::RequestShape& shape) {
  std::vector<std::string> fields = wire::optional_fields(shape);
  if (shape.stream && shape.include_usage && shape.continuous_usage)
    fields.emplace_back(kContinuousUsage);
  const Json extra = Json::parse(shape.extra_json, nullptr, false);
  if (extra.is_object())
    for (const auto& item : extra.items()) fields.push_back(item.key());
  fields.push_back(shape.output_field);
  return fields;
}

std::optional<std::string> refused_field(std::string_view answer,
                                         const std::vector<std::string>& fields) {
  const Json document = Json::parse(answer, nullptr, false);
  if (auto field = located(document, fields)) return field;
  if (auto field = parameter(document, fields)) return field;
  return first_named(answer, fields);
}

bool drop_field(wire::RequestShape& shape, const std::string& field) {
  if (drop_extra(shape, field)) return true;
  if (field == "stream_options") {
    shape.include_usage = false;
    shape.continuous_usage = false;
  } else if (field == kContinuousUsage) {
    shape.continuous_usage = false;
  } else if (field == "ignore_eos") {
    shape.ignore_eos = false;
  } else if (field == "min_tokens") {
    shape.min_tokens = false;
  } else if (field == "temperature") {
    shape.temperature.reset();
  } else if (field == "top_p") {
    shape.top_p.reset();
  } else if (field == "seed") {
    shape.request_seed.reset();
  } else {
    return false;
  }
  return true;
}

}  // namespace evenbench::engine
