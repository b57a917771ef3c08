// Every limit of the client: at it, below it, above it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "judge/testing/fake_reader.h"
#include "judge/verdict.h"

namespace evenbench::judge {
namespace {

using testing::FakeReader;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::RequestBuilder;
using testing::says;

struct Judged {
  Label label = Label::kSteady;
  std::vector<BrokenLimit> broken;
  std::string reasons;
};

// A step with a median TTFT of 1 s, in which nothing but `health` can be wrong.
Judged judged(const ClientHealth& health, double ttft_p50_ms = 1000, bool kernel_stamps = false) {
  JudgedStep step;
  step.ttft.p50 = ttft_p50_ms;
  step.client = health;
  StepFacts facts;
  facts.client.kernel_stamps = kernel_stamps;
  Marks marks;
  mark_client(step, facts, marks);
  Judged out{marks.label(), step.client.broken, ""};
  for (const std::string& reason : marks.take_reasons()) out.reasons += reason + "\n";
  return out;
}

template <typename T>
Judged with(std::optional<T> ClientHealth::*field, double value, double ttft_p50_ms = 1000,
            bool kernel_stamps = false) {
  ClientHealth health;
  health.*field = static_cast<T>(value);
  return judged(health, ttft_p50_ms, kernel_stamps);
}

struct Case {
  Signal signal;
  std::optional<double> ClientHealth::*field;
  double soft, hard;  // 0: there is none
};
const std::vector<Case> kCases = {
    {Signal::kLateness, &ClientHealth::begun_late_p99_ms, 1.0, 5.0},
    {Signal::kDelay, &ClientHealth::delay_p99_ms, 1.0, 5.0},
    {Signal::kLoopStall, &ClientHealth::stall_max_ms, 10, 100},
    {Signal::kCpu, &ClientHealth::cpu_share, 0.60, 0.85},
    {Signal::kCpuPeak, &ClientHealth::cpu_peak_share, 0, 0.95},
    {Signal::kRunQueue, &ClientHealth::run_queue_share, 0.005, 0.03},
};

void expect_one(const Judged& got, const Case& c, bool hard) {
  EXPECT_EQ(got.label, hard ? Label::kInvalidClient : Label::kSuspect) << name_of(c.signal);
  ASSERT_EQ(got.broken.size(), 1U) << name_of(c.signal);
  EXPECT_EQ(got.broken[0].signal, c.signal);
  EXPECT_EQ(got.broken[0].hard, hard);
  EXPECT_DOUBLE_EQ(got.broken[0].limit, hard ? c.hard : c.soft);
  EXPECT_GT(got.broken[0].value, got.broken[0].limit);
  EXPECT_THAT(got.reasons, HasSubstr(hard ? "the client was the limit: "
                                          : "the client was close to its limit: "));
}

TEST(ClientLimits, AtALimitAStepIsAsBelowItAndAboveItSuspectThenInvalid) {
  for (const Case& c : kCases) {
    for (const double share : {0.0, 0.99, 1.0}) {
      const Judged got = with(c.field, share * (c.soft > 0 ? c.soft : c.hard));
      EXPECT_EQ(got.label, Label::kSteady) << name_of(c.signal);
      EXPECT_THAT(got.broken, IsEmpty());
      EXPECT_THAT(got.reasons, IsEmpty());
    }
    if (c.soft > 0) {
      expect_one(with(c.field, c.soft * 1.01), c, false);
      expect_one(with(c.field, c.hard), c, false);
    }
    expect_one(with(c.field, c.hard * 1.01), c, true);
  }
}

TEST(ClientLimits, WhatNobodyObservedIsNotJudged) {
  const Judged got = judged({});
  EXPECT_EQ(got.label, Label::kSteady);
  EXPECT_THAT(got.broken, IsEmpty());
  // Nor what a record of version 1 lacks.
  record::WorkerHealthRow old;
  old.wall = from_seconds(10);
  ClientHealth health;
  add_workers(health, {old});
  EXPECT_EQ(health.workers, 1U);
  EXPECT_FALSE(health.stalls || health.cpu_peak_share || health.delay_p99_ms || health.reads ||
               health.zero_windows || health.segments_resent || health.clock_move_max_ms ||
               health.files_limit || health.nice || health.limit_errors);
  EXPECT_EQ(judged(health).label, Label::kSteady);
}

// A quick server is measured wrong by less.
TEST(ClientLimits, LatenessIsAlsoHeldAgainstOnePercentOfTheMedianTtft) {
  const auto late = [](double ms, double ttft) {
    return with(&ClientHealth::begun_late_p99_ms, ms, ttft).label;
  };
  EXPECT_EQ(late(3.0, 300), Label::kSuspect);
  EXPECT_EQ(late(3.1, 300), Label::kInvalidClient);
  EXPECT_EQ(late(5.0, 800), Label::kSuspect);  // 8 ms would be more than the absolute limit
  EXPECT_EQ(late(5.1, 800), Label::kInvalidClient);
  EXPECT_EQ(late(1.0, 10), Label::kSteady);  // never below 1 ms
  EXPECT_EQ(late(1.1, 10), Label::kInvalidClient);
}

TEST(ClientLimits, TheDelayIsAlsoHeldAgainstTwoPercentOfTheMedianTtft) {
  const auto delay = [](double ms, double ttft) {
    return with(&ClientHealth::delay_p99_ms, ms, ttft).label;
  };
  EXPECT_EQ(delay(2.0, 100), Label::kSuspect);
  EXPECT_EQ(delay(2.1, 100), Label::kInvalidClient);
  EXPECT_EQ(delay(1.0, 10), Label::kSteady);
  EXPECT_EQ(delay(1.1, 10), Label::kInvalidClient);
}

TEST(ClientLimits, WithoutATtftOnlyTheAbsoluteLimitsCount) {
  JudgedStep step;
  step.client.begun_late_p99_ms = 4.9;
  Marks marks;
  mark_client(step, {}, marks);
  EXPECT_EQ(marks.label(), Label::kSuspect);
}

// The kernel took the instants: the program's delay is in none of them.
TEST(ClientLimits, ByKernelStampDelayAndRunQueueWaitAreNeverHard) {
  for (const auto field : {&ClientHealth::delay_p99_ms, &ClientHealth::run_queue_share}) {
    EXPECT_EQ(with(field, 100, 1000, true).label, Label::kSuspect);
    EXPECT_EQ(with(field, 100, 1000, false).label, Label::kInvalidClient);
    EXPECT_EQ(with(field, 0.001, 1000, true).label, Label::kSteady);
  }
  EXPECT_EQ(with(&ClientHealth::begun_late_p99_ms, 6, 1000, true).label, Label::kInvalidClient);
  EXPECT_EQ(with(&ClientHealth::cpu_share, 0.9, 1000, true).label, Label::kInvalidClient);
}

// Nobody steps the monotonic clock; the program's own instants are of that.
TEST(ClientLimits, AClockThatMovesIsHardOnlyByKernelStamp) {
  const auto move = [](double ms, bool kernel) {
    return with(&ClientHealth::clock_move_max_ms, ms, 1000, kernel).label;
  };
  EXPECT_EQ(move(0.2, true), Label::kSteady);
  EXPECT_EQ(move(0.21, true), Label::kSuspect);
  EXPECT_EQ(move(2.0, true), Label::kSuspect);
  EXPECT_EQ(move(2.1, true), Label::kInvalidClient);
  EXPECT_EQ(move(2.1, false), Label::kSuspect);
}

TEST(ClientLimits, AFullReceiveQueueIsSuspectAndAClosedWindowInvalid) {
  const auto queue = &ClientHealth::receive_queue_max;
  EXPECT_EQ(with(queue, 65'535).label, Label::kSteady);
  EXPECT_EQ(with(queue, 65'536).label, Label::kSteady);
  EXPECT_EQ(with(queue, 65'537).label, Label::kSuspect);
  const auto windows = &ClientHealth::zero_windows;
  EXPECT_EQ(with(windows, 0).label, Label::kSteady);
  const Judged closed = with(windows, 1);
  EXPECT_EQ(closed.label, Label::kInvalidClient);
  EXPECT_EQ(closed.broken.at(0).signal, Signal::kZeroWindow);
  EXPECT_THAT(closed.reasons, HasSubstr("its receive window was closed once"));
  EXPECT_THAT(closed.reasons, HasSubstr("more workers"));
  EXPECT_THAT(closed.reasons, HasSubstr("another host"));
}

TEST(ClientLimits, RetransmitsAreSuspectAndBeyondOneInAThousandInvalid) {
  const auto resent = [](std::uint64_t again, std::uint64_t of) {
    ClientHealth health;
    health.segments_resent = again;
    health.segments_sent = of;
    return judged(health);
  };
  EXPECT_EQ(resent(0, 10'000).label, Label::kSteady);
  EXPECT_EQ(resent(1, 10'000).label, Label::kSuspect);
  EXPECT_EQ(resent(10, 10'000).label, Label::kSuspect);
  EXPECT_EQ(resent(11, 10'000).label, Label::kInvalidClient);
  EXPECT_THAT(resent(11, 10'000).reasons, HasSubstr("11 of 10000 TCP segments"));
  EXPECT_EQ(resent(4, 100).label, Label::kSuspect);  // of four, chance
  EXPECT_EQ(resent(5, 100).label, Label::kInvalidClient);
}

TEST(ClientLimits, FourFifthsOfTheFilesAreSuspectAndARefusalInvalid) {
  const auto open = [](std::uint64_t connections) {
    ClientHealth health;
    health.connections_open_max = connections;
    health.files_limit = 1000;
    return judged(health);
  };
  EXPECT_EQ(open(800).label, Label::kSteady);
  EXPECT_EQ(open(801).label, Label::kSuspect);
  EXPECT_EQ(open(1000).label, Label::kSuspect);
  EXPECT_THAT(open(900).reasons,
              HasSubstr("took 90 % of the 1000 files it may open; raise `ulimit -n`"));
  const auto errors = &ClientHealth::limit_errors;
  EXPECT_EQ(with(errors, 0).label, Label::kSteady);
  EXPECT_EQ(with(errors, 1).label, Label::kInvalidClient);
  EXPECT_THAT(with(errors, 1).reasons, HasSubstr("raise `ulimit -n`"));
}

TEST(ClientLimits, ConnectionsOpenedInsideTheWindowAreSuspectAboveOnePercentAndFour) {
  const auto opened = [](std::uint64_t opened_count, std::uint64_t begun) {
    ClientHealth health;
    health.opened_in_window = opened_count;
    health.begun_in_window = begun;
    return judged(health).label;
  };
  EXPECT_EQ(opened(0, 0), Label::kSteady);
  EXPECT_EQ(opened(4, 20), Label::kSteady);
  EXPECT_EQ(opened(5, 20), Label::kSuspect);
  EXPECT_EQ(opened(10, 1000), Label::kSteady);
  EXPECT_EQ(opened(11, 1000), Label::kSuspect);
  EXPECT_EQ(opened(1000, 1000), Label::kSuspect);
}

TEST(ClientLimits, RequestsThatWereNotSentAreHardBelowNineHundredNinetyNineInAThousand) {
  const auto sent = [](std::uint64_t begun) {
    JudgedStep step;
    step.planned = 2000;
    StepFacts facts;
    facts.open_loop = facts.finished = true;
    facts.client.begun = begun;
    Marks marks;
    mark_client(step, facts, marks);
    return marks.label();
  };
  EXPECT_EQ(sent(2000), Label::kSteady);
  EXPECT_EQ(sent(1999), Label::kSuspect);
  EXPECT_EQ(sent(1998), Label::kSuspect);
  EXPECT_EQ(sent(1997), Label::kInvalidClient);
}

record::WorkerHealthRow worker(double cpu_s, std::uint64_t zero_windows, double delay_ms) {
  record::WorkerHealthRow row;
  row.step_id = 1;
  row.wall = from_seconds(10);
  row.cpu = from_seconds(cpu_s);
  row.loop_stalls = 2;
  row.realtime = true;
  row.nice = -5;
  row.transport.emplace();
  row.transport->reads = row.transport->stamped_reads = 100;
  row.transport->zero_windows = zero_windows;
  row.transport->delay_p99 = from_seconds(delay_ms / 1000);
  row.transport->files_limit = 1024;
  row.transport->connections_open_max = 500;
  row.transport->clock_move_max = Nanos{-300'000};
  return row;
}

TEST(ClientHealth, IsOfTheWorstWorkerAndSumsCounts) {
  ClientHealth health;
  record::WorkerHealthRow second = worker(7, 1, 2);
  second.transport->files_limit = 2048;
  second.nice = 3;
  second.realtime = false;
  add_workers(health, {worker(2, 2, 0.5), second});
  EXPECT_EQ(health.workers, 2U);
  EXPECT_DOUBLE_EQ(*health.cpu_share, 0.7);
  EXPECT_DOUBLE_EQ(*health.delay_p99_ms, 2);
  EXPECT_EQ(health.zero_windows, 3U);
  EXPECT_EQ(health.stalls, 4U);
  EXPECT_EQ(health.reads, 200U);
  EXPECT_EQ(health.files_limit, 1024U);
  EXPECT_EQ(health.connections_open_max, 1000U);
  EXPECT_DOUBLE_EQ(*health.clock_move_max_ms, 0.3);
  EXPECT_EQ(health.nice, 3);
  EXPECT_FALSE(health.realtime);
  EXPECT_FALSE(health.segments_sent);
}

TEST(ClientHealth, ReachesTheStepFromItsWorkersAlone) {
  FakeReader reader;
  reader.add_step(0, 10'000, 20);
  for (int i = 0; i < 200; ++i) {
    reader.add(RequestBuilder(i * 50.0).tokens({10, 20}).usage(5, 2));
  }
  reader.health_rows = {worker(2, 0, 0.1), worker(2, 9, 0.1)};
  reader.health_rows[0].transport->connections_open_max = 10;
  reader.health_rows[0].transport->clock_move_max = Nanos{0};
  reader.health_rows[1].step_id = 2;
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.label, Label::kSteady);
  EXPECT_EQ(step.client.workers, 1U);
  EXPECT_EQ(step.client.zero_windows, 0U);
  EXPECT_EQ(step.client.begun_in_window, 200U);
}

// Must hold of any client: a worker that spins 5 ms in every 100 ms is late for what falls into
// them, in sending and in reading.
TEST(ClientLimits, O32_AWorkerThatSpinsFiveOfEveryHundredMillisecondsRaisesLatenessAndDelay) {
  FakeReader reader;
  reader.add_step(0, 10'000, 200);
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    const double planned = i * 5.0 + i % 5;
    const double late = std::max(0.0, 5.0 - std::fmod(planned, 100.0));
    worst = std::max(worst, late);
    reader.add(RequestBuilder(planned).tokens({100, 110}).usage(5, 2).sent(planned + late));
  }
  reader.health_rows = {worker(1, 0, 4.0)};
  const JudgedStep step = reader.judged_step();
  EXPECT_GT(worst, 4);
  EXPECT_NE(step.client.broken_limit(Signal::kLateness), nullptr);
  EXPECT_NE(step.client.broken_limit(Signal::kDelay), nullptr);
  EXPECT_EQ(step.client.broken_limit(Signal::kCpu), nullptr);
  EXPECT_NE(step.label, Label::kSteady);
  EXPECT_TRUE(says(step, "it sent late, P99"));
  EXPECT_TRUE(says(step, "it read what had arrived late, P99 4.0 ms"));
}

}  // namespace
}  // namespace evenbench::judge
