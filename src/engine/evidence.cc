#include "engine/evidence.h"

#include <array>
#include <nlohmann/json.hpp>

namespace evenbench::engine {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 5> kTexts = {
    "The quick brown fox jumps over the lazy dog, and nobody minds.",
    "for (int i = 0; i < n; ++i) {\n    sum += values[i];\n}\n",
    "3.14159 2718281828 1,000,000 0x1F 42%",
    "今天天气很好，我们去公园散步吧。",
    "Größe naïve façade Ωmega \xF0\x9F\x99\x82\xF0\x9F\x9A\x80  two  spaces",
};
constexpr int kOk = 200;
constexpr std::string_view kOpenAi = "/v1/";

std::string path_of(const wire::Endpoint& endpoint, const std::string& route) {
  return route.starts_with(kOpenAi) ? endpoint.path(route.substr(kOpenAi.size()))
                                    : endpoint.root_path(route);
}

// nullopt: not 200.
std::optional<std::string> ask(const EvidenceOptions& options, const char* method,
                               const std::string& route, std::string_view body,
                               const Clock& clock) {
  auto answer = net::fetch(options.endpoint, method, path_of(options.endpoint, route),
                           options.headers, body, {options.tls, options.timeout}, clock);
  if (!answer || answer->status != kOk) return std::nullopt;
  return std::move(answer->body);
}

}  // namespace

std::span<const std::string_view> probe_texts() {
  return kTexts;
}

std::string tokenize_body(const TokenizeRoute& tokenize, const std::string& model,
                          std::string_view text) {
  Json body = Json::parse("{" + tokenize.more + "}");
  body["model"] = model;
  body[tokenize.text_field] = text;
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<std::size_t> token_count(std::string_view answer) {
  const Json said = Json::parse(answer, nullptr, false);
  if (said.is_array()) return said.size();
  if (!said.is_object()) return std::nullopt;
  const auto count = said.find("count");
  if (count != said.end() && count->is_number_unsigned()) return count->get<std::size_t>();
  const auto tokens = said.find("tokens");
  if (tokens != said.end() && tokens->is_array()) return tokens->size();
  return std::nullopt;
}

std::map<std::string, std::string> ask_routes(const EvidenceOptions& options,
                                              const std::vector<std::string>& routes,
                                              const Clock& clock) {
  std::map<std::string, std::string> bodies;
  for (const std::string& route : routes) {
    if (auto body = ask(options, "GET", route, "", clock)) bodies[route] = *std::move(body);
  }
  return bodies;
}

std::string ask_token_counts(const EvidenceOptions& options, const TokenizeRoute& tokenize,
                             const Clock& clock) {
  if (tokenize.route.empty()) return "";
  std::string out;
  for (const std::string_view text : kTexts) {
    const auto answer =
        ask(options, "POST", tokenize.route, tokenize_body(tokenize, options.model, text), clock);
    const auto count = answer ? token_count(*answer) : std::nullopt;
    if (!count) return "";
    out += (out.empty() ? "" : ",") + std::to_string(*count);
  }
  return out;
}

}  // namespace evenbench::engine
