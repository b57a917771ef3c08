#include "load/in_flight.h"

#include <utility>

#include "base/check.h"
#include "base/secrets.h"

namespace evenbench::load {

InFlight::InFlight(StepState& state, const WorkerPort& port, std::uint32_t worker)
    : state_(state), port_(port), worker_(worker) {}

void InFlight::send(Sending&& sending) {
  if (free_.empty()) {
    free_.push_back(static_cast<wire::Tag>(slots_.size()));
    slots_.emplace_back();
  }
  const wire::Tag tag = free_.back();
  free_.pop_back();
  Slot& slot = slots_[tag];
  slot.sending = std::move(sending);
  slot.used = true;
  ++open_;
  state_.control.sent.fetch_add(1, std::memory_order_relaxed);
  state_.control.in_flight.fetch_add(1, std::memory_order_relaxed);
  port_.transport->send(tag, slot.sending.bytes);
}

record::RequestRow InFlight::row_of(const Sending& sending) const {
  record::RequestRow row;
  row.step_id = state_.job.step_id;
  row.index = sending.index;
  row.phase = sending.phase;
  row.worker = worker_;
  row.planned = sending.planned;
  row.prompt_id = sending.item.prompt_id;
  row.input_asked = sending.item.input_tokens;
  row.output_asked = sending.item.output_tokens;
  return row;
}

void InFlight::count(const Exchanged& exchanged) {
  StepControl& control = state_.control;
  control.in_flight.fetch_sub(1, std::memory_order_relaxed);
  if (exchanged.ending == Ending::kDone) {
    control.good.fetch_add(1, std::memory_order_relaxed);
  } else if (exchanged.ending != Ending::kCutAtEnd) {
    control.failed.fetch_add(1, std::memory_order_relaxed);
  }
  control.output_tokens.fetch_add(exchanged.output_tokens.value_or(0), std::memory_order_relaxed);
  if (control.failures.on_ended(exchanged)) {
    int running = StepControl::kRun;
    control.stop.compare_exchange_strong(running, StepControl::kFinishOpen);
  }
}

InFlight::Ended InFlight::finish(wire::Tag tag, Exchanged&& exchanged) {
  EVENBENCH_CHECK(tag < slots_.size() && slots_[tag].used, "tag {} ended twice", tag);
  Slot& slot = slots_[tag];
  hide_secrets(exchanged.detail, state_.job.secrets);
  count(exchanged);
  Ended ended{slot.sending.phase, slot.sending.user, exchanged.closed.user};
  record::RequestRow row = row_of(slot.sending);
  row.exchanged = std::move(exchanged);
  port_.sink->add(std::move(row));
  slot.used = false;
  free_.push_back(tag);
  --open_;
  if (ended.phase == Phase::kMeasure) {
    if (observed(ended.at)) state_.cohort_end.raise(ended.at);
    state_.cohort_left.fetch_sub(1);
  }
  return ended;
}

void InFlight::give_up(const Sending& never_sent) {
  record::RequestRow row = row_of(never_sent);
  row.exchanged.ending = Ending::kCutAtEnd;
  row.exchanged.detail = "not sent before the step ended";
  port_.sink->add(std::move(row));
  if (never_sent.phase == Phase::kMeasure) state_.cohort_left.fetch_sub(1);
}

void InFlight::cut_all() {
  for (std::size_t tag = 0; tag < slots_.size(); ++tag) {
    if (slots_[tag].used) port_.transport->cut(static_cast<wire::Tag>(tag));
  }
}

}  // namespace evenbench::load
