// The bytes of the answers of one generation, in the dialect of the engine that is simulated:
// server-sent events in HTTP chunks, or one JSON object. What is the same for every event is made
// once.
#pragma once

#include <cstdint>
#include <string>

#include "sim/dialect.h"
#include "sim/words.h"

namespace evenbench::sim {

class AnswerText {
 public:
  // `number`: of the answer, for its id and its words. The engine outlives it.
  AnswerText(const Engine& engine, const Ask& ask, std::uint64_t number, std::int64_t created_s);

  // Appends what the engine would write at that moment, framed as HTTP chunks. `total`: tokens so
  // far, `count` of them in this step.
  void tokens(std::uint32_t count, std::uint32_t total, bool last, std::string& out) const;
  // The whole answer of a request that did not ask for a stream.
  [[nodiscard]] std::string whole() const;
  [[nodiscard]] const Ask& ask() const { return ask_; }

 private:
  // One event with `words` words, behind which `total` tokens are out.
  void event(std::uint32_t words, std::uint32_t total, bool last, std::string& out) const;
  void fixed(const std::string& json, const char* behind, std::string& out) const;
  [[nodiscard]] Answer answer() const;

  const Engine& engine_;
  Ask ask_;
  std::uint64_t number_;
  std::int64_t created_s_;
  Words words_;
  EventShape shape_;
};

}  // namespace evenbench::sim
