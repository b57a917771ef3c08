// Waiting: until an instant, exactly, or until a socket has something. Sleeps in the kernel and
// spins only through the last stretch, where the kernel's wake-up would come late.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/time.h"

namespace evenbench::net {

class EventLoop {
 public:
  EventLoop(boost::asio::io_context& io, const Clock& clock);

  // Runs one handler that is ready, without waiting. False: none is.
  bool run_one_ready() { return io_.poll_one() > 0; }
  // Sleeps until a handler has run or `exact` is near; returns at once when it is. `rough` may be
  // missed by a wake-up's delay.
  void sleep(MonoTime exact, MonoTime rough);

 private:
  void wake_at(MonoTime when, MonoTime now);

  boost::asio::io_context& io_;
  const Clock& clock_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer timer_;
  MonoTime wake_ = MonoTime::max();  // for when the timer is set
};

}  // namespace evenbench::net
