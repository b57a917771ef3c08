#include "judge/step_span.h"

#include <algorithm>

namespace evenbench::judge {
namespace {

void take_earlier(MonoTime& earliest, MonoTime t) {
  if (observed(t) && (!observed(earliest) || t < earliest)) earliest = t;
}

MonoTime or_else(MonoTime recorded, MonoTime seen) {
  return observed(recorded) ? recorded : seen;
}

}  // namespace

void SeenInstants::add(const record::RequestRow& row) {
  take_earlier(first_planned_, row.planned);
  if (row.phase == Phase::kMeasure) take_earlier(first_of_cohort_, row.planned);
  // kNever is the smallest instant, so max() passes over what was not observed.
  last_ = std::max({last_, row.planned, row.exchanged.sent, instants_.of(row.exchanged.last_token),
                    instants_.of(row.exchanged.closed)});
}

bool span_is_recorded(const record::StepRow& step) {
  return step.finished && observed(step.begin) && observed(step.window_begin) &&
         observed(step.window_end) && observed(step.end);
}

StepSpan span_of(const record::StepRow& step, const SeenInstants& seen) {
  StepSpan span;
  span.begin = or_else(step.begin, seen.first_planned());
  span.window.begin = or_else(step.window_begin, seen.first_of_cohort());
  span.window.end = or_else(step.window_end, seen.last());
  span.end = or_else(step.end, seen.last());
  // The cohort may be over before its window is.
  if (step.finished) span.end = std::max(span.end, span.window.end);
  if (!step.finished && observed(seen.last())) {
    span.window.end = std::min(span.window.end, seen.last());
  }
  if (!step.finished && !observed(seen.last())) span.window.end = kNever;
  return span;
}

}  // namespace evenbench::judge
