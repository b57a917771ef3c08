#include "probe/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace evenbench::probe {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Limits, O25b_AnEnoughLimitStaysAsItIs) {
  EXPECT_EQ(*soft_limit_for(256, {1024, 4096}), 1024U);
  EXPECT_EQ(*soft_limit_for(1024, {1024, 1024}), 1024U);
}

TEST(Limits, O25b_ASoftLimitIsRaisedToWhatIsNeeded) {
  EXPECT_EQ(*soft_limit_for(320, {128, 4096}), 320U);
  EXPECT_EQ(*soft_limit_for(4096, {128, 4096}), 4096U);
}

TEST(Limits, O25b_AHardLimitStopsTheRunAndIsNamedWithTheNumberNeeded) {
  const auto refused = soft_limit_for(320, {128, 200});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("320"), HasSubstr("128"), HasSubstr("200"), HasSubstr("ulimit")));
}

TEST(Limits, O25b_TheLimitOfThisProcessIsReallyRaised) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_GE(before.rlim_max, 96U);
  rlimit low = before;
  low.rlim_cur = 64;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  const auto done = ensure_open_files(96);
  rlimit after{};
  ::getrlimit(RLIMIT_NOFILE, &after);
  ::setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(*done, "open-file limit raised from 64 to 96");
  EXPECT_EQ(after.rlim_cur, 96U);
}

TEST(Limits, ThisProcessMayHaveAFewFiles) {
  const auto done = ensure_open_files(4);
  ASSERT_TRUE(done);
  EXPECT_EQ(*done, "");
}

}  // namespace
}  // namespace evenbench::probe
