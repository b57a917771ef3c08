#include "wire/detail_text.h"

#include <gtest/gtest.h>

namespace evenbench::wire {
namespace {

TEST(DetailText, IsOneLineWithoutRunsOfBlanks) {
  EXPECT_EQ(detail_text("  a\r\n\tb   c\n"), "a b c");
  EXPECT_EQ(detail_text(""), "");
}

TEST(DetailText, IsCutBetweenCharacters) {
  EXPECT_EQ(detail_text("ab\xE5\xA5\xBD", 4), "ab");
  EXPECT_EQ(detail_text("ab\xE5\xA5\xBD", 5), "ab\xE5\xA5\xBD");
  EXPECT_EQ(detail_text(std::string(1000, 'x')).size(), 300U);
}

TEST(DetailText, ShowsQuestionMarksWhereItIsNotUtf8) {
  EXPECT_EQ(detail_text("a\xFF\xC3z"), "a??z");
}

}  // namespace
}  // namespace evenbench::wire
