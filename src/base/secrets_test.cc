#include "base/secrets.h"

#include <gtest/gtest.h>

#include <vector>

namespace evenbench {
namespace {

std::string hidden(std::string text, std::vector<std::string> secrets) {
  hide_secrets(text, secrets);
  return text;
}

TEST(Secrets, AreHiddenWhereverTheyStand) {
  EXPECT_EQ(hidden("sk-1 and sk-1", {"sk-1"}), "[key] and [key]");
  EXPECT_EQ(hidden("nothing here", {"sk-1"}), "nothing here");
  EXPECT_EQ(hidden("a b", {"", "a"}), "a b");
}

TEST(Secrets, ThatAreAPartOfTheirMaskDoNotRunForEver) {
  EXPECT_EQ(hidden("bad api key here", {"key"}), "bad api [key] here");
  EXPECT_EQ(hidden("key", {"key", "ke"}), "[[key]y]");
}

TEST(Secrets, ThatWereCutAreHiddenToo) {
  EXPECT_EQ(hidden("said: sk-plainsec", {"sk-plainsecret-9f"}), "said: [key]");
  EXPECT_EQ(hidden("said: sk-", {"sk-plainsecret-9f"}), "said: sk-");
}

}  // namespace
}  // namespace evenbench
