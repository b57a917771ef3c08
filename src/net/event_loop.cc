#include "net/event_loop.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace evenbench::net {
namespace {

constexpr Nanos kLongest = std::chrono::hours{1};  // far instants are cut: no overflow

std::uint64_t key_of(int fd, std::uint32_t generation) {
  return std::uint64_t{generation} << 32 | static_cast<std::uint32_t>(fd);
}

}  // namespace

Result<std::unique_ptr<EventLoop>> EventLoop::make(const Clock& clock) {
  const int fd = ::epoll_create1(EPOLL_CLOEXEC);
  if (fd < 0) {
    return environment_error(
        fmt::format("no event loop can be made: {}; raise the limit of open files with ulimit -n",
                    std::strerror(errno)));
  }
  return std::unique_ptr<EventLoop>(new EventLoop(fd, clock));
}

EventLoop::~EventLoop() {
  posted_.clear();  // what they hold may say goodbye
  ::close(epoll_);
}

void EventLoop::watch(int fd, std::uint32_t events, Watcher& watcher) {
  const auto index = static_cast<std::size_t>(fd);
  if (index >= watched_.size()) watched_.resize(index + 1);
  Watched& watched = watched_[index];
  watched.watcher = &watcher;
  ++watched.generation;
  epoll_event event{.events = events, .data = {.u64 = key_of(fd, watched.generation)}};
  EVENBENCH_CHECK(::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) == 0,
                  "the event loop takes no socket: {}", std::strerror(errno));
}

void EventLoop::watch_for(int fd, std::uint32_t events) {
  const Watched& watched = watched_[static_cast<std::size_t>(fd)];
  epoll_event event{.events = events, .data = {.u64 = key_of(fd, watched.generation)}};
  ::epoll_ctl(epoll_, EPOLL_CTL_MOD, fd, &event);
}

void EventLoop::forget(int fd) {
  watched_[static_cast<std::size_t>(fd)].watcher = nullptr;
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
}

bool EventLoop::run_one_ready() {
  if (!posted_.empty()) {
    const auto call = std::move(posted_.front());
    posted_.pop_front();
    call();
    return true;
  }
  if (next_ == ready_count_) {
    if (seen_all_) return false;
    look(Nanos{0});
  }
  while (next_ < ready_count_) {
    const epoll_event event = ready_[next_++];
    const Watched& watched = watched_[event.data.u64 & UINT32_MAX];
    // What was forgotten after the kernel was asked is nobody's.
    if (watched.watcher == nullptr || watched.generation != event.data.u64 >> 32) continue;
    watched.watcher->on_events(event.events);
    return true;
  }
  return false;
}

void EventLoop::look(Nanos patience) {
  const timespec timeout{.tv_sec = patience.count() / 1'000'000'000,
                         .tv_nsec = patience.count() % 1'000'000'000};
  next_ = 0;
  const int count =
      ::epoll_pwait2(epoll_, ready_.data(), static_cast<int>(kBatch), &timeout, nullptr);
  ready_count_ = static_cast<std::size_t>(std::max(count, 0));
  seen_all_ = ready_count_ < kBatch;
  look_before_ = last_look_;
  last_look_ = clock_.now();
}

void EventLoop::sleep(MonoTime exact, MonoTime rough) {
  thread_local bool slack_set = false;  // as the setting is: a loop may be run by another thread
  if (!slack_set) {
    ::prctl(PR_SET_TIMERSLACK, 1UL);  // the default lets wake-ups come 50 us late
    slack_set = true;
  }
  if (next_ < ready_count_ || !posted_.empty()) return;
  const MonoTime now = clock_.now();
  const bool aims = exact != MonoTime::max() && exact - wake_delay_.spin() <= rough;
  const MonoTime when = aims ? exact - wake_delay_.spin() : rough;
  if (when <= now) return look_again();  // the rest is spun
  look(std::min(when - now, kLongest));
  if (aims && ready_count_ == 0) wake_delay_.note(last_look_ - when);
}

}  // namespace evenbench::net
