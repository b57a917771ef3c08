#include "load/step.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "load/testing/step_bench.h"

namespace evenbench::load {
namespace {

using namespace std::chrono_literals;
using testing::Bench;
using testing::constant;
using testing::every;
using testing::FakeClock;
using testing::FakeTransport;
using testing::Fate;
using testing::Rows;
using testing::users;

constexpr Nanos kUserAfterUser = 25us;  // without a ramp

double ms(Nanos d) {
  return to_millis(d);
}

TEST(Step, O29_WorkInTheClientDoesNotStretchTheSchedule) {
  Bench bench(constant(200, 2000), every(1ms));
  bench.transport.work_per_send = 400us;
  const auto result = bench.run();
  const auto rows = bench.cohort();
  ASSERT_EQ(rows.size(), 2000U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].planned - result.begin, 5ms * i);
    EXPECT_LE(rows[i].exchanged.sent - rows[i].planned, 400us);
  }
  const double span = to_seconds(rows.back().exchanged.sent - rows.front().exchanged.sent);
  EXPECT_NEAR(1999 / span, 200.0, 0.1);
  EXPECT_TRUE(result.finished);
}

TEST(Step, AsksForExactInstantsOnlyWhereSomethingIsPlanned) {
  Bench bench(constant(1, 3), every(5ms));
  bench.run();
  const MonoTime begin = bench.cohort()[0].planned;
  EXPECT_EQ(bench.transport.exact, (std::set<MonoTime>{begin + 1s, begin + 2s, begin + 3s}));
}

TEST(Step, AnOpenLoopMakesRequestsBeforeTheyAreDueHoweverManyWereSent) {
  Bench bench(constant(4000, 3000), every(5ms));
  bench.job.lead = 1ms;
  std::map<std::uint32_t, MonoTime> made;
  bench.job.serialise = [&](std::uint32_t index, const workload::Item&) {
    made[index] = bench.clock.now();
    return std::string("request");
  };
  bench.run();
  for (const auto& row : bench.cohort()) EXPECT_LT(made[row.index], row.planned) << row.index;
}

TEST(Step, O30_ACapDelaysSendsAndNeverMovesThePlan) {
  auto spec = constant(10, 8);
  spec.max_in_flight = 1;
  Bench bench(spec, every(500ms));
  bench.run();
  const auto rows = bench.cohort();
  ASSERT_EQ(rows.size(), 8U);
  double total = 0;
  double delay = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& x = rows[i].exchanged;
    EXPECT_EQ(x.closed.user - x.sent, 500ms);
    EXPECT_NEAR(ms(x.closed.user - rows[i].planned), 500.0 + 400.0 * static_cast<double>(i), 1e-6);
    total += ms(x.closed.user - rows[i].planned);
    delay += ms(x.sent - rows[i].planned);
  }
  EXPECT_NEAR(total / 8, 1900, 1e-6);
  EXPECT_NEAR(delay / 8, 1400, 1e-6);
  EXPECT_EQ(bench.transport.most_open, 1U);
}

TEST(Step, O31_AFreedUserIsRefilledAtOnce) {
  auto spec = users(2);
  spec.requests = 4;
  const std::vector<Nanos> times = {100ms, 900ms, 900ms, 100ms};
  Bench bench(spec, [&](std::size_t n, MonoTime) {
    return Fate{.tokens = {times.at(n)}, .end = times.at(n)};
  });
  const auto result = bench.run();
  const auto rows = bench.cohort();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2].exchanged.sent - result.begin, 100ms);
  EXPECT_EQ(rows[3].exchanged.sent - result.begin, 900ms + kUserAfterUser);
  EXPECT_EQ(result.window_end - result.window_begin, 1000ms + kUserAfterUser);
  EXPECT_EQ(result.cohort_planned, 4U);
}

TEST(Step, O35_OpenRequestsAreCutWhenATimedClosedLoopEnds) {
  auto spec = users(2);
  spec.measure = 10050ms;
  Bench bench(spec, [](std::size_t, MonoTime) {
    Fate fate;
    for (int i = 1; i <= 40; ++i) fate.tokens.push_back(100ms * i);
    fate.end = 4s;
    return fate;
  });
  const auto result = bench.run();
  std::size_t done = 0;
  std::size_t cut = 0;
  std::size_t tokens = 0;
  for (const auto& row : bench.cohort()) {
    done += row.exchanged.ending == Ending::kDone ? 1 : 0;
    cut += row.exchanged.ending == Ending::kCutAtEnd ? 1 : 0;
    tokens += row.exchanged.tokens.size();
  }
  EXPECT_EQ(done, 4U);
  EXPECT_EQ(cut, 2U);
  EXPECT_EQ(tokens, 200U);
  EXPECT_EQ(result.window_end - result.window_begin, 10050ms);
  EXPECT_TRUE(result.finished);
}

TEST(Step, O36_AShortDataSetIsRepeatedUntilTheCountIsReached) {
  workload::WorkloadSpec words;
  words.prompts = {"one", "two"};
  Bench bench(constant(5, 5), every(1ms), words);
  bench.padding = " and a text that is long enough";
  bench.run();
  const auto rows = bench.cohort();
  ASSERT_EQ(rows.size(), 5U);
  std::multiset<std::uint64_t> ids;
  for (const auto& row : rows) ids.insert(row.prompt_id);
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 2U);
}

// The proof that a load is open: while the server stands still, arrivals go on, and each of them
// waits for what is left of the stall.
TEST(Step, AStallOfTheServerIsPaidByEveryRequestThatWasPlannedInIt) {
  MonoTime start = kNever;
  Bench bench(constant(50, 500), [&](std::size_t, MonoTime now) {
    if (start == kNever) start = now;
    const MonoTime stall_begin = start + 3s;
    const MonoTime stall_end = stall_begin + 2s;
    const bool stalled = now >= stall_begin && now < stall_end;
    const Nanos first = stalled ? stall_end - now : 1ms;
    return Fate{.tokens = {first}, .end = first};
  });
  bench.run();
  std::vector<double> waits;
  for (const auto& row : bench.cohort()) {
    const double ttft = ms(row.exchanged.first_token.user - row.planned);
    if (ttft > 1.5) waits.push_back(ttft);
  }
  ASSERT_EQ(waits.size(), 100U);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    EXPECT_NEAR(waits[i], 2000.0 - 20.0 * static_cast<double>(i), 1e-6);
  }
}

TEST(Step, O25_TwoHundredAndFiftySixUsersHaveAsManyRequestsOpen) {
  auto spec = users(256);
  spec.requests = 512;
  Bench bench(spec, every(500ms));
  bench.run();
  EXPECT_EQ(bench.transport.most_open, 256U);
  EXPECT_EQ(bench.cohort().size(), 512U);
}

TEST(Step, TheLoadGoesOnAfterTheWindowUntilTheCohortIsOver) {
  auto spec = constant(10, 20);
  spec.warmup.count = 5;
  Bench bench(spec, [](std::size_t n, MonoTime) {
    const Nanos d = n == 24 ? 1500ms : 10ms;  // the last of the cohort is slow
    return Fate{.tokens = {d}, .end = d};
  });
  const auto result = bench.run();
  EXPECT_EQ(bench.cohort().size(), 20U);
  std::size_t cooldown = 0;
  for (const auto& row : bench.sink.rows) cooldown += row.phase == Phase::kCooldown ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(cooldown), 14, 1.01);  // 1.4 s at 10/s
  EXPECT_EQ(result.end - result.window_end, 1400ms);
}

TEST(Step, ACohortThatNeverEndsIsCutAtTheLimit) {
  auto spec = constant(10, 10);
  spec.cooldown_limit = 3s;
  Bench bench(spec, every(1h));
  const auto result = bench.run();
  const auto rows = bench.cohort();
  ASSERT_EQ(rows.size(), 10U);
  for (const auto& row : rows) {
    EXPECT_EQ(row.exchanged.ending, Ending::kCutAtEnd);
    EXPECT_EQ(row.exchanged.closed.user - result.window_end, 3s);
  }
}

TEST(Step, AStopLetsOpenRequestsFinishWithinTheGraceAndRecordsWhatWasDue) {
  auto spec = constant(10, 100);
  spec.max_in_flight = 2;
  Bench* self = nullptr;
  Bench bench(spec, [&](std::size_t n, MonoTime) {
    if (n == 3) self->control.stop = StepControl::kFinishOpen;
    return Fate{.tokens = {1s}, .end = n == 2 ? Nanos{1h} : Nanos{1s}};
  });
  self = &bench;
  bench.control.grace = 5s;
  const auto result = bench.run();
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(bench.transport.requests.size(), 4U);
  std::size_t never_sent = 0;
  for (const auto& row : bench.cohort()) {
    if (!observed(row.exchanged.sent)) ++never_sent;
    if (row.index == 2) {
      EXPECT_EQ(row.exchanged.ending, Ending::kCutAtEnd);
    }
    if (row.index == 3) {
      EXPECT_EQ(row.exchanged.ending, Ending::kDone);
    }
  }
  EXPECT_GE(never_sent, 6U);  // due in the first second, but the cap held them
  EXPECT_LT(bench.cohort().size(), 100U);
}

TEST(Step, AKeyThatExpiresEndsItSoonAndKeepsWhatWasMeasured) {
  Bench bench(constant(10, 1000), [](std::size_t n, MonoTime) {
    if (n < 50) return Fate{.tokens = {10ms}, .end = 10ms};
    return Fate{.end = 10ms,
                .ending = Ending::kHttpError,
                .detail = "HTTP 401: K-secret has expired",
                .status = 401};
  });
  bench.job.secrets = {"K-secret"};
  const auto result = bench.run();
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(bench.control.good.load(), 50U);
  EXPECT_EQ(bench.control.failed.load(), 11U);  // a second of them, at 10 a second
  const auto lost = bench.control.failures.key_lost();
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->detail, "HTTP 401: [key] has expired");
}

TEST(Step, CutNowEndsEverythingAtOnce) {
  Bench* self = nullptr;
  Bench bench(constant(10, 100), [&](std::size_t n, MonoTime) {
    if (n == 7) self->control.stop = StepControl::kCutNow;
    return Fate{.tokens = {}, .end = 1h};
  });
  self = &bench;
  const auto result = bench.run();
  EXPECT_FALSE(result.finished);
  ASSERT_EQ(bench.cohort().size(), 8U);
  for (const auto& row : bench.cohort()) {
    EXPECT_LE(row.exchanged.closed.user - result.begin, 750ms);
  }
}

TEST(Step, UsersComeOneAfterAnotherAndThinkBetweenRequests) {
  auto spec = users(3);
  spec.ramp = 2;  // users per second
  spec.think.fixed = 300ms;
  spec.measure = 2s;
  Bench bench(spec, every(100ms));
  const auto result = bench.run();
  EXPECT_EQ(result.window_begin - result.begin, 1s);  // when the third user is there
  std::vector<Nanos> planned;
  for (const auto& row : bench.sink.rows) planned.push_back(row.planned - result.begin);
  std::ranges::sort(planned);
  EXPECT_EQ(planned[0], 0ms);
  EXPECT_EQ(planned[1], 400ms);  // 100 ms of answer, 300 ms of thought
  EXPECT_EQ(planned[2], 500ms);
  for (const auto& row : bench.sink.rows) {
    EXPECT_EQ(row.phase, row.planned < result.window_begin ? Phase::kWarmup : Phase::kMeasure);
  }
}

TEST(Step, ACountedWarmUpOfAClosedLoopIsNotMeasured) {
  auto spec = users(2);
  spec.warmup.count = 3;
  spec.requests = 4;
  Bench bench(spec, every(100ms));
  const auto result = bench.run();
  EXPECT_EQ(bench.sink.rows.size(), 7U);
  EXPECT_EQ(bench.cohort().size(), 4U);
  EXPECT_EQ(result.window_begin - result.begin, 100ms + kUserAfterUser);
}

TEST(Step, UsersWithoutARampBeginAsFastAsTheyCanBeSentAndNoneIsLate) {
  auto spec = users(100);
  spec.requests = 100;
  Bench bench(spec, every(500ms));
  bench.transport.work_per_send = 20us;
  const auto result = bench.run();
  for (const auto& row : bench.cohort()) {
    EXPECT_EQ(row.planned - result.begin, row.index * kUserAfterUser);
    EXPECT_EQ(row.exchanged.sent, row.planned) << row.index;
  }
}

TEST(Step, AKeyThatIsEchoedByTheServerIsNotRecorded) {
  Bench bench(constant(10, 2), [](std::size_t, MonoTime) {
    return Fate{.tokens = {},
                .end = 1ms,
                .ending = Ending::kHttpError,
                .detail = "HTTP 401: the key sk-secret is not known, sk-secret"};
  });
  bench.job.secrets = {"sk-secret"};
  bench.run();
  EXPECT_EQ(bench.cohort()[0].exchanged.detail, "HTTP 401: the key [key] is not known, [key]");
}

TEST(Step, SeveralWorkersSendWhatOneWouldHaveSent) {
  const auto spec = constant(40, 80);
  Bench one(spec, every(5ms));
  one.run();
  Bench shared(spec, every(5ms));
  shared.run_by(3, every(5ms));
  std::set<std::pair<std::uint32_t, std::uint64_t>> sent;
  for (const auto& row : shared.cohort()) sent.emplace(row.index, row.prompt_id);
  std::set<std::pair<std::uint32_t, std::uint64_t>> expected;
  for (const auto& row : one.cohort()) expected.emplace(row.index, row.prompt_id);
  EXPECT_EQ(sent, expected);
}

TEST(Step, EveryWorkerHasTheSeatThatWasAskedForAndSaysSo) {
  cpu_set_t cpus;
  ASSERT_EQ(::sched_getaffinity(0, sizeof cpus, &cpus), 0);
  int cpu = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(cpu), &cpus)) ++cpu;
  Bench bench(constant(10, 2), every(1ms));
  bench.job.seats.cpus = {cpu};
  const auto result = bench.run();
  ASSERT_EQ(result.health.size(), 1U);
  EXPECT_EQ(result.health[0].extra_json, "{\"cpu\":" + std::to_string(cpu) + "}");
  cpu_set_t after;  // an engine that is started later must not inherit it
  ASSERT_EQ(::sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&after, &cpus));
}

TEST(Step, TheWindowIsKnownBeforeTheFirstRequest) {
  Bench bench(constant(10, 5), every(1ms));
  bool told = false;
  bench.job.on_started = [&](const StepResult& started) {
    told = true;
    EXPECT_EQ(bench.transport.requests.size(), 0U);
    EXPECT_EQ(started.window_end - started.window_begin, 500ms);
  };
  bench.run();
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace evenbench::load
