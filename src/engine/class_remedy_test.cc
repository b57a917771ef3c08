#include "engine/class_remedy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ClassRemedy, NamesTheVariableOfTheKeyButOnlyIfThereIsOne) {
  EXPECT_THAT(class_remedy(wire::ErrorClass::kKeyRefused, "MY_KEY"),
              HasSubstr("put a valid one into MY_KEY"));
  EXPECT_THAT(class_remedy(wire::ErrorClass::kKeyRefused, ""), HasSubstr("key_env"));
  EXPECT_THAT(class_remedy(wire::ErrorClass::kQuota, "MY_KEY"), HasSubstr("MY_KEY"));
}

TEST(ClassRemedy, BeginsWithTheNameOfTheClassOrIsEmpty) {
  for (int i = 0; i < wire::kErrorClassCount; ++i) {
    const auto error = static_cast<wire::ErrorClass>(i);
    const std::string text = class_remedy(error, "K");
    if (text.empty()) continue;
    EXPECT_THAT(text, StartsWith(std::string(wire::name_of(error)) + ": "));
  }
  EXPECT_EQ(class_remedy(wire::ErrorClass::kBadRequest, "K"), "");
}

}  // namespace
}  // namespace evenbench::engine
