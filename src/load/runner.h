// One worker of a step: decides what to send when. Pure: instants come in, deadlines go out; it
// runs over sockets and in virtual time alike.
#pragma once

#include "load/in_flight.h"
#include "load/loop_watch.h"
#include "load/step_state.h"

namespace evenbench::load {

class Runner : public wire::TransportListener {
 public:
  // Sends what is due at `now`; returns until when there is nothing to do.
  virtual MonoTime turn(MonoTime now) = 0;
  [[nodiscard]] virtual bool over() const = 0;
};

// Drives `runner` until it is over. `now`: the present instant of the transport's clock.
void run_worker(Runner& runner, wire::Transport& transport, MonoTime now, LoopWatch& watch);

}  // namespace evenbench::load
