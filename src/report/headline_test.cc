#include "report/headline.h"

#include <gmock/gmock.h>

#include <limits>

#include "report/testing/sample_run.h"

namespace evenbench::report {
namespace {

using judge::JudgedRun;
using ::testing::Contains;
using ::testing::HasSubstr;

std::string cell(const Table& table, std::size_t row, const std::string& column) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name == column) return table.rows.at(row).cells.at(i);
  }
  return "no column " + column;
}

JudgedRun two(std::optional<double> ttft_a, double tokens_a, std::optional<double> ttft_b,
              double tokens_b) {
  JudgedRun run;
  for (const auto& [name, ttft, tokens] :
       {std::tuple{"A", ttft_a, tokens_a}, {"B", ttft_b, tokens_b}}) {
    judge::JudgedSystem& system = run.systems.emplace_back();
    system.name = name;
    judge::JudgedStep& step = system.steps.emplace_back();
    step.kind = "ladder";
    step.planned_rate = 1;
    step.ttft.p50 = ttft;
    step.output_tokens_per_s = tokens;
  }
  return run;
}

TEST(Headline, O39_ALowerLatencyIsBetterAndAHigherThroughputIsBetter) {
  const Table table = change_table(two(200, 1000, 250, 1200));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(cell(table, 0, "TTFT P50"), "+25.0 % (worse)");
  EXPECT_EQ(cell(table, 0, "output tok/s"), "+20.0 % (better)");
  EXPECT_THAT(table.caption, HasSubstr("against A"));
  const Table back = change_table(two(250, 1200, 200, 1000));
  EXPECT_EQ(cell(back, 0, "TTFT P50"), "-20.0 % (better)");
  EXPECT_EQ(cell(back, 0, "output tok/s"), "-16.7 % (worse)");
}

TEST(Headline, O39_WithoutABaseThereIsNoPercentage) {
  const Table table = change_table(two(std::nullopt, 0, 250, 1200));
  EXPECT_EQ(cell(table, 0, "TTFT P50"), "n/a");
  EXPECT_EQ(cell(table, 0, "output tok/s"), "n/a");
}

TEST(Headline, AnUnboundedLatencyIsWorseThanAnyNumberButNoBaseForAPercentage) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  EXPECT_EQ(cell(change_table(two(200, 1, kUnbounded, 1)), 0, "TTFT P50"), "unbounded (worse)");
  EXPECT_EQ(cell(change_table(two(kUnbounded, 1, 200, 1)), 0, "TTFT P50"), "n/a");
  EXPECT_EQ(cell(change_table(two(kUnbounded, 1, kUnbounded, 1)), 0, "TTFT P50"), "n/a");
}

TEST(Headline, EqualFiguresAreNeitherBetterNorWorse) {
  EXPECT_EQ(cell(change_table(two(200, 1000, 200.01, 1000)), 0, "TTFT P50"), "0.0 %");
}

TEST(Headline, FailedRequestsCountInDifferences) {
  JudgedRun run = two(200, 1000, 100, 1000);
  run.systems[1].steps[0].ttft.with_failures = judge::Percentiles{400, std::nullopt, std::nullopt};
  EXPECT_EQ(cell(change_table(run), 0, "TTFT P50"), "+100.0 % (worse)");
}

TEST(Headline, OneSystemHasNobodyToDifferFrom) {
  JudgedRun run = testing::sample_run();
  run.systems.resize(1);
  EXPECT_TRUE(change_table(run).rows.empty());
}

TEST(Headline, TheSharedLevelIsTheHighestThatEverySystemHeld) {
  JudgedRun run = testing::sample_run();
  EXPECT_EQ(shared_level(levels_of(run))->value, 4);
  run.systems[1].steps[2].label = judge::Label::kSaturated;
  EXPECT_EQ(shared_level(levels_of(run))->value, 2);
  for (judge::JudgedStep& step : run.systems[1].steps) step.label = judge::Label::kFailed;
  EXPECT_EQ(shared_level(levels_of(run)), nullptr);
  EXPECT_THAT(glance_notes(run), Contains(HasSubstr("No rate was held by every system")));
  EXPECT_EQ(cell(glance_table(run), 1, "Highest rate held (req/s)"), "none");
}

TEST(Headline, OpenAndClosedLoopAreNeverMixed) {
  JudgedRun run = testing::sample_run();
  run.systems[0].steps.back().completed_rate = 900;
  const Table table = glance_table(run);
  EXPECT_EQ(cell(table, 0, "Completed at most (req/s)"), "5.50");
  EXPECT_EQ(cell(table, 0, "Closed loop: completed at most (req/s)"), "900");
}

TEST(Headline, EveryRowHasAsManyCellsAsColumns) {
  for (const JudgedRun& run :
       {testing::sample_run(), testing::failed_run(), testing::empty_run()}) {
    for (const Table& table : {glance_table(run), change_table(run)}) {
      for (const Row& row : table.rows) EXPECT_EQ(row.cells.size(), table.columns.size());
    }
  }
}

TEST(Headline, AnIncompleteOrSimulatedRunSaysSoFirst) {
  EXPECT_THAT(reservations(testing::empty_run()),
              Contains(HasSubstr("the port of the first system was taken")));
  EXPECT_THAT(reservations(testing::sample_run()), Contains(HasSubstr("Simulated: south.")));
  EXPECT_TRUE(reservations(testing::failed_run()).empty());
  EXPECT_EQ(label_counts(testing::sample_run()), "20 steps: 16 STEADY, 4 SATURATED");
}

}  // namespace
}  // namespace evenbench::report
