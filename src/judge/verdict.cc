#include "judge/verdict.h"

#include <fmt/format.h>

namespace evenbench::judge {
namespace {

int gravity(Label label) {
  switch (label) {
    case Label::kSteady:
      return 0;
    case Label::kSuspect:
      return 1;
    case Label::kNotSteady:
      return 2;
    case Label::kSaturated:
      return 3;
    case Label::kInvalidClient:
      return 4;
    case Label::kFailed:
      return 5;
  }
  return 0;
}

void mark_unfinished(const StepFacts& facts, Marks& marks) {
  if (facts.finished) return;
  std::string reason = "the step did not run to its end";
  if (!facts.note.empty()) reason += " (" + facts.note + ")";
  if (facts.cut > 0) {
    reason += fmt::format("; {} open requests were cut and are in no latency", facts.cut);
  }
  marks.mark(Label::kSuspect, std::move(reason));
}

void mark_without_good(const JudgedStep& step, Marks& marks) {
  if (step.good > 0) return;
  if (step.failures.empty()) {
    marks.mark(Label::kFailed, "no request of the measuring window ended well");
    return;
  }
  const FailureClass& first = step.failures.front();
  marks.mark(Label::kFailed,
             fmt::format("no request of the measuring window ended well; most often: {} ({} of {})",
                         first.detail.empty() ? name_of(first.ending) : first.detail, first.count,
                         step.failed));
}

}  // namespace

void Marks::mark(Label label, std::string reason) {
  if (gravity(label) > gravity(label_)) label_ = label;
  reasons_.push_back(std::move(reason));
}

void label_step(JudgedStep& step, const StepFacts& facts) {
  Marks marks;
  mark_without_good(step, marks);
  mark_unfinished(facts, marks);
  mark_client(step, facts, marks);
  mark_saturation(step, facts, marks);
  mark_answers(step, facts, marks);
  step.label = marks.label();
  step.reasons = marks.take_reasons();
}

}  // namespace evenbench::judge
