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
