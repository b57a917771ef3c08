#include "cli/key_loss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::cli {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

KeyLoss loss(wire::ErrorClass error) {
  wire::FailureCount lost;
  lost.error = error;
  lost.detail = "HTTP 401: expired";
  lost.first = MonoTime{112s + 340ms};
  return key_loss_of(lost, MonoTime{100s}, WallTime{1'800'000'000s}, "MY_KEY");
}

TEST(KeyLoss, SaysWhatWasSaidWhenItWasFirstSeenAndWhatToDo) {
  const KeyLoss said = loss(wire::ErrorClass::kKeyRefused);
  EXPECT_EQ(said.code, "key_refused_mid_run");
  EXPECT_THAT(said.text, AllOf(HasSubstr("HTTP 401: expired"), HasSubstr("12.3 s after its begin"),
                               HasSubstr("2027-01-15T08:00:00"), HasSubstr("is kept"),
                               HasSubstr("put a valid one into MY_KEY")));
}

TEST(KeyLoss, MoneyAndPermissionHaveNamesAndRemediesOfTheirOwn) {
  EXPECT_EQ(loss(wire::ErrorClass::kQuota).code, "quota_exhausted_mid_run");
  EXPECT_THAT(loss(wire::ErrorClass::kQuota).text, HasSubstr("top it up"));
  EXPECT_EQ(loss(wire::ErrorClass::kPermission).code, "permission_lost_mid_run");
  EXPECT_THAT(loss(wire::ErrorClass::kPermission).text, HasSubstr("permitted by the provider"));
}

}  // namespace
}  // namespace evenbench::cli
