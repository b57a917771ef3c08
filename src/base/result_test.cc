#include "base/result.h"

#include <gtest/gtest.h>

#include <string>

namespace evenbench {
namespace {

TEST(Result, HoldsAValueOrAnErrorWithContext) {
  const Result<int> good = 7;
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 7);
  const Result<int> bad = usage_error("rate must be above 0");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().in("spec.yaml:3").message, "spec.yaml:3: rate must be above 0");
  EXPECT_EQ(bad.error().in("x").code, ErrorCode::kUsage);
}

TEST(ResultDeathTest, ValueOfAnErrorAbortsWithItsMessage) {
  const Result<int> bad = environment_error("port 8000 is taken");
  EXPECT_DEATH((void)bad.value(), "port 8000 is taken");
}

}  // namespace
}  // namespace evenbench
