#include "load/worker_seat.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <thread>

namespace evenbench::load {
namespace {

int nice_now() {
  return ::getpriority(PRIO_PROCESS, 0);
}

int policy_now() {
  return ::sched_getscheduler(0);
}

cpu_set_t cpus_now() {
  cpu_set_t out;
  CPU_ZERO(&out);
  ::sched_getaffinity(0, sizeof out, &out);
  return out;
}

int first_cpu() {
  const cpu_set_t cpus = cpus_now();
  int cpu = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(cpu), &cpus)) ++cpu;
  return cpu;
}

// In a thread of its own, as what is tried there must not outlast it.
void aside(const std::function<void()>& what) {
  std::thread(what).join();  // lint-ok(thread): a seat is that of a thread
}

bool may_go_first() {
  bool may = false;
  aside([&] { may = ::setpriority(PRIO_PROCESS, 0, -10) == 0; });
  return may;
}

bool may_be_realtime() {
  bool may = false;
  aside([&] {
    const sched_param lowest{.sched_priority = 1};
    may = ::sched_setscheduler(0, SCHED_FIFO, &lowest) == 0;
  });
  return may;
}

TEST(WorkerSeat, EndsWithItsScope) {
  aside([] {
    const int nice = std::max(nice_now(), 5);
    ::setpriority(PRIO_PROCESS, 0, nice);
    const int policy = policy_now();
    const cpu_set_t cpus = cpus_now();
    { const WorkerSeat seat({.realtime = true, .cpus = {first_cpu()}}, 0); }
    EXPECT_EQ(nice_now(), nice);
    EXPECT_EQ(policy_now(), policy);
    const cpu_set_t after = cpus_now();
    EXPECT_TRUE(CPU_EQUAL(&after, &cpus));
  });
}

TEST(WorkerSeat, StandsBeforeOrdinaryThreadsWhereThatIsPermitted) {
  const bool may = may_go_first();
  aside([may] {
    const int own = std::max(nice_now(), 5);
    ::setpriority(PRIO_PROCESS, 0, own);
    const WorkerSeat seat({}, 0);
    EXPECT_EQ(nice_now(), may ? -10 : own);
    EXPECT_EQ(seat.nice(), nice_now());
  });
}

TEST(WorkerSeat, DoesNotPutBackAThreadThatStoodFurtherInFront) {
  if (!may_go_first()) GTEST_SKIP() << "no thread may stand in front here";
  aside([] {
    ::setpriority(PRIO_PROCESS, 0, -15);
    const WorkerSeat seat({}, 0);
    EXPECT_EQ(seat.nice(), -15);
  });
}

TEST(WorkerSeat, SaysWhatHoldsAndNotWhatWasAsked) {
  const bool may = may_be_realtime();
  const WorkerSeat seat({.realtime = true, .cpus = {}}, 0);
  const int policy = policy_now() & ~SCHED_RESET_ON_FORK;
  EXPECT_EQ(seat.realtime(), policy == SCHED_FIFO);
  EXPECT_EQ(seat.realtime(), may);
  EXPECT_EQ(seat.cpu(), std::nullopt);
}

TEST(WorkerSeat, IsOrdinaryUnlessAsked) {
  const WorkerSeat seat({}, 0);
  EXPECT_FALSE(seat.realtime());
}

TEST(WorkerSeat, GivesTheWorkersTheirCpusInTurn) {
  const int cpu = first_cpu();
  const WorkerSeat seat({.realtime = false, .cpus = {4095 % CPU_SETSIZE, cpu}}, 3);
  EXPECT_EQ(seat.cpu(), cpu);
  const cpu_set_t now = cpus_now();
  EXPECT_EQ(CPU_COUNT(&now), 1);
  EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(cpu), &now));
}

TEST(WorkerSeat, ACpuThatIsNotThereLeavesTheThreadWhereItWas) {
  const cpu_set_t before = cpus_now();
  const WorkerSeat seat({.realtime = false, .cpus = {CPU_SETSIZE - 1}}, 0);
  EXPECT_EQ(seat.cpu(), std::nullopt);
  const cpu_set_t now = cpus_now();
  EXPECT_TRUE(CPU_EQUAL(&now, &before));
}

}  // namespace
}  // namespace evenbench::load
