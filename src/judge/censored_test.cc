// Reads that held several token events: what may be said of the instants of those.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using testing::every;
using testing::FakeReader;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::RequestBuilder;
using testing::says;
using testing::step_of;

TEST(Censored, AServerThatFlushesSeveralEventsPerWriteHasNoGapsAndStillATpot) {
  RequestBuilder request(0);
  // Two events at a time, every 20 ms: the truth is 10 ms a token, the reads say 0 and 20.
  request.tokens({20, 20, 40, 40, 60, 60}).usage(5, 6).merged({0, 1, 2, 3, 4, 5});
  const JudgedStep step = step_of(request);
  EXPECT_EQ(step.itl.count, 0U);
  EXPECT_EQ(step.chunk_gap.count, 0U);
  EXPECT_FALSE(step.itl.p50);
  EXPECT_DOUBLE_EQ(*step.tpot.p50, 8);
  EXPECT_DOUBLE_EQ(*step.censored_event_share, 1);
  EXPECT_DOUBLE_EQ(*step.censored_first_token_share, 1);
  EXPECT_THAT(step.no_gaps_because, HasSubstr("100.0 % of the gaps"));
  EXPECT_TRUE(says(step, "no ITL and no chunk gaps: 100.0 %"));
  EXPECT_TRUE(says(step, "100.0 % of first tokens were read together with later ones"));
}

TEST(Censored, AGapIsTakenOnlyBetweenTwoEventsThatWereReadAlone) {
  // 101 events a millisecond apart, but for the last two, which one read held.
  std::vector<double> at = every(1, 100);
  at.push_back(100);
  RequestBuilder request(0);
  request.tokens(at).usage(5, 101).merged({99, 100});
  const JudgedStep step = step_of(request);
  EXPECT_EQ(step.instants.gaps, 100U);
  EXPECT_EQ(step.instants.gaps_left_out, 2U);
  EXPECT_EQ(step.itl.count, 98U);
  EXPECT_EQ(step.chunk_gap.count, 98U);
  EXPECT_DOUBLE_EQ(*step.itl.min, 1);
  EXPECT_DOUBLE_EQ(*step.censored_event_share, 2.0 / 101);
  EXPECT_DOUBLE_EQ(*step.censored_first_token_share, 0);
  EXPECT_THAT(step.no_gaps_because, IsEmpty());
}

TEST(Censored, FivePercentOfTheGapsMayBeLeftOutAndNotMore) {
  for (const std::size_t gaps : {40U, 39U}) {
    RequestBuilder request(0);
    request.tokens(every(1, static_cast<int>(gaps) + 1))
        .usage(5, static_cast<std::uint32_t>(gaps) + 1)
        .merged({10});
    const JudgedStep step = step_of(request);
    EXPECT_EQ(step.instants.gaps_left_out, 2U);
    EXPECT_EQ(step.itl.count, gaps == 40 ? 38U : 0U) << gaps;
    EXPECT_EQ(step.no_gaps_because.empty(), gaps == 40) << gaps;
  }
}

TEST(Censored, GapsBetweenTheKernelsAndTheProgramsInstantAreLeftOut) {
  for (const StampChoice asked : {StampChoice::kKernel, StampChoice::kUser}) {
    RequestBuilder request(0);
    request.tokens(every(10, 50)).usage(5, 50).kernel(5);
    request.exchanged().tokens[20].at.kernel = kNever;
    FakeReader reader;
    reader.run_row.stamp = asked;
    reader.add_step(0, 1000, 1);
    reader.add(request);
    const JudgedStep step = reader.judged_step();
    const bool kernel = asked == StampChoice::kKernel;
    EXPECT_EQ(step.itl.count, kernel ? 47U : 49U);
    EXPECT_DOUBLE_EQ(*step.itl.max, 10);
    EXPECT_EQ(step.instants.instants, 50U);
    EXPECT_EQ(step.instants.kernel_stamped, 49U);
    EXPECT_EQ(step.instants.by_program, kernel ? 1U : 0U);
    EXPECT_EQ(step.instants.first_tokens_stamped, 1U);
  }
}

TEST(Censored, AnAnswerThatIsNotStreamedHasNoEventsToCensor) {
  const JudgedStep step = step_of(RequestBuilder(0).whole(800).usage(8, 40));
  EXPECT_FALSE(step.censored_event_share);
  EXPECT_FALSE(step.censored_first_token_share);
  EXPECT_EQ(step.instants.instants, 1U);
  EXPECT_THAT(step.no_gaps_because, IsEmpty());
}

// Case O-34: what a step holds of its gaps does not grow with them.
TEST(Censored, O34_AStepOfManyGapsSaysThatTheyAreFromAHistogram) {
  FakeReader reader;
  reader.add_step(0, 1000, 600);
  for (int i = 0; i < 600; ++i) reader.add(RequestBuilder(i).tokens(every(1, 500)).usage(5, 500));
  const JudgedStep step = reader.judged_step();
  EXPECT_EQ(step.itl.count, 600U * 499U);
  ASSERT_TRUE(step.itl.relative_error);
  EXPECT_LE(*step.itl.relative_error, 0.01);
  EXPECT_NEAR(*step.itl.p99, 1.0, 0.01);
  EXPECT_FALSE(step.ttft.relative_error);
}

}  // namespace
}  // namespace evenbench::judge
