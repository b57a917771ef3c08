// Waiting: until an instant, exactly, or until a socket has something. Sleeps in the kernel (epoll)
// and spins only through the last stretch, where the kernel's wake-up would come late. Its own
// rather than Asio's: there, waiting again after each read costs a system call and two locks.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "net/wake_delay.h"

namespace evenbench::net {

class Watcher {
 public:
  virtual ~Watcher() = default;
  // `events`: of epoll(7), EPOLLIN and so on.
  virtual void on_events(std::uint32_t events) = 0;
};

class EventLoop {
 public:
  // Error: environment, no file descriptor left.
  static Result<std::unique_ptr<EventLoop>> make(const Clock& clock);
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Level-triggered: what is not read now is told again. Until forget(), which must come before the
  // descriptor is closed; nothing is called for it after that.
  void watch(int fd, std::uint32_t events, Watcher& watcher);
  void watch_for(int fd, std::uint32_t events);  // other events of a watched descriptor
  void forget(int fd);
  // Called by the loop in its turn, never from here.
  void later(std::function<void()> call) { posted_.push_back(std::move(call)); }

  // Runs one handler that is ready, without waiting. False: none of those that the last look found
  // is left; the next sleep() finds what has come since, or the next call does after look_again().
  bool run_one_ready();
  void look_again() { seen_all_ = false; }
  // Sleeps until a handler can run or `exact` is near; returns at once when it is. `rough` may be
  // missed by a wake-up's delay.
  void sleep(MonoTime exact, MonoTime rough);

  // When the kernel was last asked what is ready: what lies there may have waited since then.
  [[nodiscard]] MonoTime last_look() const { return last_look_; }
  [[nodiscard]] MonoTime look_before() const { return look_before_; }

 private:
  EventLoop(int fd, const Clock& clock) : epoll_(fd), clock_(clock) {}
  void look(Nanos patience);

  struct Watched {
    Watcher* watcher = nullptr;
    std::uint32_t generation = 0;  // tells this use of the number from the one before
  };
  static constexpr std::size_t kBatch = 256;

  int epoll_;
  const Clock& clock_;
  std::vector<Watched> watched_;  // by descriptor
  std::array<epoll_event, kBatch> ready_{};
  std::size_t ready_count_ = 0;
  std::size_t next_ = 0;
  // A look that did not fill the batch found all: another one before the next sleep, which looks
  // itself, would be one system call in three for nothing.
  bool seen_all_ = false;
  std::deque<std::function<void()>> posted_;
  WakeDelay wake_delay_;
  MonoTime last_look_ = kNever, look_before_ = kNever;
};

}  // namespace evenbench::net
