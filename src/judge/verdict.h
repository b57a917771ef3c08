// The label of a step and the sentences that say why. Hard limits of the client come before what
// the step seems to say of the server.
#pragma once

#include <string>
#include <vector>

#include "judge/judged_run.h"
#include "judge/step_facts.h"

namespace evenbench::judge {

// Collects reasons; the gravest label stays.
class Marks {
 public:
  void mark(Label label, std::string reason);
  void note(std::string reason) { reasons_.push_back(std::move(reason)); }
  [[nodiscard]] Label label() const { return label_; }
  [[nodiscard]] std::vector<std::string> take_reasons() { return std::move(reasons_); }

 private:
  Label label_ = Label::kSteady;
  std::vector<std::string> reasons_;
};

// The cap on requests in flight that the spec asks for was reached and held requests back.
bool cap_bit(const JudgedStep& step, const StepFacts& facts);

// The limits of docs/metrics.md, section "Client limits".
// Those that were passed are kept in `step.client`.
void mark_client(JudgedStep& step, const StepFacts& facts, Marks& marks);
// Arrivals that were not served in time: docs/metrics.md, section "Saturation".
void mark_saturation(const JudgedStep& step, const StepFacts& facts, Marks& marks);
// Failures, small samples, lengths, caches, and why a figure is absent.
void mark_answers(const JudgedStep& step, const StepFacts& facts, Marks& marks);

// The answers were longer or shorter than asked; part of the input came from the prefix cache.
bool length_missed(const JudgedStep& step);
bool input_was_cached(const JudgedStep& step);

// All of these, in this order of weight, into `step`.
void label_step(JudgedStep& step, const StepFacts& facts);

}  // namespace evenbench::judge
