#include "cli/plan_needs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/spec_yaml.h"

namespace evenbench::cli {
namespace {

using std::chrono::milliseconds;

struct Planned {
  Spec spec;
  RunPlan plan;
};

Planned planned(const std::string& rest) {
  const auto spec = parse_spec(
      "evenbench: 1\nsystems: [ { name: a, engine: openai, attach: { url: "
      "'http://127.0.0.1:1' } } ]\n" +
          rest,
      "test.yaml");
  EXPECT_TRUE(spec) << spec.error().message;
  auto plan = plan_run(*spec);
  EXPECT_TRUE(plan) << plan.error().message;
  return {*spec, *std::move(plan)};
}

audit::PlanNeeds needs(const std::string& rest) {
  const Planned all = planned(rest);
  return needs_of(all.spec, all.plan);
}

TEST(PlanNeeds, OfAnOpenLoopAreItsHighestRateAndItsLongestRequest) {
  const auto all = planned(
      "workload: { lengths: { input: { uniform: [10, 900] }, output: 50 } }\n"
      "load: { ladder: { rates: [1, 20], requests: 40 } }\n");
  std::uint32_t longest = 0;
  for (const auto& step : all.plan.plans.front()) {
    for (const auto& request : step.requests)
      longest = std::max(longest, request.item.input_tokens);
  }
  const audit::PlanNeeds found = needs_of(all.spec, all.plan);
  EXPECT_GT(longest, 100U);
  EXPECT_EQ(found.longest_input, longest);
  EXPECT_EQ(found.longest_request, longest + 50);
  EXPECT_EQ(found.highest_rate, 20);
  EXPECT_EQ(found.most_at_once, 0U);
}

TEST(PlanNeeds, OfAClosedLoopAreItsUsersAndItsFirstItems) {
  const auto found = needs(
      "workload: { lengths: { input: { uniform: [10, 20] }, output: "
      "5 } }\nload: { closed: { concurrency: [3, 64], measure: 5s } }\n");
  EXPECT_EQ(found.most_at_once, 64U);
  EXPECT_EQ(found.longest_input, 20U);
  EXPECT_EQ(found.longest_request, 25U);
  EXPECT_EQ(found.highest_rate, 0);
}

TEST(PlanNeeds, ACapIsAsManyAtOnce) {
  EXPECT_EQ(
      needs("load: { ladder: { rates: [5], requests: 10, max_in_flight: 7 } }\n").most_at_once, 7U);
}

TEST(PlanNeeds, TheTightestLimitOfTheTtftCounts) {
  const auto found = needs(
      "slo: { ttft_p95: 500ms, ttft_p50: 80ms, tpot_p95: 5ms }\n"
      "load: { ladder: { rates: [1], requests: 1 } }\n");
  EXPECT_EQ(found.tightest_slo, milliseconds{80});
  EXPECT_FALSE(needs("load: { ladder: { rates: [1], requests: 1 } }\n").tightest_slo);
}

}  // namespace
}  // namespace evenbench::cli
