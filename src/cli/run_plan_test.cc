#include "cli/run_plan.h"

#include <gtest/gtest.h>

#include "cli/demo.h"
#include "cli/spec_yaml.h"

namespace evenbench::cli {
namespace {

TEST(RunPlan, EverySystemOfABlockGetsTheSameSteps) {
  Spec spec = parse_spec(demo_spec(), "demo").value();
  spec.blocks = 2;
  const RunPlan plan = plan_run(spec).value();
  EXPECT_EQ(plan.visits.size(), 6U);
  ASSERT_EQ(plan.plans.size(), 2U);
  EXPECT_EQ(plan.plans[0].size(), 5U);
  EXPECT_NE(plan.plans[0][3].requests[1].at, plan.plans[1][3].requests[1].at);
}

TEST(RunPlan, O28_ThePrintedPlanNamesSystemsStepsCountsAndEveryLimit) {
  const Spec spec = parse_spec(demo_spec(), "demo").value();
  const std::string text = print_plan(spec, plan_run(spec).value());
  for (const char* part :
       {"3 systems", "seed 42", "vllm-sim", "tgi-sim", "12 requests/s", "96 requests measured",
        "time limits: connect 10s, total none, idle none, first token none"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(RunPlan, O28_EveryPrintedLimitStandsBehindItsOwnName) {
  Spec spec = parse_spec(demo_spec(), "demo").value();
  spec.limits = {.connect = std::chrono::seconds{1},
                 .total = std::chrono::seconds{2},
                 .idle = std::chrono::seconds{3},
                 .first_token = std::chrono::seconds{4}};
  const std::string text = print_plan(spec, plan_run(spec).value());
  EXPECT_NE(text.find("connect 1s, total 2s, idle 3s, first token 4s"), std::string::npos) << text;
}

TEST(RunPlan, AStepThatCannotBeIsNamed) {
  Spec spec = parse_spec(demo_spec(), "demo").value();
  spec.steps[0].rate = Rate::per_second(0.001);
  const auto plan = plan_run(spec);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().message.find("0.001 requests/s"), std::string::npos);
}

}  // namespace
}  // namespace evenbench::cli
