// Open loop: every request is sent at its planned instant, whatever became of the others. A late
// one is sent at once and none is dropped; a cap on requests in flight delays sends and never moves
// their planned instants.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "load/runner.h"

namespace evenbench::load {

class OpenRunner final : public Runner {
 public:
  // Takes requests worker, worker + workers, ... of the plan.
  OpenRunner(StepState& state, const WorkerPort& port, std::uint32_t worker, std::uint32_t workers);
  MonoTime turn(MonoTime now) override;
  [[nodiscard]] bool over() const override { return over_; }
  void on_done(wire::Tag tag, Exchanged&& exchanged) override;

 private:
  [[nodiscard]] bool has_next() const { return next_ < state_.plan.requests.size(); }
  [[nodiscard]] MonoTime due(std::size_t index) const {
    return state_.begin + state_.plan.requests[index].at;
  }
  // Whether nothing more shall be sent; decides once and cuts what needs cutting.
  bool winding_down(MonoTime now);
  void wind_down(MonoTime now, bool cut_now);
  bool take_slot();
  void send_due(MonoTime now);
  void give_up_due(MonoTime now);
  bool prepare_one();
  InFlight::Sending take_next();

  StepState& state_;
  InFlight in_flight_;
  std::uint32_t workers_;
  std::size_t next_;                  // of the plan, this worker's next request
  std::deque<std::string> prepared_;  // bytes of the next requests, made ahead
  bool winding_down_ = false;
  bool cut_ = false;
  MonoTime cut_at_ = kNever;  // stopping: open requests are cut then
  bool over_ = false;
};

}  // namespace evenbench::load
