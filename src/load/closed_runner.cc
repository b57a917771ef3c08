#include "load/closed_runner.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace evenbench::load {
namespace {

// Requests are made ahead while none has ended for so long: what a burst of ends has used up is
// made anew behind it, not in it.
constexpr Nanos kQuiet = std::chrono::milliseconds{1};

// From one user's begin to the next where no ramp is asked for. Sending takes some ten
// microseconds: users who all began at one instant would be late by the client's fault, and those
// at the end of the line by milliseconds.
constexpr Nanos kUserAfterUser = std::chrono::microseconds{25};

}  // namespace

ClosedRunner::ClosedRunner(StepState& state, const WorkerPort& port, std::uint32_t worker,
                           std::uint32_t workers)
    : state_(state), in_flight_(state, port, worker), ahead_(state) {
  EVENBENCH_CHECK(state.job.workload != nullptr, "a closed loop without a workload");
  const StepSpec& spec = state_.plan.spec;
  for (std::uint32_t id = worker; id < spec.concurrency; id += workers) {
    users_.push_back({id, Rng(state_.plan.seed, "think", id)});
  }
  while (ahead_.make_one(state_.plan.window_begin > Nanos{0})) {
  }
}

void ClosedRunner::start_users() {
  const double ramp = state_.plan.spec.ramp;
  for (std::uint32_t i = 0; i < users_.size(); ++i) {
    const Nanos after =
        ramp > 0 ? from_seconds(users_[i].id / ramp) : users_[i].id * kUserAfterUser;
    ready_.emplace(state_.begin + after, i);
  }
  started_ = true;
}

bool ClosedRunner::warming_up(MonoTime now) const {
  return !state_.plan.spec.warmup.count && now < state_.window_begin.get();
}

MonoTime ClosedRunner::window_end() const {
  const MonoTime begin = state_.window_begin.get();
  return observed(begin) ? begin + *state_.plan.spec.measure : kNever;
}

bool ClosedRunner::take(MonoTime planned, Phase& phase, std::uint32_t& number) {
  const StepSpec& spec = state_.plan.spec;
  phase = Phase::kMeasure;
  if (spec.warmup.count) {
    number = state_.warmup_taken.fetch_add(1);
    if (number < *spec.warmup.count) phase = Phase::kWarmup;
  } else if (warming_up(planned)) {
    number = state_.warmup_taken.fetch_add(1);
    phase = Phase::kWarmup;
  }
  if (phase == Phase::kWarmup) return true;
  number = state_.measured_taken.fetch_add(1);
  if (spec.requests && number >= *spec.requests) return false;
  state_.window_begin.set_first(planned);
  if (timed()) state_.cohort_left.fetch_add(1);
  return true;
}

void ClosedRunner::send_next(std::uint32_t user, MonoTime planned) {
  InFlight::Sending sending;
  std::uint32_t number = 0;
  if (!take(planned, sending.phase, number)) return;  // this user is done for good
  sending.index = state_.next_index.fetch_add(1);
  sending.planned = planned;
  sending.user = user;
  ClosedAhead::Made made = ahead_.take({sending.index, sending.phase, number});
  sending.item = made.item;
  sending.bytes = std::move(made.bytes);
  in_flight_.send(std::move(sending));
}

void ClosedRunner::stop_if_due(MonoTime now) {
  if (!stopping_) {
    const bool window_over = timed() && observed(window_end()) && now >= window_end();
    if (state_.stop() == StepControl::kRun && !window_over) return;
    stopping_ = true;
    const bool at_once = window_over || state_.stop() == StepControl::kCutNow;
    cut_at_ = at_once ? now : now + state_.control.grace;
  }
  if (!cut_ && (now >= cut_at_ || state_.stop() == StepControl::kCutNow)) {
    cut_ = true;
    in_flight_.cut_all();
  }
}

MonoTime ClosedRunner::turn(MonoTime now) {
  if (!started_) start_users();
  stop_if_due(now);
  if (stopping_) {
    over_ = in_flight_.size() == 0;
    return cut_ ? now : cut_at_;
  }
  while (!ready_.empty() && ready_.top().first <= now) {
    const auto [planned, user] = ready_.top();
    ready_.pop();
    send_next(user, planned);
  }
  if (in_flight_.size() == 0 && ready_.empty()) {
    over_ = true;  // every user has used up the count
    return now;
  }
  MonoTime wake = MonoTime::max();
  if (!ready_.empty()) wake = ready_.top().first;
  if (timed() && observed(window_end())) wake = std::min(wake, window_end());
  const bool quiet = !observed(last_end_) || now - last_end_ > kQuiet;
  if (quiet && wake - now > kQuiet && ahead_.make_one(warming_up(now))) return now;
  return wake;
}

void ClosedRunner::on_done(wire::Tag tag, Exchanged&& exchanged) {
  const InFlight::Ended ended = in_flight_.finish(tag, std::move(exchanged));
  last_end_ = ended.at;
  User& user = users_[ended.user];
  const Nanos think = workload::draw_duration(state_.plan.spec.think, user.think);
  ready_.emplace(ended.at + think, ended.user);
}

}  // namespace evenbench::load
