#include "cli/plan_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/spec_yaml.h"

namespace evenbench::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string printed(const std::string& systems, const std::string& load) {
  const auto spec =
      parse_spec("evenbench: 1\nmodel: { path: /m }\nsystems:\n" + systems +
                     "workload: { lengths: { input: 3000, output: 500 } }\nload: " + load + "\n",
                 "test.yaml");
  EXPECT_TRUE(spec) << spec.error().message;
  const auto plan = plan_run(*spec);
  EXPECT_TRUE(plan) << plan.error().message;
  const auto text = print_limits(*spec, *plan);
  EXPECT_TRUE(text) << text.error().message;
  return *text;
}

constexpr const char* kOpen = "{ ladder: { rates: [1], requests: 2 } }";

TEST(PlanLimits, AreToldFromTheCommandLineAloneWithTheFlagToChange) {
  EXPECT_THAT(
      printed("  - { name: a, engine: vllm, launch: {}, args: [--max-model-len, '3400'] }\n",
              kOpen),
      AllOf(HasSubstr("error: a: requests of up to 3500 tokens"), HasSubstr("takes 3400"),
            HasSubstr("raise --max-model-len")));
}

TEST(PlanLimits, OfAPlanThatFitsSayNothing) {
  EXPECT_EQ(printed("  - { name: a, engine: vllm, launch: {}, args: [--max-model-len, '3500'] }\n",
                    kOpen),
            "");
}

TEST(PlanLimits, NameEverySystemThatTheUsersOfAClosedLoopAreTooManyFor) {
  const std::string text = printed(
      "  - { name: a, engine: vllm, launch: {}, args: [--max-num-seqs, '8'] }\n"
      "  - { name: b, engine: tgi, launch: {}, args: [--max-concurrent-requests, '16'] }\n",
      "{ closed: { concurrency: 16, requests: 16 } }");
  EXPECT_THAT(text,
              AllOf(HasSubstr("warning: a: 16 requests at once"), HasSubstr("raise --max-num-seqs"),
                    HasSubstr("error: b: 16 requests at once"),
                    HasSubstr("set --max-concurrent-requests 20")));
}

TEST(PlanLimits, OfWhatIsAttachedAreNotKnownBeforeItIsAsked) {
  EXPECT_EQ(
      printed("  - { name: a, engine: vllm, attach: { url: 'http://127.0.0.1:1' } }\n", kOpen), "");
}

}  // namespace
}  // namespace evenbench::cli
