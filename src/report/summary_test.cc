#include "report/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "report/report.h"
#include "report/testing/golden.h"
#include "report/testing/sample_run.h"

namespace evenbench::report {
namespace {

using nlohmann::json;

TEST(Summary, TheRunsAreAsInTheGoldenFiles) {
  testing::expect_golden("summary.json", summary_json(testing::sample_run()));
  testing::expect_golden("summary_failed.json", summary_json(testing::failed_run()));
  testing::expect_golden("summary_empty.json", summary_json(testing::empty_run()));
}

TEST(Summary, O38a_ARunWithoutOneGoodRequestIsStrictJsonWithNullFigures) {
  const std::string text = summary_json(testing::failed_run());
  ASSERT_TRUE(text.ends_with("}\n"));
  const json summary = json::parse(text);
  const json& step = summary["systems"][0]["steps"][0];
  EXPECT_EQ(step["ttft_ms"]["count"], 0);
  for (const char* figure : {"mean", "min", "p50", "p90", "p95", "p99", "max"}) {
    EXPECT_TRUE(step["ttft_ms"][figure].is_null()) << figure;
  }
  EXPECT_EQ(step["ttft_ms"]["with_failures"]["p99"], "unbounded");
  EXPECT_EQ(step["requests"]["endings"]["http_error"], 3);
  EXPECT_EQ(step["failures"][0]["detail"], "HTTP 500: bad, \"very\" bad\n坏");
}

TEST(Summary, WhatWasNotMeasuredIsLeftOut) {
  const json summary = json::parse(summary_json(testing::failed_run()));
  const json& step = summary["systems"][0]["steps"][0];
  for (const char* key : {"sent_rate", "completed_rate", "concurrency", "tokens_per_event"}) {
    EXPECT_FALSE(step.contains(key)) << key;
  }
  EXPECT_FALSE(step["output_tokens"].contains("per_s"));
  EXPECT_FALSE(summary["systems"][0].contains("engine_version"));
}

TEST(Summary, TellsWhatTheClientSawOfItselfAndWhichLimitsItPassed) {
  const json summary = json::parse(summary_json(testing::sample_run()));
  EXPECT_EQ(summary["run"]["stamp"]["asked"], "auto");
  EXPECT_EQ(summary["run"]["stamp"]["used"], "kernel");
  const json& client = summary["systems"][0]["steps"][3]["client"];
  EXPECT_EQ(client["stamp"], "kernel");
  EXPECT_EQ(client["kernel_to_user_p99_ms"], 0.04);
  EXPECT_EQ(client["zero_windows"], 0);
  EXPECT_EQ(client["instants"]["by_program_instead"], 1);
  ASSERT_EQ(client["limits_broken"].size(), 1U);
  EXPECT_EQ(client["limits_broken"][0]["signal"], "receive_queue");
  EXPECT_EQ(client["limits_broken"][0]["hard"], false);
}

TEST(Summary, OfAClientThatNobodyWatchedHasNoZeros) {
  const json summary = json::parse(summary_json(testing::failed_run()));
  const json& client = summary["systems"][0]["steps"][0]["client"];
  for (const char* key :
       {"kernel_to_user_p99_ms", "cpu_share", "zero_windows", "loop_stalls", "segments_resent",
        "limit_errors", "clock_move_max_ms", "realtime", "nice", "censored_event_share"}) {
    EXPECT_FALSE(client.contains(key)) << key;
  }
}

TEST(Summary, SaysWhyThereAreNoGapsAndThatPercentilesAreOfAHistogram) {
  judge::JudgedRun run = testing::sample_run();
  run.systems[0].steps[0].no_gaps_because = "too few";
  run.systems[0].steps[1].chunk_gap.relative_error = 0.001;
  const json steps = json::parse(summary_json(run))["systems"][0]["steps"];
  EXPECT_EQ(steps[0]["client"]["gaps"].at("absent_because"), "too few");
  EXPECT_FALSE(steps[1]["client"]["gaps"].contains("absent_because"));
  EXPECT_EQ(steps[1]["chunk_gap_ms"].at("relative_error"), 0.001);
  EXPECT_FALSE(steps[0]["chunk_gap_ms"].contains("relative_error"));
}

// Case O-34: a run of a day and one of a minute are summed up in as many bytes.
TEST(Summary, O34_DoesNotGrowWithTheLengthOfTheRun) {
  judge::JudgedRun run = testing::sample_run();
  const std::size_t size = summary_json(run).size();
  for (judge::JudgedSystem& system : run.systems) {
    for (judge::JudgedStep& step : system.steps) {
      for (auto* line : {&step.series.in_flight, &step.series.sent_per_s,
                         &step.series.completed_per_s, &step.series.tokens_per_s}) {
        line->resize(86'400, 1.0);
      }
    }
  }
  EXPECT_EQ(summary_json(run).size(), size);
  EXPECT_LT(size, std::size_t{1} << 20);
}

TEST(Summary, ARunThatNeverBeganIsASummaryToo) {
  const json summary = json::parse(summary_json(testing::empty_run()));
  EXPECT_EQ(summary["schema"], 1);
  EXPECT_EQ(summary["run"]["complete"], false);
  EXPECT_EQ(summary["run"]["reason"], "the port of the first system was taken");
  EXPECT_TRUE(summary["systems"].empty());
}

TEST(Summary, NoNumberIsEverNotANumber) {
  judge::JudgedRun run = testing::sample_run();
  judge::JudgedStep& step = run.systems[0].steps[0];
  step.sent_rate = std::nan("");
  step.completed_rate = std::numeric_limits<double>::infinity();
  step.ttft.p50 = std::nan("");
  step.window_s = std::nan("");
  const json summary = json::parse(summary_json(run));
  const json& out = summary["systems"][0]["steps"][0];
  EXPECT_FALSE(out.contains("sent_rate"));
  EXPECT_FALSE(out.contains("completed_rate"));
  EXPECT_FALSE(out.contains("window_s"));
  EXPECT_TRUE(out["ttft_ms"]["p50"].is_null());
}

TEST(Summary, FiguresKeepEveryDigit) {
  judge::JudgedRun run = testing::sample_run();
  run.systems[0].steps[0].ttft.p99 = 57653.44;
  run.seed = 18446744073709551615U;
  const json summary = json::parse(summary_json(run));
  EXPECT_EQ(summary["systems"][0]["steps"][0]["ttft_ms"]["p99"].get<double>(), 57653.44);
  EXPECT_EQ(summary["run"]["seed"].get<std::uint64_t>(), 18446744073709551615U);
}

TEST(Summary, BytesThatAreNotUtf8DoNotBreakIt) {
  const json summary = json::parse(summary_json(testing::run_full_of("\xFF\x01\"\\")));
  EXPECT_EQ(summary["run"]["title"], "\xEF\xBF\xBD\x01\"\\");
}

}  // namespace
}  // namespace evenbench::report
