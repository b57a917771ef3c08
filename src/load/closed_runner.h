// Closed loop: a fixed number of users, each of whom sends its next request when its last one is
// over and its thinking is done. A slot is refilled at once; users never wait for each other.
#pragma once

#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "load/closed_ahead.h"
#include "load/runner.h"

namespace evenbench::load {

class ClosedRunner final : public Runner {
 public:
  // Plays users worker, worker + workers, ...
  ClosedRunner(StepState& state, const WorkerPort& port, std::uint32_t worker,
               std::uint32_t workers);
  MonoTime turn(MonoTime now) override;
  [[nodiscard]] bool over() const override { return over_; }
  void on_done(wire::Tag tag, Exchanged&& exchanged) override;

 private:
  struct User {
    std::uint32_t id = 0;
    Rng think;
  };
  using Ready = std::pair<MonoTime, std::uint32_t>;  // when, position in users_

  [[nodiscard]] bool timed() const { return state_.plan.spec.measure.has_value(); }
  void start_users();
  // Whether a user who is ready at `now` belongs to a warm-up that is timed.
  [[nodiscard]] bool warming_up(MonoTime now) const;
  // kNever while a counted warm-up is still going on.
  [[nodiscard]] MonoTime window_end() const;
  void stop_if_due(MonoTime now);
  void send_next(std::uint32_t user, MonoTime planned);
  // The phase of a request planned now, and its number in that phase; false: the count is used up.
  bool take(MonoTime planned, Phase& phase, std::uint32_t& number);

  StepState& state_;
  InFlight in_flight_;
  ClosedAhead ahead_;
  MonoTime last_end_ = kNever;  // of a request
  bool started_ = false;
  std::vector<User> users_;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  bool stopping_ = false;
  bool cut_ = false;
  MonoTime cut_at_ = kNever;
  bool over_ = false;
};

}  // namespace evenbench::load
