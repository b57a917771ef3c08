#include "sim/ask.h"

#include <simdjson.h>

#include <algorithm>

namespace evenbench::sim {
namespace {

namespace dom = simdjson::dom;
using Kind = Fault::Kind;

// More than any engine's context; keeps sums far from overflow.
constexpr std::int64_t kMostTokens = 1'000'000'000;

Fault fault(Kind kind, std::string field = "", std::string value = "") {
  Fault out;
  out.kind = kind;
  out.field = std::move(field);
  out.value = std::move(value);
  return out;
}

Fault wrong_type(const char* field, dom::element value) {
  return fault(Kind::kWrongType, field, simdjson::minify(value));
}

void add_text(std::string_view text, Ask& ask) {
  ask.prompt_words += count_words(text);
  ask.prompt_print = print_of(text, ask.prompt_print);
}

void add_content(dom::element content, Ask& ask) {
  std::string_view text;
  if (content.get(text) == simdjson::SUCCESS) {
    add_text(text, ask);
    return;
  }
  dom::array parts;
  if (content.get(parts) != simdjson::SUCCESS) return;
  for (const dom::element part : parts) {
    if (part["text"].get(text) == simdjson::SUCCESS) add_text(text, ask);
  }
}

std::optional<Fault> read_messages(dom::element root, Ask& ask) {
  dom::element value;
  if (root["messages"].get(value) != simdjson::SUCCESS) return fault(Kind::kMissing, "messages");
  dom::array messages;
  if (value.get(messages) != simdjson::SUCCESS) return wrong_type("messages", value);
  if (messages.size() == 0) return fault(Kind::kEmpty, "messages");
  for (const dom::element message : messages) {
    dom::element content;
    if (message["content"].get(content) == simdjson::SUCCESS) add_content(content, ask);
  }
  return std::nullopt;
}

std::optional<Fault> read_token_ids(dom::array ids, const AskRules& rules, Ask& ask) {
  if (!rules.takes_token_ids) return fault(Kind::kTokenIds, "prompt");
  for (const dom::element id : ids) {
    if (!id.is<std::int64_t>()) return wrong_type("prompt", id);
  }
  ask.prompt_words = static_cast<std::uint32_t>(ids.size());
  ask.prompt_print = print_of(simdjson::minify(ids));
  return std::nullopt;
}

std::optional<Fault> read_prompt(dom::element root, const AskRules& rules, Ask& ask) {
  dom::element value;
  if (root["prompt"].get(value) != simdjson::SUCCESS) return fault(Kind::kMissing, "prompt");
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) {
    if (text.empty()) return fault(Kind::kEmpty, "prompt");
    add_text(text, ask);
    return std::nullopt;
  }
  dom::array ids;
  if (value.get(ids) != simdjson::SUCCESS) return wrong_type("prompt", value);
  return read_token_ids(ids, rules, ask);
}

std::optional<Fault> read_limit(dom::element root, Ask& ask) {
  for (const char* key : {"max_completion_tokens", "max_tokens"}) {
    dom::element value;
    if (root[key].get(value) != simdjson::SUCCESS || value.is_null()) continue;
    std::int64_t tokens = 0;
    if (value.get(tokens) != simdjson::SUCCESS) return wrong_type(key, value);
    if (tokens < 1) return fault(Kind::kOutOfRange, key, std::to_string(tokens));
    ask.max_tokens = static_cast<std::uint32_t>(std::min(tokens, kMostTokens));
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Fault> read_number(dom::element root, const char* key, std::optional<double>& out) {
  dom::element value;
  if (root[key].get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  double number = 0.0;
  if (value.get(number) != simdjson::SUCCESS) return wrong_type(key, value);
  out = number;
  return std::nullopt;
}

bool flag(dom::element object, const char* key, bool absent = false) {
  bool value = absent;
  return object[key].get(value) == simdjson::SUCCESS ? value : absent;
}

std::optional<Fault> read_options(dom::element root, const AskRules& rules, Ask& ask) {
  dom::element options;
  if (root["stream_options"].get(options) != simdjson::SUCCESS || options.is_null()) {
    return std::nullopt;
  }
  if (!options.is_object()) return wrong_type("stream_options", options);
  if (!ask.stream) {
    if (!rules.options_need_stream) return std::nullopt;
    return fault(Kind::kOptionsWithoutStream, "stream_options", simdjson::minify(options));
  }
  ask.include_usage = flag(options, "include_usage", rules.usage_unless_denied);
  ask.continuous_usage = ask.include_usage && flag(options, "continuous_usage_stats");
  return std::nullopt;
}

std::optional<Fault> unknown_field(dom::object root, const AskRules& rules) {
  if (rules.known_fields.empty()) return std::nullopt;
  for (const auto field : root) {
    if (std::ranges::find(rules.known_fields, field.key) != rules.known_fields.end()) continue;
    return fault(Kind::kUnknownField, std::string(field.key), simdjson::minify(field.value));
  }
  return std::nullopt;
}

std::optional<Fault> read_fields(dom::element root, const AskRules& rules, Ask& ask) {
  ask.stream = flag(root, "stream");
  ask.ignore_eos = flag(root, "ignore_eos");
  std::int64_t seed = 0;
  if (root["seed"].get(seed) == simdjson::SUCCESS) ask.seed = seed;
  std::string_view model;
  if (root["model"].get(model) == simdjson::SUCCESS) {
    ask.model = model;
  } else if (rules.needs_model) {
    return fault(Kind::kMissing, "model");
  }
  auto wrong =
      ask.api == wire::Api::kChat ? read_messages(root, ask) : read_prompt(root, rules, ask);
  if (!wrong) wrong = read_limit(root, ask);
  if (!wrong) wrong = read_number(root, "temperature", ask.temperature);
  if (!wrong) wrong = read_number(root, "top_p", ask.top_p);
  if (!wrong) wrong = read_options(root, rules, ask);
  return wrong;
}

}  // namespace

struct AskReader::State {
  dom::parser parser;
};

AskReader::AskReader() : state_(std::make_unique<State>()) {}
AskReader::~AskReader() = default;

std::variant<Ask, Fault> AskReader::read(wire::Api api, std::string_view body,
                                         const AskRules& rules) {
  Ask ask;
  ask.api = api;
  ask.prompt_print = print_of("");
  dom::element root;
  dom::object object;
  std::optional<Fault> wrong;
  if (state_->parser.parse(body.data(), body.size()).get(root) != simdjson::SUCCESS ||
      root.get(object) != simdjson::SUCCESS) {
    wrong = fault(Kind::kNotJson);
    wrong->at = body.size();
  } else {
    wrong = unknown_field(object, rules);
    if (!wrong) wrong = read_fields(root, rules, ask);
  }
  if (!wrong) return ask;
  wrong->stream = ask.stream;
  wrong->api = api;
  return *wrong;
}

std::uint32_t count_words(std::string_view text) {
  std::uint32_t words = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    words += !blank && !in_word ? 1U : 0U;
    in_word = !blank;
  }
  return words;
}

// FNV-1a, 64 bits: enough to tell prompts apart, and nothing but that hangs on it.
std::uint64_t print_of(std::string_view text, std::uint64_t before) {
  for (const char c : text) {
    before = (before ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  return before;
}

}  // namespace evenbench::sim
