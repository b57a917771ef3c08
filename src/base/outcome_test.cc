#include "base/outcome.h"

#include <gtest/gtest.h>

namespace evenbench {
namespace {

TEST(Outcome, EveryEndingAndSourceIsFoundByItsOwnName) {
  for (int i = 0; i < kEndingCount; ++i) {
    const auto ending = static_cast<Ending>(i);
    EXPECT_EQ(ending_from(name_of(ending)), ending);
  }
  for (int i = 0; i < kTokenSourceCount; ++i) {
    const auto source = static_cast<TokenSource>(i);
    EXPECT_EQ(token_source_from(name_of(source)), source);
  }
  EXPECT_EQ(ending_from("finished"), std::nullopt);
}

}  // namespace
}  // namespace evenbench
