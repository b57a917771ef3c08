#include "judge/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using ::testing::ElementsAre;
using testing::ended;
using testing::every;
using testing::FakeReader;
using testing::RequestBuilder;
using testing::says;
using ::testing::SizeIs;
using testing::step_of;

TEST(Judge, O01_TtftCountsToTheFirstTokenAndNotToTheRole) {
  RequestBuilder request(0);
  request.tokens({120, 130, 140}).usage(8, 3);
  request.exchanged().first_event = testing::stamp_ms(5);
  const JudgedStep step = step_of(request);
  EXPECT_DOUBLE_EQ(*step.ttft.p50, 120);
  EXPECT_EQ(step.itl.count, 2U);
  EXPECT_DOUBLE_EQ(*step.itl.min, 10);
  EXPECT_DOUBLE_EQ(*step.itl.max, 10);
  EXPECT_DOUBLE_EQ(*step.tpot.p50, 10);
  EXPECT_DOUBLE_EQ(*step.e2e.p50, 140);
}

TEST(Judge, O02_FirstContentIsApartFromTheFirstTokenOfReasoning) {
  RequestBuilder request(0);
  request.tokens({100, 110, 120, 130, 140}).usage(8, 5);
  request.exchanged().first_content = testing::stamp_ms(130);
  request.exchanged().reasoning_tokens = 3;
  const JudgedStep step = step_of(request);
  EXPECT_DOUBLE_EQ(*step.ttft.p50, 100);
  EXPECT_DOUBLE_EQ(*step.first_content.p50, 130);
  EXPECT_DOUBLE_EQ(*step.tpot.p50, 10);
  EXPECT_EQ(step.output_tokens, 5U);
  EXPECT_EQ(step.reasoning_tokens, 3U);
}

TEST(Judge, O03_AnEmptyAnswerIsAFailureWithoutLatency) {
  FakeReader reader;
  reader.add_step(0, 1000, 3);
  reader.add(RequestBuilder(0).tokens({200, 220}).usage(9, 2));
  reader.add(RequestBuilder(300).failed(Ending::kEmpty, "empty output", 60));
  reader.add(RequestBuilder(600).tokens({300, 330}).usage(9, 2));
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.ttft.count, 2U);
  EXPECT_DOUBLE_EQ(*step.ttft.mean, 250);
  EXPECT_DOUBLE_EQ(*step.ttft.min, 200);
  EXPECT_DOUBLE_EQ(*step.tpot.mean, 25);
  EXPECT_EQ(step.good, 2U);
  EXPECT_EQ(step.failed, 1U);
  EXPECT_EQ(ended(step, Ending::kEmpty), 1U);
  ASSERT_THAT(step.failures, SizeIs(1));
  EXPECT_EQ(step.failures[0].detail, "empty output");
  EXPECT_DOUBLE_EQ(*step.ttft.with_failures->p50, 300);
  EXPECT_TRUE(std::isinf(*step.ttft.with_failures->p99));
}

TEST(Judge, O04_AnAnswerThatIsNotStreamedHasNoTtft) {
  const JudgedStep step = step_of(RequestBuilder(0).whole(800).usage(8, 40));
  EXPECT_DOUBLE_EQ(*step.e2e.p50, 800);
  for (const Distribution* none : {&step.ttft, &step.tpot, &step.itl, &step.chunk_gap}) {
    EXPECT_EQ(none->count, 0U);
    EXPECT_FALSE(none->p50);
    EXPECT_FALSE(none->with_failures);
  }
  EXPECT_DOUBLE_EQ(*step.request_output_rate.p50, 50);
  EXPECT_DOUBLE_EQ(*step.output_tokens_per_s, 40);
  EXPECT_TRUE(says(step, "not streamed"));
}

TEST(Judge, O05_TheFirstGapIsNotAnItl) {
  const JudgedStep step = step_of(RequestBuilder(0).tokens({500, 520, 540, 560}).usage(8, 4));
  EXPECT_EQ(step.itl.count, 3U);
  EXPECT_DOUBLE_EQ(*step.itl.mean, 20);
  EXPECT_DOUBLE_EQ(*step.itl.max, 20);
  EXPECT_DOUBLE_EQ(*step.itl.mean * 3, *step.e2e.p50 - *step.ttft.p50);
}

TEST(Judge, O06_UncountedEventsOfSeveralTokensGiveChunkGapsAndNoItl) {
  const JudgedStep step = step_of(RequestBuilder(0).tokens({100, 140, 180}).usage(5, 9));
  EXPECT_EQ(step.itl.count, 0U);
  EXPECT_EQ(step.chunk_gap.count, 2U);
  EXPECT_DOUBLE_EQ(*step.chunk_gap.min, 40);
  EXPECT_DOUBLE_EQ(*step.chunk_gap.max, 40);
  EXPECT_DOUBLE_EQ(*step.tpot.p50, 10);
  EXPECT_DOUBLE_EQ(*step.request_output_rate.p50, 50);
  EXPECT_DOUBLE_EQ(*step.tokens_per_event, 3);
  EXPECT_TRUE(says(step, "chunk gaps"));
}

TEST(Judge, O06_CountedEventsOfSeveralTokensGiveOneItlPerToken) {
  const JudgedStep step =
      step_of(RequestBuilder(0).tokens({100, 140, 180}).counts({1, 4, 4}).usage(5, 9));
  EXPECT_EQ(step.itl.count, 8U);
  EXPECT_DOUBLE_EQ(*step.itl.min, 10);
  EXPECT_DOUBLE_EQ(*step.itl.max, 10);
  EXPECT_EQ(step.chunk_gap.count, 2U);
}

TEST(Judge, O06_OneAnswerWithUncountedEventsLeavesTheStepWithoutItl) {
  FakeReader reader;
  reader.add_step(0, 1000, 2);
  reader.add(RequestBuilder(0).tokens({10, 20}).usage(5, 2));
  reader.add(RequestBuilder(500).tokens({10, 20}).usage(5, 8));
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.itl.count, 0U);
  EXPECT_EQ(step.chunk_gap.count, 2U);
  EXPECT_TRUE(says(step, "not known for 1 of 2 answers"));
}

TEST(Judge, O07_ALateUsageEventDoesNotStretchTheRequest) {
  const JudgedStep step =
      step_of(RequestBuilder(0).tokens({100, 110, 120}).usage(5, 3).closed(400));
  EXPECT_DOUBLE_EQ(*step.e2e.p50, 120);
  EXPECT_DOUBLE_EQ(*step.tpot.p50, 10);
}

TEST(Judge, O07_ARequestIsCompletedAtItsLastTokenNotAtItsClose) {
  const JudgedStep step =
      step_of(RequestBuilder(0).tokens({880, 890, 900}).usage(5, 3).closed(1400));
  EXPECT_DOUBLE_EQ(*step.completed_rate, 1);
  EXPECT_DOUBLE_EQ(*step.output_tokens_per_s_completed, 3);
  EXPECT_THAT(step.series.completed_per_s, ElementsAre(1, 0));
}

TEST(Judge, O08_AnAnswerOfOneTokenHasNoTpot) {
  FakeReader reader;
  reader.add_step(0, 1000, 3);
  reader.add(RequestBuilder(0).tokens({90}).usage(5, 1));
  reader.add(RequestBuilder(300).tokens({100, 112}).usage(5, 2));
  reader.add(RequestBuilder(600).failed(Ending::kEmpty, "empty body", 0));
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.ttft.count, 2U);
  EXPECT_DOUBLE_EQ(*step.ttft.min, 90);
  EXPECT_EQ(step.tpot.count, 1U);
  EXPECT_DOUBLE_EQ(*step.tpot.mean, 12);
  EXPECT_EQ(step.itl.count, 1U);
  EXPECT_EQ(step.request_output_rate.count, 2U);
}

TEST(Judge, O10_ReasoningTokensArePartOfTheTotal) {
  RequestBuilder request(0);
  request.tokens({100, 200}).usage(8, 100);
  request.exchanged().reasoning_tokens = 80;
  const JudgedStep step = step_of(request);
  EXPECT_EQ(step.output_tokens, 100U);
  EXPECT_EQ(step.reasoning_tokens, 80U);
}

TEST(Judge, O10_RunningCountsAreNotSummedUp) {
  RequestBuilder request(0);
  request.tokens({100, 110, 120}).counts({1, 1, 1}).usage(8, 3);
  request.exchanged().source = TokenSource::kRunningUsage;
  const JudgedStep step = step_of(request);
  EXPECT_EQ(step.output_tokens, 3U);
  EXPECT_EQ(step.token_sources.at("running_usage"), 1U);
}

TEST(Judge, O11_AnAnswerShorterThanAskedIsCountedAsItCameAndSaid) {
  FakeReader reader;
  reader.add_step(0, 2000, 5);
  for (int i = 0; i < 10; ++i) {
    RequestBuilder request(i * 180.0);
    request.tokens(every(5, 37)).usage(8, 37).asked(8, 128);
    request.exchanged().finish_reason = "stop";
    reader.add(request);
  }
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.output_tokens, 370U);
  EXPECT_DOUBLE_EQ(*step.output_tokens_per_s, 185);
  EXPECT_DOUBLE_EQ(*step.output_tokens_per_s_completed, 185);
  EXPECT_NEAR(*step.achieved_output_share, 0.289, 0.0001);
  EXPECT_TRUE(says(step, "length not honoured: 370 output tokens for 1280 asked (28.9 %)"));
}

TEST(Judge, O11_AServerThatStopsAtItsOwnLimitIsFlagged) {
  RequestBuilder request(0);
  request.tokens(every(10, 16)).usage(8, 16).asked(8, 64);
  request.exchanged().finish_reason = "length";
  const JudgedStep step = step_of(request);
  EXPECT_TRUE(says(step, "length not honoured"));
  EXPECT_TRUE(says(step, "output_field"));
}

TEST(Judge, O12_BothCountsOfTheInputAppearAndRatesUseTheServers) {
  const JudgedStep step = step_of(RequestBuilder(0).tokens({100, 110}).usage(108, 2).asked(100, 2));
  EXPECT_EQ(step.input_asked, 100U);
  EXPECT_EQ(step.input_tokens, 108U);
  EXPECT_DOUBLE_EQ(*step.input_tokens_per_s, 108);
  EXPECT_TRUE(says(step, "108 tokens by the server's count for 100 asked"));
}

TEST(Judge, O13_AnErrorInsideTheStreamIsNoSuccess) {
  FakeReader reader;
  reader.add_step(0, 10'000, 1);
  for (int i = 0; i < 9; ++i) {
    reader.add(RequestBuilder(i * 1000.0).tokens(every(9, 100)).usage(5, 100));
  }
  reader.add(RequestBuilder(9000).tokens({50, 60}).failed(
      Ending::kStreamError, "in-stream error 500: engine stopped", 70));
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.good, 9U);
  EXPECT_EQ(step.failed, 1U);
  EXPECT_EQ(step.output_tokens, 900U);
  EXPECT_DOUBLE_EQ(*step.output_tokens_per_s, 90);
  EXPECT_DOUBLE_EQ(*step.output_tokens_per_s_completed, 90);
  EXPECT_EQ(step.ttft.count, 9U);
  EXPECT_DOUBLE_EQ(*step.e2e.min, 900);
  EXPECT_EQ(step.failures.at(0).detail, "in-stream error 500: engine stopped");
  EXPECT_TRUE(says(step, "1 of 10 requests failed (10.0 %)"));
  EXPECT_TRUE(says(step, "2 token events of failed requests"));
}

TEST(Judge, O14_ACutConnectionLeavesTheOthersAsTheyAre) {
  FakeReader reader;
  reader.add_step(0, 1000, 2);
  reader.add(RequestBuilder(0)
                 .tokens({100, 110})
                 .failed(Ending::kReset, "transport: body incomplete", 300));
  reader.add(RequestBuilder(500).tokens({100, 110}).usage(5, 2));
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(ended(step, Ending::kReset), 1U);
  EXPECT_EQ(step.failures.at(0).detail, "transport: body incomplete");
  EXPECT_DOUBLE_EQ(*step.failures.at(0).first_seen_s, 0.3);
  EXPECT_DOUBLE_EQ(*step.failed_after.max, 300);
  EXPECT_EQ(step.e2e.count, 1U);
  EXPECT_DOUBLE_EQ(*step.e2e.max, 110);
}

// The window is the one that the step recorded, and it is part of the result.
TEST(Judge, O16_FailuresStayOutOfTheLatenciesAndTheWindowIsNamed) {
  for (const auto& [window_ms, rate] : {std::pair{3000.0, 10.0}, std::pair{60'000.0, 0.5}}) {
    FakeReader reader;
    reader.add_step(0, window_ms, 4 / (window_ms / 1000));
    int i = 0;
    for (const double ttft : {100.0, 110.0, 120.0}) {
      std::vector<double> tokens;
      for (int k = 0; k < 10; ++k) tokens.push_back(ttft + 100 * k);
      reader.add(RequestBuilder(900.0 * i++).tokens(tokens).usage(5, 10));
    }
    reader.add(RequestBuilder(0).failed(Ending::kTimedOut, "timeout", 60'000, 0));
    const JudgedStep step = reader.judged_step();
    EXPECT_EQ(step.ttft.count, 3U);
    EXPECT_DOUBLE_EQ(*step.ttft.mean, 110);
    EXPECT_LT(*step.e2e.max, 2000);
    EXPECT_DOUBLE_EQ(*step.failed_after.max, 60'000);
    EXPECT_TRUE(says(step, "1 of 4 requests failed (25.0 %)"));
    EXPECT_DOUBLE_EQ(*step.output_tokens_per_s, rate);
    EXPECT_DOUBLE_EQ(step.window_s, window_ms / 1000);
  }
}

TEST(Judge, O37_PercentilesAreOfTheSamplesAndNeverBeyondThem) {
  const JudgedStep one = step_of(RequestBuilder(0).tokens({575}).usage(5, 1));
  for (const auto& p : {one.ttft.min, one.ttft.p50, one.ttft.p99, one.ttft.max}) {
    EXPECT_DOUBLE_EQ(*p, 575);
  }
  FakeReader reader;
  reader.add_step(0, 1000, 3);
  for (const double ttft : {147.0, 3432.0, 58'760.0}) {
    reader.add(RequestBuilder(0).tokens({ttft}).usage(5, 1));
  }
  const JudgedStep step = reader.judged_step();
  EXPECT_DOUBLE_EQ(*step.ttft.p50, 3432);
  EXPECT_NEAR(*step.ttft.p99, 57'653.44, 1e-6);
  EXPECT_DOUBLE_EQ(*step.ttft.max, 58'760);
  ASSERT_THAT(step.ttft_cdf_ms, SizeIs(101));
  EXPECT_DOUBLE_EQ(step.ttft_cdf_ms.front(), 147);
  EXPECT_DOUBLE_EQ(step.ttft_cdf_ms.back(), 58'760);
}

}  // namespace
}  // namespace evenbench::judge
