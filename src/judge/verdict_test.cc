#include "judge/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using testing::at_ms;
using testing::FakeReader;
using ::testing::IsEmpty;
using testing::RequestBuilder;
using testing::says;

// `count` answers of two tokens at `rate`, each `late_ms` late and `slow_ms` long.
void add_plain(FakeReader& reader, int count, double rate, double late_ms = 0,
               double slow_ms = 20) {
  for (int i = 0; i < count; ++i) {
    const double planned = i * 1000.0 / rate;
    reader.add(RequestBuilder(planned)
                   .tokens({late_ms + slow_ms / 2, late_ms + slow_ms})
                   .usage(5, 2)
                   .asked(5, 2)
                   .sent(planned + late_ms));
  }
}

JudgedStep plain_step(double late_ms = 0, const record::WorkerHealthRow& health = {}) {
  FakeReader reader;
  reader.add_step(0, 10'000, 20);
  add_plain(reader, 200, 20, late_ms);
  reader.health_rows = {health};
  reader.health_rows[0].step_id = 1;
  return reader.judged_step();
}

record::WorkerHealthRow health_of(double wall_s, double cpu_s, double queued_s, double stall_ms) {
  record::WorkerHealthRow row;
  row.wall = from_seconds(wall_s);
  row.cpu = from_seconds(cpu_s);
  row.run_queue_wait = from_seconds(queued_s);
  row.max_loop_stall = from_seconds(stall_ms / 1000);
  return row;
}

TEST(Verdict, AStepWithNothingToSayIsSteadyAndSaysNothing) {
  const JudgedStep step = plain_step(0, health_of(10, 6.0, 0.05, 10));
  EXPECT_EQ(step.label, Label::kSteady);
  EXPECT_THAT(step.reasons, IsEmpty());
  EXPECT_DOUBLE_EQ(*step.sent_rate, 20);
}

TEST(Verdict, O29_AClientThatHoldsItsRateIsSaidToHoldIt) {
  FakeReader reader;
  reader.add_step(0, 10'000, 200);
  add_plain(reader, 2000, 200, 0, 2);
  const JudgedStep step = reader.judged_step();
  EXPECT_DOUBLE_EQ(*step.sent_rate, 1999 / 9.995);
  EXPECT_EQ(step.label, Label::kSteady);
  EXPECT_FALSE(says(step, "schedule not held"));
}

TEST(Verdict, O29_ADriftingClientIsShownWithBothRatesAndIsInvalid) {
  FakeReader reader;
  reader.add_step(0, 10'000, 200);
  for (int i = 0; i < 2000; ++i) {
    const double planned = i * 5.0;
    const double late = i * 0.4;
    reader.add(RequestBuilder(planned).tokens({late, late + 1}).usage(5, 2).sent(planned + late));
  }
  const JudgedStep step = reader.judged_step();
  EXPECT_NEAR(*step.sent_rate, 1999 / 10.7946, 1e-6);
  EXPECT_EQ(step.label, Label::kInvalidClient);
  EXPECT_TRUE(says(step, "schedule not held: achieved 185.2/s of 200.0/s asked"));
  EXPECT_TRUE(says(step, "the client was the limit: it sent late, P99 791.6 ms"));
}

TEST(Verdict, O30_WaitingForAPlaceInFlightIsInTheLatenciesAndSaid) {
  FakeReader reader;
  reader.add_step(0, 800, 10).max_in_flight = 1;
  for (int i = 0; i < 8; ++i) {
    const double planned = i * 100.0;
    const double end = 500.0 + 400 * i;
    reader.add(RequestBuilder(planned).tokens({end - 10, end}).usage(5, 2).sent(500.0 * i));
  }
  const JudgedStep step = reader.judged_step();
  EXPECT_DOUBLE_EQ(*step.e2e_service.min, 500);
  EXPECT_DOUBLE_EQ(*step.e2e_service.max, 500);
  EXPECT_DOUBLE_EQ(*step.e2e.mean, 1900);
  EXPECT_DOUBLE_EQ(*step.e2e.max, 3300);
  EXPECT_DOUBLE_EQ(*step.e2e.p99, 3272);
  EXPECT_DOUBLE_EQ(*step.lateness.mean, 1400);
  EXPECT_DOUBLE_EQ(*step.lateness.max, 2800);
  EXPECT_DOUBLE_EQ(*step.sent_rate, 2);
  EXPECT_EQ(step.label, Label::kSuspect);
  EXPECT_TRUE(says(step, "schedule not held: achieved 2.0/s of 10.0/s asked"));
  EXPECT_TRUE(says(step, "max_in_flight"));
}

TEST(Verdict, ACapThatWasNeverReachedExcusesNothing) {
  FakeReader reader;
  reader.add_step(0, 10'000, 20).max_in_flight = 50;
  add_plain(reader, 200, 20, 6);
  EXPECT_EQ(reader.judged_step().label, Label::kInvalidClient);
}

TEST(Verdict, RequestsThatWereNeverSentAreTheClientsFault) {
  FakeReader reader;
  reader.add_step(0, 10'000, 20).planned = 202;
  add_plain(reader, 200, 20);
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.planned, 202U);
  EXPECT_EQ(step.label, Label::kInvalidClient);
  EXPECT_TRUE(says(step, "the client sent 200 of 202 planned requests"));
}

TEST(Verdict, RequestsThatACapNeverLetGoAreInfinitelySlowAndNotTheClientsFault) {
  FakeReader reader;
  reader.add_step(0, 400, 10).max_in_flight = 1;
  for (int i = 0; i < 2; ++i) {
    const double end = 500.0 + 400 * i;
    reader.add(RequestBuilder(i * 100.0).tokens({end - 10, end}).usage(5, 2).sent(500.0 * i));
  }
  for (const double planned : {200.0, 300.0}) {
    RequestBuilder request(planned);
    request.exchanged().ending = Ending::kCutAtEnd;
    request.exchanged().sent = kNever;
    reader.add(request);
  }
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.planned, 4U);
  EXPECT_EQ(step.sent, 2U);
  EXPECT_EQ(step.label, Label::kSuspect);
  EXPECT_TRUE(std::isinf(*step.e2e.with_failures->p95));
  EXPECT_TRUE(says(step, "2 requests were still open at the cool-down limit"));
}

TEST(Verdict, ARefusedConnectionIsNotTheClientsFault) {
  FakeReader reader;
  reader.add_step(0, 10'000, 20);
  add_plain(reader, 200, 20);
  for (record::RequestRow& row : reader.requests[1]) {
    if (row.index % 2 == 0) continue;
    RequestBuilder request(row.index * 50.0);
    request.failed(Ending::kConnectFailed, "connection refused", 1, 0);
    request.exchanged().connect_started = row.planned;
    request.exchanged().sent = kNever;
    const auto index = row.index;
    row = request;
    row.index = index;
  }
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.sent, 100U);
  EXPECT_EQ(step.label, Label::kSuspect);
  EXPECT_TRUE(says(step, "100 of 200 requests failed (50.0 %), most often: connection refused"));
  EXPECT_FALSE(says(step, "client"));
}

TEST(Verdict, ASlowHandshakeIsNotLateness) {
  FakeReader reader;
  reader.add_step(0, 10'000, 20);
  add_plain(reader, 200, 20, 15);
  for (record::RequestRow& row : reader.requests[1]) {
    row.exchanged.connect_started = row.planned;
    row.exchanged.connected = row.exchanged.sent;
  }
  const JudgedStep step = reader.judged_step();
  EXPECT_DOUBLE_EQ(*step.lateness.p50, 15);
  EXPECT_DOUBLE_EQ(*step.connect.p50, 15);
  EXPECT_EQ(step.connections_opened, 200U);
  EXPECT_FALSE(says(step, "sent late"));
  EXPECT_EQ(step.label, Label::kSuspect);
  EXPECT_TRUE(says(step, "200 of 200 requests opened a connection inside the window (100.0 %)"));
}

// Request i of a server that completes `served_rate` a second, one after the other.
JudgedStep overloaded(double seconds, double rate, double served_rate) {
  FakeReader reader;
  reader.add_step(0, seconds * 1000, rate);
  for (int i = 0; i < seconds * rate; ++i) {
    const double planned = i * 1000 / rate;
    const double done = (i + 1) * 1000 / served_rate;
    const double took = std::max(done - planned, 1000 / served_rate);
    reader.add(RequestBuilder(planned).tokens({took - 1, took}).usage(5, 2));
  }
  return reader.judged_step();
}

TEST(Verdict, AServerThatServesLessThanNineTenthsIsSaturated) {
  const JudgedStep step = overloaded(60, 10, 8);
  EXPECT_EQ(step.label, Label::kSaturated);
  EXPECT_TRUE(says(step, "10.00/s arrived and 8.00/s were served"));
  EXPECT_TRUE(says(step, "the length of the window (60 s)"));
}

TEST(Verdict, BothRulesTogetherNeedTwoMinutes) {
  EXPECT_EQ(overloaded(60, 20, 18.6).label, Label::kSuspect);
  EXPECT_EQ(overloaded(120, 20, 18.6).label, Label::kSaturated);
}

TEST(Verdict, AServerThatKeepsUpIsNotSaturated) {
  EXPECT_EQ(overloaded(120, 10, 12).label, Label::kSteady);
}

TEST(Verdict, AQueueThatFillsOnceAtTheBeginningIsNotOverload) {
  FakeReader reader;
  reader.add_step(0, 10'000, 20);
  add_plain(reader, 200, 20, 0, 2000);  // 40 in flight at the end: 160 of 200 served
  EXPECT_EQ(reader.judged_step().label, Label::kSteady);
}

TEST(Verdict, AWindowShorterThanTheAnswersTellsNothingOfSaturation) {
  FakeReader reader;
  reader.add_step(0, 500, 10);
  add_plain(reader, 5, 10, 0, 600);  // none of the five can end inside half a second
  EXPECT_EQ(reader.judged_step().label, Label::kSteady);
}

TEST(Verdict, AFewRequestsMoreInFlightAreChance) {
  FakeReader reader;
  reader.add_step(0, 3000, 5);
  add_plain(reader, 13, 5, 0, 100);
  for (const double planned : {2600.0, 2800.0}) {
    reader.add(RequestBuilder(planned).tokens({300, 500}).usage(5, 2));
  }
  EXPECT_EQ(reader.judged_step().label, Label::kSteady);
}

TEST(Verdict, RefusalsAreLoadThatWasNotServed) {
  FakeReader reader;
  reader.add_step(0, 10'000, 20);
  for (int i = 0; i < 200; ++i) {
    RequestBuilder request(i * 50.0);
    if (i % 4 == 0) {
      request.failed(Ending::kHttpError, "HTTP 503: queue full", 1, 503);
    } else {
      request.tokens({10, 20}).usage(5, 2);
    }
    reader.add(request);
  }
  EXPECT_EQ(reader.judged_step().label, Label::kSaturated);
  for (record::RequestRow& row : reader.requests[1]) {
    if (row.exchanged.http_status == 503) row.exchanged.http_status = 401;
  }
  EXPECT_EQ(reader.judged_step().label, Label::kSuspect);
}

TEST(Verdict, AClosedLoopIsNeverSaturated) {
  FakeReader reader;
  reader.add_closed(0, 1000, 4);
  for (int i = 0; i < 40; ++i) reader.add(RequestBuilder(10.0 * i).cut(1000));
  for (int i = 0; i < 4; ++i) reader.add(RequestBuilder(100.0 * i).tokens({50, 90}).usage(5, 2));
  EXPECT_EQ(reader.judged_step().label, Label::kSteady);
}

TEST(Verdict, AStepWithoutOneGoodRequestHasFailed) {
  FakeReader reader;
  reader.add_step(0, 1000, 3);
  for (int i = 0; i < 3; ++i) {
    reader.add(RequestBuilder(i * 300.0).failed(Ending::kHttpError, "HTTP 500: no", 5, 500));
  }
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.label, Label::kFailed);
  EXPECT_TRUE(says(step, "HTTP 500: no (3 of 3)"));
  EXPECT_FALSE(says(step, "P99 is indicative"));
  EXPECT_FALSE(step.ttft.p50);
  EXPECT_DOUBLE_EQ(*step.completed_rate, 0);
}

TEST(Verdict, AStepWithoutAnyRequestHasFailed) {
  FakeReader reader;
  record::StepRow& row = reader.add_step(0, 1000, 3);
  row.finished = false;
  row.begin = row.window_begin = row.window_end = row.end = kNever;
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.label, Label::kFailed);
  EXPECT_DOUBLE_EQ(step.window_s, 0);
  EXPECT_FALSE(step.completed_rate);
}

TEST(Verdict, AFewRequestsMakeP99Indicative) {
  for (const int count : {99, 100}) {
    FakeReader reader;
    reader.add_step(0, count * 50.0, 20);
    add_plain(reader, count, 20);
    EXPECT_EQ(says(reader.judged_step(), "only 99 requests: P99 is indicative"), count < 100);
    EXPECT_EQ(reader.judged_step().reasons.empty(), count >= 100);
  }
}

TEST(Verdict, O33_CachedInputIsSaid) {
  FakeReader reader;
  reader.add_step(0, 1000, 1);
  RequestBuilder request(0);
  request.tokens({100, 110}).usage(1000, 2);
  request.exchanged().cached_tokens = 900;
  reader.add(request);
  const JudgedStep step = reader.judged_step();
  EXPECT_DOUBLE_EQ(*step.cached_input_share, 0.9);
  EXPECT_TRUE(says(step, "cached input 90.0 %"));
}

TEST(Verdict, ManyMergedReadsAreSaid) {
  RequestBuilder request(0);
  request.tokens({10, 20, 30, 40, 50, 60, 70, 80, 90, 100}).usage(5, 10);
  for (const std::uint32_t merged : {0U, 1U}) {
    request.exchanged().merged_reads = merged;
    FakeReader reader;
    reader.add_step(0, 1000, 1);
    reader.add(request);
    const JudgedStep step = reader.judged_step();
    EXPECT_DOUBLE_EQ(*step.merged_read_share, merged / 10.0);
    EXPECT_EQ(says(step, "10.0 % of reads held more than one token event"), merged > 0);
  }
}

TEST(Verdict, AnAnswerInOnePieceHasNoTpotAndIsSaid) {
  FakeReader reader;
  reader.add_step(0, 1000, 1);
  reader.add(RequestBuilder(0).tokens({100}).usage(5, 20));
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.tpot.count, 0U);
  EXPECT_TRUE(says(step, "1 of 1 answers came in one piece"));
}

}  // namespace
}  // namespace evenbench::judge
