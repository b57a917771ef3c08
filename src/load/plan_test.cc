#include "load/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace evenbench::load {
namespace {

using namespace std::chrono_literals;

workload::Workload words() {
  workload::WorkloadSpec spec;
  spec.input.fixed = 20;
  spec.output.fixed = 8;
  return {spec, 42};
}

StepSpec open_spec(double rate, Nanos measure) {
  StepSpec spec;
  spec.rate = Rate::per_second(rate);
  spec.measure = measure;
  return spec;
}

std::vector<PlannedRequest> of(const StepPlan& plan, Phase phase) {
  std::vector<PlannedRequest> out;
  for (const auto& r : plan.requests) {
    if (r.phase == phase) out.push_back(r);
  }
  return out;
}

TEST(Plan, TheCohortIsExactlyTheRateTimesTheWindow) {
  auto spec = open_spec(12.5, 10s);
  spec.warmup.duration = 4s;
  const auto plan = plan_step(spec, words(), 42, 1, 0).value();
  EXPECT_EQ(plan.cohort, 125U);
  EXPECT_EQ(of(plan, Phase::kMeasure).size(), 125U);
  EXPECT_EQ(of(plan, Phase::kWarmup).size(), 50U);
  EXPECT_EQ(of(plan, Phase::kCooldown).size(), 250U);  // at most twice the cohort
  EXPECT_EQ(plan.window_begin, 4s);
  EXPECT_EQ(plan.window_end, 14s);
  for (const auto& r : of(plan, Phase::kMeasure)) {
    EXPECT_GE(r.at, 4s);
    EXPECT_LT(r.at, 14s);
  }
  EXPECT_TRUE(std::ranges::is_sorted(plan.requests, {}, &PlannedRequest::at));
}

TEST(Plan, ANumberOfRequestsIsKeptExactlyOverNDividedByTheRate) {
  auto spec = open_spec(8, 0s);
  spec.measure.reset();
  spec.requests = 30;
  spec.warmup.count = 4;
  const auto plan = plan_step(spec, words(), 1, 1, 0).value();
  EXPECT_EQ(plan.cohort, 30U);
  EXPECT_EQ(of(plan, Phase::kWarmup).size(), 4U);
  EXPECT_EQ(plan.window_begin, 500ms);
  EXPECT_EQ(plan.window_end, 500ms + 3750ms);
}

TEST(Plan, AShareOfTheWindowIsWarmUp) {
  auto spec = open_spec(10, 20s);
  spec.warmup.share = 0.1;
  EXPECT_EQ(plan_step(spec, words(), 1, 1, 0).value().window_begin, 2s);
  spec.measure.reset();
  spec.requests = 100;
  EXPECT_EQ(plan_step(spec, words(), 1, 1, 0).value().window_begin, 1s);
}

TEST(Plan, TheSameSeedGivesTheSamePlanAndAnotherBlockAnotherSchedule) {
  const auto spec = open_spec(10, 10s);
  const auto a = plan_step(spec, words(), 42, 1, 0).value();
  const auto b = plan_step(spec, words(), 42, 1, 0).value();
  const auto other_block = plan_step(spec, words(), 42, 2, 0).value();
  ASSERT_EQ(a.requests.size(), b.requests.size());
  for (std::size_t i = 0; i < a.requests.size(); ++i) {
    EXPECT_EQ(a.requests[i].at, b.requests[i].at);
    EXPECT_EQ(a.requests[i].item.prompt_id, b.requests[i].item.prompt_id);
  }
  EXPECT_NE(a.requests[5].at, other_block.requests[5].at);
}

TEST(Plan, O33_NoPromptComesTwiceInStepsBlocksOrPhases) {
  std::set<std::uint64_t> seen;
  std::size_t count = 0;
  auto spec = open_spec(5, 10s);
  spec.warmup.duration = 3s;
  for (std::uint32_t block = 1; block <= 2; ++block) {
    for (std::uint32_t step = 0; step < 3; ++step) {
      for (const auto& r : plan_step(spec, words(), 42, block, step).value().requests) {
        seen.insert(r.item.prompt_id);
        ++count;
      }
    }
  }
  EXPECT_EQ(seen.size(), count);
}

TEST(Plan, AWindowWithoutARequestIsRefusedWithARemedy) {
  const auto plan = plan_step(open_spec(0.01, 10s), words(), 1, 1, 0);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::kUsage);
  EXPECT_NE(plan.error().message.find("measure longer"), std::string::npos);
}

TEST(Plan, MoreRequestsThanCanBePlannedAreRefusedBeforeMemoryRunsOut) {
  const auto plan = plan_step(open_spec(1e6, 1h), words(), 1, 1, 0);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().message.find("lower the rate"), std::string::npos);
}

TEST(Plan, AClosedLoopMeasuresOnceAllUsersAreThere) {
  StepSpec spec;
  spec.kind = StepKind::kClosed;
  spec.concurrency = 9;
  spec.ramp = 2;
  spec.measure = 30s;
  spec.warmup.duration = 1s;
  auto plan = plan_step(spec, words(), 1, 1, 0).value();
  EXPECT_EQ(plan.window_begin, 4s);
  EXPECT_EQ(plan.window_end, 34s);
  EXPECT_EQ(plan.cohort, 0U);
  spec.warmup.duration = 10s;
  EXPECT_EQ(plan_step(spec, words(), 1, 1, 0).value().window_begin, 10s);
  spec.measure.reset();
  EXPECT_FALSE(plan_step(spec, words(), 1, 1, 0));
}

}  // namespace
}  // namespace evenbench::load
