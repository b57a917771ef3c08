#include "load/open_runner.h"

#include <algorithm>
#include <utility>

namespace evenbench::load {
namespace {

// Requests whose bytes are made before they are due.
constexpr std::size_t kAhead = 1024;
// Making one takes tens of microseconds: only where nothing is due for longer.
constexpr Nanos kIdle = std::chrono::microseconds{100};
// A worker that waits for another's request to end asks again after this.
constexpr Nanos kSlotPoll = std::chrono::milliseconds{1};

}  // namespace

OpenRunner::OpenRunner(StepState& state, const WorkerPort& port, std::uint32_t worker,
                       std::uint32_t workers)
    : state_(state), in_flight_(state, port, worker), workers_(workers), next_(worker) {
  while (prepared_.size() < kAhead && prepare_one()) {
  }
}

bool OpenRunner::prepare_one() {
  const std::size_t index = next_ + prepared_.size() * workers_;
  if (index >= state_.plan.requests.size()) return false;
  // Most cool-down requests are never sent.
  if (state_.plan.requests[index].phase == Phase::kCooldown) return false;
  prepared_.push_back(
      state_.job.serialise(static_cast<std::uint32_t>(index), state_.plan.requests[index].item));
  return true;
}

InFlight::Sending OpenRunner::take_next() {
  const PlannedRequest& request = state_.plan.requests[next_];
  InFlight::Sending out;
  out.index = static_cast<std::uint32_t>(next_);
  out.phase = request.phase;
  out.planned = due(next_);
  out.item = request.item;
  if (!prepared_.empty()) {
    out.bytes = std::move(prepared_.front());
    prepared_.pop_front();
  }
  next_ += workers_;
  return out;
}

bool OpenRunner::take_slot() {
  const std::uint32_t cap = state_.plan.spec.max_in_flight;
  if (cap == 0) return true;
  if (state_.slots_used.fetch_add(1) < static_cast<std::int64_t>(cap)) return true;
  state_.slots_used.fetch_sub(1);
  return false;
}

void OpenRunner::send_due(MonoTime now) {
  while (has_next() && due(next_) <= now) {
    if (!take_slot()) return;
    InFlight::Sending sending = take_next();
    if (sending.bytes.empty()) {
      sending.bytes = state_.job.serialise(sending.index, sending.item);
    }
    in_flight_.send(std::move(sending));
  }
}

// What the step ended before it could be sent was due all the same: the record must show it.
void OpenRunner::give_up_due(MonoTime now) {
  while (has_next() && due(next_) <= now) in_flight_.give_up(take_next());
}

void OpenRunner::wind_down(MonoTime now, bool cut_now) {
  winding_down_ = true;
  give_up_due(now);
  cut_at_ = cut_now ? now : now + state_.control.grace;
}

bool OpenRunner::winding_down(MonoTime now) {
  const MonoTime window_end = state_.begin + state_.plan.window_end;
  if (!winding_down_) {
    if (state_.stop() != StepControl::kRun) {
      wind_down(now, state_.stop() == StepControl::kCutNow);
    } else if (now >= window_end && state_.cohort_left.load() <= 0) {
      wind_down(now, true);
    } else if (now >= window_end + state_.plan.spec.cooldown_limit) {
      wind_down(now, true);
    }
  }
  if (winding_down_ && !cut_ && (now >= cut_at_ || state_.stop() == StepControl::kCutNow)) {
    cut_ = true;
    in_flight_.cut_all();
  }
  return winding_down_;
}

MonoTime OpenRunner::turn(MonoTime now) {
  if (winding_down(now)) {
    over_ = in_flight_.size() == 0;
    return cut_ ? now : cut_at_;
  }
  send_due(now);
  MonoTime wake = state_.begin + state_.plan.window_end + state_.plan.spec.cooldown_limit;
  if (now < state_.begin + state_.plan.window_end) {
    wake = state_.begin + state_.plan.window_end;
  }
  if (has_next()) {
    const bool waits_for_slot = due(next_) <= now;
    wake = std::min(wake, waits_for_slot ? now + kSlotPoll : due(next_));
  }
  if (wake - now > kIdle && prepared_.size() < kAhead && prepare_one()) return now;
  return wake;
}

void OpenRunner::on_done(wire::Tag tag, Exchanged&& exchanged) {
  in_flight_.finish(tag, std::move(exchanged));
  if (state_.plan.spec.max_in_flight > 0) state_.slots_used.fetch_sub(1);
}

}  // namespace evenbench::load
