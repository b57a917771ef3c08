#include "cli/visit_gpu.h"

#include <gtest/gtest.h>

namespace evenbench::cli {
namespace {

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
