#include "cli/visit_gpu.h"

#include <gtest/gtest.h>

namespace evenbench::cli {
namespace {

bool here(const std::string& url) {
  SystemSpec system;
  system.attach_url = url;
  return runs_here(system);
}

TEST(RunsHere, WhatIsLaunchedOrHasAnAddressOfThisMachineAlone) {
  SystemSpec launched;
  launched.launched = true;
  EXPECT_TRUE(runs_here(launched));
  EXPECT_TRUE(here("http://127.0.0.1:8000"));
  EXPECT_TRUE(here("http://localhost:8000"));
  EXPECT_TRUE(here("http://[::1]:8000"));
  EXPECT_TRUE(here("unix:/tmp/the.socket"));
  EXPECT_FALSE(here("https://gateway.example/v1"));
  EXPECT_FALSE(here("http://10.0.0.7:8000"));
}

TEST(HeldByNew, CountsWhoHeldNothingBeforeOnThatCardAlone) {
  const std::vector<probe::GpuHolder> holders{
      {0, 1, 100, ""}, {0, 2, 30, ""}, {0, 3, 4, ""}, {1, 2, 5000, ""}, {0, 4, std::nullopt, ""}};
  EXPECT_EQ(held_by_new(holders, 0, {1}), 34U);
  EXPECT_EQ(held_by_new(holders, 1, {1}), 5000U);
}

TEST(HeldByNew, IsAbsentWhereNobodyNewIsNamed) {
  EXPECT_FALSE(held_by_new({{0, 1, 100, ""}}, 0, {1}));
  EXPECT_FALSE(held_by_new({{0, 2, std::nullopt, ""}}, 0, {}));
}

}  // namespace
}  // namespace evenbench::cli
