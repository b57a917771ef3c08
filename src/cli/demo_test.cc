#include "cli/demo.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/run_plan.h"
#include "cli/spec_print.h"
#include "cli/spec_yaml.h"

namespace evenbench::cli {
namespace {

std::filesystem::path example(const char* name) {
  return std::filesystem::path(EVENBENCH_TEST_DATA) / ".." / ".." / "examples" / name;
}

TEST(Demo, TheExampleFileIsTheDemoWithComments) {
  const auto file = load_spec(example("three-engines-sim.yaml"));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(print_spec(*file), print_spec(parse_spec(demo_spec(), "demo").value()));
}

TEST(Examples, TheOneForRunningServersCanBePlannedWithoutThem) {
  const auto spec = load_spec(example("attach.yaml"));
  ASSERT_TRUE(spec) << spec.error().message;
  const auto plan = plan_run(*spec);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->visits.size(), spec->systems.size() * spec->blocks);
  EXPECT_EQ(spec->systems.at(1).key_env, "SERVING_KEY");
}

}  // namespace
}  // namespace evenbench::cli
