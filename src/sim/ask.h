// What a request to a simulated engine asks for, read from its JSON body, and what can be wrong
// with it. Knows no engine and no tokenizer: prompts are counted in words.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "wire/request.h"

namespace evenbench::sim {

struct Ask {
  wire::Api api = wire::Api::kChat;
  std::string model;               // "" = not named
  std::uint32_t prompt_words = 0;  // or the number of token ids
  std::uint64_t prompt_print = 0;  // the same for the same text
  std::optional<std::uint32_t> max_tokens;
  std::optional<double> temperature, top_p;
  std::optional<std::int64_t> seed;
  bool ignore_eos = false;
  bool stream = false;
  bool include_usage = false;
  bool continuous_usage = false;

  // Decided by the front end of the engine.
  std::uint32_t prompt_tokens = 0;
  std::uint32_t output_tokens = 0;  // that the answer will have
  bool has_limit = true;            // it was stated, or the engine has one of its own
  bool natural_end = false;         // the last of them ends the text

  [[nodiscard]] bool greedy() const { return temperature && *temperature == 0.0; }
};

// Why a request is refused. Each dialect has its own words and status for it.
struct Fault {
  enum class Kind : std::uint8_t {
    kNotJson,  // at: the byte behind the end
    kWrongContentType,
    kMissing,               // field
    kWrongType,             // field, value
    kUnknownField,          // field, value
    kEmpty,                 // field: a list or text with nothing in it
    kOutOfRange,            // field, value
    kOptionsWithoutStream,  // stream_options
    kTokenIds,              // a prompt of numbers where only text is taken
    kUnknownModel,          // value
    kPromptTooLong,         // at: tokens, limit
    kTooLong,               // prompt and output together. at: tokens, limit
  };
  Kind kind = Kind::kNotJson;
  std::string field = "";
  std::string value = "";  // as it stands in the JSON
  std::uint64_t at = 0, limit = 0;
  bool stream = false;  // the refused request asked for a stream
  wire::Api api = wire::Api::kChat;
};

// What an engine's own reader minds.
struct AskRules {
  bool needs_model = false;
  bool takes_token_ids = true;
  bool options_need_stream = false;
  bool usage_unless_denied = false;                     // "stream_options": {} asks for usage
  std::span<const std::string_view> known_fields = {};  // empty: what is not known is ignored
};

class AskReader {
 public:
  AskReader();
  ~AskReader();
  std::variant<Ask, Fault> read(wire::Api api, std::string_view body, const AskRules& rules);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Words between blanks of any kind.
std::uint32_t count_words(std::string_view text);
// A number that stands for a text, the same on every machine.
std::uint64_t print_of(std::string_view text, std::uint64_t before = 14695981039346656037ULL);

}  // namespace evenbench::sim
