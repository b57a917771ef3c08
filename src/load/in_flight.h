// The requests of one worker that are under way: their bytes, and the row each becomes.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "load/step_state.h"
#include "record/rows.h"
#include "wire/transport.h"

namespace evenbench::load {

class InFlight {
 public:
  InFlight(StepState& state, const WorkerPort& port, std::uint32_t worker);

  struct Sending {
    std::uint32_t index = 0;  // in the plan of the step
    Phase phase = Phase::kMeasure;
    MonoTime planned = kNever;
    workload::Item item;
    std::string bytes;
    std::uint32_t user = 0;  // closed loop
  };
  void send(Sending&& sending);
  // The request is over: its row goes to the run file. Returns what was sent, and when it ended.
  struct Ended {
    Phase phase = Phase::kMeasure;
    std::uint32_t user = 0;
    MonoTime at = kNever;
  };
  Ended finish(wire::Tag tag, Exchanged&& exchanged);
  // A request that was due but never sent, because the step ended first.
  void give_up(const Sending& never_sent);
  void cut_all();

  [[nodiscard]] std::size_t size() const { return open_; }

 private:
  struct Slot {
    Sending sending;
    bool used = false;
  };
  record::RequestRow row_of(const Sending& sending) const;
  void count(const Exchanged& exchanged);

  StepState& state_;
  WorkerPort port_;
  std::uint32_t worker_;
  std::deque<Slot> slots_;  // the tag is the position; a deque, for the bytes must not move
  std::vector<wire::Tag> free_;
  std::size_t open_ = 0;
};

}  // namespace evenbench::load
