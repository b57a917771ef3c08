#include "net/event_loop.h"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <memory>
#include <vector>

namespace evenbench::net {
namespace {

class StillClock final : public Clock {
 public:
  [[nodiscard]] MonoTime now() const override { return MonoTime{std::chrono::seconds{1000}}; }
  [[nodiscard]] WallTime wall() const override { return WallTime{}; }
};

// A descriptor that becomes readable when it is told to, and counts its turns.
class Signal final : public Watcher {
 public:
  explicit Signal(EventLoop& loop) : fd_(::eventfd(0, EFD_NONBLOCK)), loop_(loop) {
    loop_.watch(fd_, EPOLLIN, *this);
  }
  ~Signal() override {
    loop_.forget(fd_);
    ::close(fd_);
  }
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;
  void raise() const { ASSERT_EQ(::eventfd_write(fd_, 1), 0); }
  void on_events(std::uint32_t /*events*/) override {
    eventfd_t value = 0;
    ::eventfd_read(fd_, &value);
    ++turns;
  }
  int turns = 0;

 private:
  int fd_;
  EventLoop& loop_;
};

class EventLoopLooks : public testing::Test {
 protected:
  void run_all() const {
    while (loop->run_one_ready()) {
    }
  }
  StillClock clock;
  std::unique_ptr<EventLoop> loop = EventLoop::make(clock).value();
};

TEST_F(EventLoopLooks, OnceForWhatHasComeAndAgainOnlyWhenItIsTold) {
  Signal early(*loop);
  Signal late(*loop);
  early.raise();
  EXPECT_TRUE(loop->run_one_ready());
  late.raise();  // after the look that found the other alone
  EXPECT_FALSE(loop->run_one_ready());
  EXPECT_EQ(late.turns, 0);
  loop->look_again();
  EXPECT_TRUE(loop->run_one_ready());
  EXPECT_EQ(late.turns, 1);
}

TEST_F(EventLoopLooks, AgainWhereOneLookMayNotHaveFoundAll) {
  std::vector<std::unique_ptr<Signal>> signals;
  for (int i = 0; i < 600; ++i) {
    signals.push_back(std::make_unique<Signal>(*loop));
    signals.back()->raise();
  }
  run_all();
  for (const auto& signal : signals) EXPECT_EQ(signal->turns, 1);
}

TEST_F(EventLoopLooks, WhileAnInstantThatIsNearIsSpunFor) {
  Signal signal(*loop);
  run_all();
  signal.raise();
  loop->sleep(clock.now() + Nanos{1}, MonoTime::max());  // too near to be slept for
  EXPECT_TRUE(loop->run_one_ready());
  EXPECT_EQ(signal.turns, 1);
}

TEST_F(EventLoopLooks, InItsSleep) {
  Signal signal(*loop);
  run_all();
  signal.raise();
  loop->sleep(MonoTime::max(), clock.now() + std::chrono::hours{1});  // ends at once
  EXPECT_TRUE(loop->run_one_ready());
  EXPECT_EQ(signal.turns, 1);
}

}  // namespace
}  // namespace evenbench::net
