#include "cli/env_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::string value(const std::string& line) {
  const auto read = parse_env_file(line, ".env");
  EXPECT_TRUE(read) << line << ": " << (read ? "" : read.error().message);
  return read && read->contains("K") ? read->at("K") : "(none)";
}

TEST(EnvFile, EveryFormOfAValueIsRead) {
  EXPECT_EQ(value("K=sk-1"), "sk-1");
  EXPECT_EQ(value("export K=sk-1"), "sk-1");
  EXPECT_EQ(value("  export   K=sk-1  "), "sk-1");
  EXPECT_EQ(value("K=a=b=="), "a=b==");
  EXPECT_EQ(value("K=a#b"), "a#b");
  EXPECT_EQ(value("K=sk-1 # mine"), "sk-1");
  EXPECT_EQ(value("K="), "");
  EXPECT_EQ(value("K=   # none yet"), "");
  EXPECT_EQ(value(R"(K='a b $c "d" \e #f')"), R"(a b $c "d" \e #f)");
  EXPECT_EQ(value("K='x' # mine"), "x");
  EXPECT_EQ(value(R"(K="a b 'c' \"d\" \\ \$e \` \n#")"), "a b 'c' \"d\" \\ $e ` \n#");
  EXPECT_EQ(value(R"(K="")"), "");
  EXPECT_EQ(value("K=sk-1\r\n"), "sk-1");
  EXPECT_EQ(value("\xEF\xBB\xBFK=sk-1"), "sk-1");
}

TEST(EnvFile, CommentsAndBlankLinesSayNothing) {
  const auto read = parse_env_file("# keys\n\n  # more\nA=1\n\t\nB_2=2", ".env");
  ASSERT_TRUE(read);
  EXPECT_THAT(*read, UnorderedElementsAre(Pair("A", "1"), Pair("B_2", "2")));
}

TEST(EnvFile, WhatIsNotUnderstoodIsRefusedByItsLineAndNeverShown) {
  for (const char* line :
       {"sk-secret",         "K = sk-secret",     "K =sk-secret",    "K= sk-secret",
        "2K=sk-secret",      "K-E=sk-secret",     "=sk-secret",      "K=sk secret",
        "K=sk-$secret",      "K=sk-`secret`",     R"(K=sk-\secret)", "K='sk-secret",
        R"(K="sk-secret)",   R"(K="sk-secret"x)", "K='sk-secret'x",  R"(K="sk-$secret")",
        R"(K="sk-\secret")", "K=sk-'secret'",     "K: sk-secret",    "setenv K sk-secret",
        "K=#sk-secret",      "K='sk-secret'#x"}) {
    const auto read = parse_env_file(std::string("A=1\n") + line + "\n", "my.env");
    ASSERT_FALSE(read) << line;
    EXPECT_EQ(read.error().code, ErrorCode::kEnvironment);
    EXPECT_THAT(read.error().message, HasSubstr("my.env:2: ")) << line;
    EXPECT_THAT(read.error().message, Not(HasSubstr("secret"))) << line;
  }
}

TEST(EnvFile, ANameThatIsSetTwiceIsRefused) {
  const auto read = parse_env_file("K=sk-1\nK=sk-2", ".env");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr(".env:2: "));
  EXPECT_THAT(read.error().message, Not(HasSubstr("sk-")));
}

TEST(EnvFile, AKeyIsNoNameOfAVariable) {
  EXPECT_TRUE(is_variable_name("TAOTOKEN_API_KEY"));
  EXPECT_TRUE(is_variable_name("_k9"));
  for (const char* text : {"", "sk-abc", "9K", "A B", "A=B", "K\n"}) {
    EXPECT_FALSE(is_variable_name(text)) << text;
  }
}

}  // namespace
}  // namespace evenbench::cli
