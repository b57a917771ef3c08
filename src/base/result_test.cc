#include "base/result.h"

#include <gtest/gtest.h>

#include <array>

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

TEST(Result, ALoopOverAPartOfItsValueKeepsTheValueAlive) {
  struct Alive {
    explicit Alive(int* counter) : count(counter) { ++*count; }
    Alive(Alive&& other) noexcept : count(other.count) { ++*count; }
    Alive(const Alive&) = delete;
    ~Alive() { --*count; }
    int* count;
    std::array<int, 2> part = {1, 2};
  };
  int alive = 0;
  const auto make = [&]() -> Result<Alive> { return Alive(&alive); };
  for (const int i : make().value().part) EXPECT_EQ(alive, 1) << i;
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace evenbench
