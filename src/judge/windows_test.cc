// What counts inside a window, and what of the requests that it cuts.
#include "judge/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using testing::at_ms;
using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::ended;
using testing::every;
using testing::FakeReader;
using testing::RequestBuilder;
using testing::says;
using ::testing::SizeIs;
using testing::step_of;

TEST(Windows, O31_AClosedLoopCountsCompletionsPerSecond) {
  FakeReader reader;
  reader.add_closed(0, 1000, 2);
  reader.add(RequestBuilder(0).tokens({100}).usage(5, 1));
  reader.add(RequestBuilder(0).tokens({900}).usage(5, 1));
  reader.add(RequestBuilder(100).tokens({900}).usage(5, 1).sent(101));
  reader.add(RequestBuilder(900).tokens({100}).usage(5, 1));
  const JudgedStep step = reader.judged_step();
  EXPECT_DOUBLE_EQ(*step.completed_rate, 4);
  EXPECT_EQ(step.concurrency, 2U);
  EXPECT_LT(*step.lateness.p50, 5);
  EXPECT_THAT(step.series.in_flight, ElementsAre(DoubleNear(2, 0.01)));
}

TEST(Windows, O35_TokensOfRequestsCutAtTheEndCount) {
  FakeReader reader;
  reader.add_closed(0, 10'000, 2);
  for (int user = 0; user < 2; ++user) {
    for (const double begin : {0.0, 4000.0}) {
      reader.add(RequestBuilder(begin).tokens(every(100, 40)).usage(5, 40));
    }
    reader.add(RequestBuilder(8000).tokens(every(100, 20)).cut(10'000));
  }
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.good, 4U);
  EXPECT_EQ(step.failed, 0U);
  EXPECT_EQ(ended(step, Ending::kCutAtEnd), 2U);
  EXPECT_DOUBLE_EQ(*step.output_tokens_per_s, 20);
  EXPECT_DOUBLE_EQ(*step.output_tokens_per_s_completed, 16);
  EXPECT_EQ(step.e2e.count, 4U);
  EXPECT_DOUBLE_EQ(*step.e2e.with_failures->p99, 4000);
  EXPECT_THAT(step.series.tokens_per_s, SizeIs(10));
  EXPECT_THAT(step.series.tokens_per_s, Each(DoubleEq(20)));
  EXPECT_TRUE(says(step, "2 requests were still open when the time was over"));
}

TEST(Windows, TokensOfACutStreamAreWorthAsManyAsThoseOfWholeOnes) {
  FakeReader reader;
  reader.add_closed(0, 1000, 2);
  reader.add(RequestBuilder(0).tokens({100, 200}).usage(5, 6));
  reader.add(RequestBuilder(500).tokens({100, 200, 300, 400}).cut(1000));
  EXPECT_DOUBLE_EQ(*reader.judged_step().output_tokens_per_s, 6 + 4 * 3);
}

TEST(Windows, TokensThatNobodyCountsGiveNoRate) {
  const JudgedStep step = step_of(RequestBuilder(0).tokens({100, 200}));
  EXPECT_FALSE(step.output_tokens_per_s);
  EXPECT_FALSE(step.output_tokens_per_s_completed);
  EXPECT_FALSE(step.input_tokens_per_s);
  EXPECT_EQ(step.tpot.count, 0U);
  EXPECT_TRUE(step.series.tokens_per_s.empty());
  EXPECT_TRUE(says(step, "output tokens of 1 of 1 answers are not known"));
}

TEST(Windows, OpenAtTheCoolDownLimitCountsAsInfinitelySlow) {
  FakeReader reader;
  reader.add_step(0, 1000, 2);
  reader.add(RequestBuilder(0).tokens({100, 110}).usage(5, 2));
  reader.add(RequestBuilder(500).tokens({100}).cut(60'000));
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.failed, 0U);
  EXPECT_DOUBLE_EQ(*step.e2e.p99, 110);
  EXPECT_TRUE(std::isinf(*step.e2e.with_failures->p99));
  EXPECT_TRUE(says(step, "still open at the cool-down limit"));
}

TEST(Windows, AnInterruptedStepHoldsItsCutRequestsAgainstNobody) {
  FakeReader reader;
  record::StepRow& row = reader.add_step(0, 10'000, 2);
  row.finished = false;
  row.note = "interrupted";
  reader.add(RequestBuilder(0).tokens({100, 110}).usage(5, 2));
  reader.add(RequestBuilder(500).tokens({100}).cut(2000));
  reader.step_rows[0].end = at_ms(2000);
  const JudgedStep step = reader.judged_step();
  EXPECT_DOUBLE_EQ(*step.e2e.with_failures->p99, 110);
  EXPECT_DOUBLE_EQ(step.window_s, 2);
  EXPECT_DOUBLE_EQ(*step.completed_rate, 0.5);
  EXPECT_EQ(step.label, Label::kSuspect);
  EXPECT_TRUE(says(step, "did not run to its end (interrupted); 1 open requests were cut"));
}

TEST(Windows, OnlyTheCohortHasLatenciesButTheWholeStepHasTokens) {
  FakeReader reader;
  record::StepRow& row = reader.add_step(0, 2000, 1);
  row.window_begin = at_ms(1000);
  reader.add(RequestBuilder(500).tokens({400, 600}).usage(5, 2).phase(Phase::kWarmup));
  reader.add(RequestBuilder(1500).tokens({100, 200}).usage(5, 2));
  reader.add(RequestBuilder(2000).tokens({100, 200}).usage(5, 2).phase(Phase::kCooldown));
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.good, 1U);
  EXPECT_DOUBLE_EQ(*step.ttft.max, 100);
  EXPECT_DOUBLE_EQ(*step.output_tokens_per_s, 3);
  EXPECT_DOUBLE_EQ(*step.completed_rate, 2);
  EXPECT_DOUBLE_EQ(*step.output_tokens_per_s_completed, 4);
  EXPECT_THAT(step.series.completed_per_s, ElementsAre(0, 2, 1));
  EXPECT_THAT(step.series.sent_per_s, ElementsAre(1, 1, 1));
}

}  // namespace
}  // namespace evenbench::judge
