// The instants of a step that its numbers are counted against: its beginning, its measuring window,
// its end. For a step that was killed or interrupted the window ends with the last thing that was
// seen, so that no rate is divided by time that never came.
#pragma once

#include "base/time.h"
#include "judge/headline_stamp.h"
#include "record/rows.h"

namespace evenbench::judge {

// Half-open towards the past: what happens at `end` itself belongs to the window, what happens at
// `begin` belongs to the time before. A stream that gives a token every 100 ms then has exactly 10
// of them in every second.
struct Window {
  MonoTime begin = kNever;
  MonoTime end = kNever;
  [[nodiscard]] bool known() const { return observed(begin) && observed(end) && end > begin; }
  [[nodiscard]] bool holds(MonoTime t) const { return known() && t > begin && t <= end; }
  [[nodiscard]] double seconds() const { return known() ? to_seconds(end - begin) : 0.0; }
};

struct StepSpan {
  MonoTime begin = kNever;
  Window window;
  MonoTime end = kNever;
};

// What the rows of a step tell about its instants.
class SeenInstants {
 public:
  explicit SeenInstants(Instants instants = {}) : instants_(instants) {}
  void add(const record::RequestRow& row);
  [[nodiscard]] MonoTime first_planned() const { return first_planned_; }
  [[nodiscard]] MonoTime first_of_cohort() const { return first_of_cohort_; }
  [[nodiscard]] MonoTime last() const { return last_; }

 private:
  Instants instants_;
  MonoTime first_planned_ = kNever;
  MonoTime first_of_cohort_ = kNever;
  MonoTime last_ = kNever;
};

// Whether the step row alone is enough for span_of(), or the rows must be seen first.
bool span_is_recorded(const record::StepRow& step);
StepSpan span_of(const record::StepRow& step, const SeenInstants& seen);

}  // namespace evenbench::judge
