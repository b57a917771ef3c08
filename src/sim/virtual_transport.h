// wire::Transport in virtual time: an EngineModel instead of sockets and a clock that jumps. An
// hour of load in a second.
#pragma once

#include <memory>

#include "sim/engine_model.h"
#include "wire/transport.h"

namespace evenbench::sim {

// A clock that only run_until moves.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(MonoTime start, WallTime wall) : now_(start), start_(start), wall_(wall) {}
  [[nodiscard]] MonoTime now() const override { return now_; }
  [[nodiscard]] WallTime wall() const override { return wall_ + (now_ - start_); }
  void set(MonoTime t) { now_ = t; }

 private:
  MonoTime now_, start_;
  WallTime wall_;
};

// Reads the prompt length and max_tokens from the request bytes. `network`: one-way delay added to
// each direction.
std::unique_ptr<wire::Transport> make_virtual_transport(Profile profile, std::uint64_t seed,
                                                        VirtualClock& clock, Nanos network);

}  // namespace evenbench::sim
