#include "judge/engine_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using testing::at_ms;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Eq;
using testing::FakeReader;
using ::testing::IsEmpty;
using ::testing::Optional;
using testing::RequestBuilder;

constexpr auto kNothing = std::nullopt;

class Sampled : public FakeReader {
 public:
  Sampled() { add_step(0, 4000, 1); }
  Sampled& sample(const char* moment, double ms, const char* metric, double value) {
    engine_sample_rows.push_back({1, step_rows.back().id, at_ms(ms), moment, metric, "x", value});
    return *this;
  }
  Sampled& counted(const char* metric, double before, double after) {
    return sample("before", -10, metric, before).sample("after", 4100, metric, after);
  }
  [[nodiscard]] EngineSide side() const { return judged_step().engine; }
};

TEST(EngineSide, ACounterIsWhatItGrewByOverTheStep) {
  Sampled run;
  run.counted("generation_tokens", 100, 350).counted("preemptions", 4, 7);
  run.counted("requests_finished", 2, 12);
  EXPECT_THAT(run.side().generation_tokens, Optional(250.0));
  EXPECT_THAT(run.side().preemptions, Optional(3.0));
  EXPECT_THAT(run.side().requests_finished, Optional(10.0));
  EXPECT_THAT(run.side().prompt_tokens, Eq(kNothing));
}

TEST(EngineSide, ACounterThatWasNotShownYetBeganAtNought) {
  Sampled run;
  run.counted("generation_tokens", 0, 10).sample("after", 4100, "requests_refused", 3);
  EXPECT_THAT(run.side().requests_refused, Optional(3.0));
}

TEST(EngineSide, WithoutALookBeforeNothingIsKnownOfACounter) {
  Sampled run;
  run.sample("after", 4100, "generation_tokens", 500);
  EXPECT_THAT(run.side().generation_tokens, Eq(kNothing));
}

TEST(EngineSide, ACounterThatWentDownTellsNothing) {
  Sampled run;
  run.counted("generation_tokens", 500, 20);
  EXPECT_THAT(run.side().generation_tokens, Eq(kNothing));
}

TEST(EngineSide, AStepThatWasNotLookedAtHasNothing) {
  Sampled run;
  run.add(RequestBuilder(0).tokens({100}).usage(5, 1));
  EXPECT_EQ(run.side().looks, 0U);
  EXPECT_THAT(run.side().generation_tokens, Eq(kNothing));
  EXPECT_THAT(run.side().output_difference(), Eq(kNothing));
  EXPECT_THAT(run.judged_step().series.waiting, IsEmpty());
}

TEST(EngineSide, GaugesStandInTheSecondInWhichTheyWereSeen) {
  Sampled run;
  for (const auto& [ms, waiting] : {std::pair{900.0, 3.0}, {1100.0, 8.0}, {3500.0, 2.0}}) {
    run.sample("during", ms, "requests_waiting", waiting)
        .sample("during", ms, "kv_cache_usage", 0.5);
  }
  run.sample("during", 9000, "requests_waiting", 1);
  const JudgedStep step = run.judged_step();
  EXPECT_THAT(step.series.waiting,
              ElementsAre(Optional(3.0), Optional(8.0), Eq(kNothing), Optional(2.0)));
  EXPECT_THAT(step.series.running, IsEmpty());
  EXPECT_THAT(step.engine.waiting_max, Optional(8.0));
  EXPECT_THAT(step.engine.kv_cache_usage_max, Optional(0.5));
  EXPECT_EQ(step.engine.looks, 4U);
}

TEST(EngineSide, TheHitRateIsOfThisStepWhereTheEngineCounts) {
  Sampled run;
  run.counted("prefix_query_tokens", 1000, 3000).counted("prefix_hit_tokens", 900, 1000);
  run.counted("cache_hit_rate", 0.9, 0.33);
  EXPECT_THAT(run.side().cache_hit_rate, Optional(DoubleNear(0.05, 1e-12)));
}

TEST(EngineSide, ElseItIsTheEnginesOwnFigure) {
  Sampled run;
  run.counted("prefix_query_tokens", 1000, 3000).counted("cache_hit_rate", 0.9, 0.33);
  EXPECT_THAT(run.side().cache_hit_rate, Optional(0.33));
}

TEST(EngineSide, MeansAreOfWhatWasAddedDuringTheStep) {
  Sampled run;
  run.counted("queue_time_sum", 1, 3).counted("queue_time_count", 10, 30);
  run.counted("ttft_sum", 1, 1).counted("ttft_count", 7, 7);
  EXPECT_THAT(run.side().queue_time_mean_ms, Optional(100.0));
  EXPECT_THAT(run.side().ttft_mean_ms, Eq(kNothing));
}

TEST(EngineSide, TheClientsSumIsOfEveryRequestOfTheStep) {
  Sampled run;
  run.add(RequestBuilder(-500).tokens({100, 200}).usage(10, 2).phase(Phase::kWarmup));
  run.add(RequestBuilder(100).tokens({100, 200, 300}).usage(20, 4));
  run.add(RequestBuilder(200).failed(Ending::kHttpError, "HTTP 503", 5, 503));
  run.counted("generation_tokens", 0, 6).counted("prompt_tokens", 0, 33);
  const EngineSide side = run.side();
  EXPECT_EQ(side.client_output_tokens, 6U);
  EXPECT_EQ(side.client_prompt_tokens, 30U);
  EXPECT_EQ(side.client_uncounted, 0U) << "the engine counts nothing of what it refused";
  EXPECT_THAT(side.output_difference(), Optional(0.0));
  EXPECT_THAT(side.prompt_difference(), Optional(DoubleNear(0.1, 1e-12)));
}

TEST(EngineSide, OfACutAnswerTheEventsCountAndItIsNamed) {
  Sampled run;
  run.add(RequestBuilder(100).tokens({100, 200, 300}).cut(4000));
  EXPECT_EQ(run.side().client_output_tokens, 3U);
  EXPECT_EQ(run.side().client_uncounted, 1U);
}

// Whether the run has the finding, and how grave it is.
std::string counts_otherwise(const FakeReader& run) {
  for (const Finding& finding : judge(run).value().findings) {
    if (finding.code == "server_counts_otherwise") return finding.severity + ": " + finding.text;
  }
  return "";
}

TEST(EngineSide, ADifferenceOfMoreThanAThousandthIsAFinding) {
  Sampled near, far;
  for (Sampled* run : {&near, &far}) run->add(RequestBuilder(0).tokens({100}).usage(10, 10000));
  near.counted("generation_tokens", 0, 10010);
  far.counted("generation_tokens", 0, 10011);
  EXPECT_EQ(counts_otherwise(near), "");
  EXPECT_THAT(counts_otherwise(far), ::testing::HasSubstr("warning: "));
  EXPECT_THAT(counts_otherwise(far), ::testing::HasSubstr("10011 output tokens"));
}

TEST(EngineSide, PromptsAreComparedToo) {
  Sampled run;
  run.add(RequestBuilder(0).tokens({100}).usage(1000, 10));
  run.counted("prompt_tokens", 0, 990);
  EXPECT_THAT(counts_otherwise(run), ::testing::HasSubstr("990 prompt tokens"));
}

TEST(EngineSide, OfWhatWasCutTheServerMayCountAnythingUpToWhatWasAsked) {
  const auto finding_at = [](double server) {
    Sampled run;
    run.add(RequestBuilder(0).tokens({100}).usage(10, 100));
    run.add(RequestBuilder(0).tokens({100}).asked(10, 40).cut(4000));
    run.counted("generation_tokens", 0, server);
    return counts_otherwise(run);
  };
  EXPECT_EQ(finding_at(100), "") << "counted when an answer is whole";
  EXPECT_EQ(finding_at(140), "") << "counted when a token is made";
  EXPECT_THAT(finding_at(99), ::testing::HasSubstr("warning: "));
  EXPECT_THAT(finding_at(141), ::testing::HasSubstr("more than the 1 requests explain"));
}

TEST(EngineSide, WithoutALengthThatWasAskedThereIsNoMost) {
  Sampled run;
  run.add(RequestBuilder(0).tokens({100}).usage(10, 100));
  run.add(RequestBuilder(0).tokens({100}).cut(4000));
  run.counted("generation_tokens", 0, 5000).counted("prompt_tokens", 0, 5000);
  EXPECT_EQ(counts_otherwise(run), "");
}

}  // namespace
}  // namespace evenbench::judge
