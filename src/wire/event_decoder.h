// What one JSON event (or one whole JSON answer) of an OpenAI-like server says, as far as measuring
// needs it. Knows every dialect of docs/dialects.md at once: fields that an engine does not send
// are simply absent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace evenbench::wire {

struct DecodedEvent {
  bool done_mark = false;             // "[DONE]"
  std::string_view broken;            // why it is no JSON object; empty = it is one
  bool has_choices = false;           // at least one choice (or a native TGI token)
  std::uint32_t content_bytes = 0;    // visible text: delta.content, text, message.content
  std::uint32_t reasoning_bytes = 0;  // delta.reasoning or delta.reasoning_content
  bool tool_piece = false;            // a tool call's name or argument piece
  std::uint32_t token_ids = 0;        // ids that ride on the event
  bool has_usage = false;
  std::optional<std::uint32_t> prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens;
  bool finished = false;  // a finish reason that is neither null nor ""
  std::string finish_reason;
  bool has_error = false;
  int error_code = 0;      // 0: none given
  std::string error_word;  // a code in words: "insufficient_quota"
  std::string error_message;
  std::string text;  // generated text, when asked for

  // Carries generated text or token ids: what TTFT and TPOT are counted from. Roles, usage and bare
  // finish reasons do not.
  [[nodiscard]] bool is_token_event() const {
    return content_bytes > 0 || reasoning_bytes > 0 || tool_piece || token_ids > 0;
  }
  friend bool operator==(const DecodedEvent&, const DecodedEvent&) = default;
};

class EventDecoder {
 public:
  EventDecoder();
  ~EventDecoder();
  EventDecoder(EventDecoder&&) noexcept;
  EventDecoder& operator=(EventDecoder&&) noexcept;

  // decode() will be called soon: only makes it faster.
  void prefetch() const;
  // The result lives until the next call. `keep_text`: also collect the text. Never throws. An
  // event that differs from the one before in its text alone is not parsed; what it gives is the
  // same.
  const DecodedEvent& decode(std::string_view data, bool keep_text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace evenbench::wire
