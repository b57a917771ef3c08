#include "net/event_loop.h"

#include <sys/prctl.h>

#include <algorithm>

namespace evenbench::net {
namespace {

// A timer wakes some 20 us late on an idle machine with slack 1, more on a busy one; the last
// stretch is spun.
constexpr Nanos kSpin = std::chrono::microseconds{100};

}  // namespace

EventLoop::EventLoop(boost::asio::io_context& io, const Clock& clock)
    : io_(io), clock_(clock), work_(io.get_executor()), timer_(io) {}

void EventLoop::sleep(MonoTime exact, MonoTime rough) {
  thread_local bool slack_set = false;  // as the setting is: a loop may be run by another thread
  if (!slack_set) {
    ::prctl(PR_SET_TIMERSLACK, 1UL);  // the default lets wake-ups come 50 us late
    slack_set = true;
  }
  const MonoTime now = clock_.now();
  const MonoTime when = std::min(exact == MonoTime::max() ? exact : exact - kSpin, rough);
  if (when <= now) return;
  wake_at(when, now);
  io_.run_one();
}

// A wake-up that is too early costs one turn of the loop, so a timer that fires before is kept.
void EventLoop::wake_at(MonoTime when, MonoTime now) {
  if (wake_ <= when) return;
  wake_ = when;
  // Far instants are cut: the timer's clock must not overflow.
  timer_.expires_after(std::min<Nanos>(when - now, std::chrono::hours{1}));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) wake_ = MonoTime::max();
  });
}

}  // namespace evenbench::net
