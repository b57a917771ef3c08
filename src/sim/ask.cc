#include "sim/ask.h"

#include <fmt/format.h>
#include <simdjson.h>

namespace evenbench::sim {
namespace {

namespace dom = simdjson::dom;

// More than any engine's context; keeps sums far from overflow.
constexpr std::int64_t kMostTokens = 1'000'000'000;

Error refused(std::string why) {
  return usage_error(std::move(why));
}

std::uint32_t words_of(dom::element content) {
  std::string_view text;
  if (content.get(text) == simdjson::SUCCESS) return count_words(text);
  dom::array parts;
  if (content.get(parts) != simdjson::SUCCESS) return 0;
  std::uint32_t words = 0;
  for (const dom::element part : parts) {
    if (part["text"].get(text) == simdjson::SUCCESS) words += count_words(text);
  }
  return words;
}

Result<std::uint32_t> chat_words(dom::element root) {
  dom::array messages;
  if (root["messages"].get(messages) != simdjson::SUCCESS || messages.size() == 0) {
    return refused("messages: a list of at least one message is required");
  }
  std::uint32_t words = 0;
  for (const dom::element message : messages) {
    dom::element content;
    if (message["content"].get(content) == simdjson::SUCCESS) words += words_of(content);
  }
  return words;
}

Result<std::uint32_t> prompt_words(dom::element root) {
  std::string_view prompt;
  if (root["prompt"].get(prompt) != simdjson::SUCCESS) {
    return refused("prompt: one string is required");
  }
  return count_words(prompt);
}

Result<std::uint32_t> output_tokens(dom::element root, std::uint32_t absent) {
  for (const char* key : {"max_completion_tokens", "max_tokens"}) {
    dom::element value;
    if (root[key].get(value) != simdjson::SUCCESS || value.is_null()) continue;
    std::int64_t tokens = 0;
    if (value.get(tokens) != simdjson::SUCCESS || tokens < 1 || tokens > kMostTokens) {
      return refused(fmt::format("{}: must be a whole number and at least 1", key));
    }
    return static_cast<std::uint32_t>(tokens);
  }
  return absent;
}

bool flag(dom::element object, const char* key) {
  bool value = false;
  return object[key].get(value) == simdjson::SUCCESS && value;
}

}  // namespace

struct AskReader::State {
  dom::parser parser;
};

AskReader::AskReader() : state_(std::make_unique<State>()) {}
AskReader::~AskReader() = default;

Result<Ask> AskReader::read(wire::Api api, std::string_view body) {
  dom::element root;
  if (const auto error = state_->parser.parse(body.data(), body.size()).get(root)) {
    return refused(fmt::format("JSON decode error: {}", simdjson::error_message(error)));
  }
  if (!root.is_object()) return refused("JSON decode error: the body is not an object");
  Ask ask;
  ask.api = api;
  std::string_view model;
  if (root["model"].get(model) == simdjson::SUCCESS) ask.model = model;
  const auto words = api == wire::Api::kChat ? chat_words(root) : prompt_words(root);
  if (!words) return words.error();
  ask.prompt_tokens = *words;
  const auto tokens = output_tokens(root, ask.output_tokens);
  if (!tokens) return tokens.error();
  ask.output_tokens = *tokens;
  ask.stream = flag(root, "stream");
  dom::element options;
  if (root["stream_options"].get(options) == simdjson::SUCCESS && options.is_object()) {
    ask.include_usage = flag(options, "include_usage");
    ask.continuous_usage = ask.include_usage && flag(options, "continuous_usage_stats");
  }
  return ask;
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

}  // namespace evenbench::sim
