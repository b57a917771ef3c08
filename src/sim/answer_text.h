// The bytes of the answers of one generation, in the dialect of the engine that is simulated:
// server-sent events in HTTP chunks, or one JSON object. What is the same for every event is made
// once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/ask.h"

namespace evenbench::sim {

enum class Dialect : std::uint8_t { kVllm, kTrtllm, kTgi };
// By the name of the profile; a name that is not known speaks as vLLM does.
Dialect dialect_of(std::string_view profile);

// What every answer of one server says of it.
struct Identity {
  Dialect dialect = Dialect::kVllm;
  std::string model;
  std::int64_t created = 0;  // seconds since 1970
};

class AnswerText {
 public:
  AnswerText(const Identity& identity, const Ask& ask, std::uint64_t number);

  // Each appends what the engine would write at that moment, framed as HTTP chunks.
  // `total`: tokens so far, `count` of them in this event.
  void tokens(std::uint32_t count, std::uint32_t total, bool last, std::string& out) const;
  // The whole answer of a request that did not ask for a stream.
  [[nodiscard]] std::string whole() const;

 private:
  void role(std::string& out) const;
  void usage(std::uint32_t completion, std::string& out) const;
  void make_chat();
  void make_completion();

  Ask ask_;
  Dialect dialect_;
  std::string start_;  // {"id":…,"object":…,"created":…,"model":…
  std::string head_;   // from there to the text
  std::string end_;    // behind the text, without the last brace
  std::string last_;   // the same where the answer ends
};

// `events` as one HTTP chunk.
void append_chunk(std::string_view events, std::string& out);
// The chunk of "[DONE]" and the end of the body.
void append_done(std::string& out);
// Text of tokens `first` to `first + count - 1`: words of one length.
void append_words(std::uint32_t first, std::uint32_t count, std::string& out);

}  // namespace evenbench::sim
