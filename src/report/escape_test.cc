#include "report/escape.h"

#include <gtest/gtest.h>

namespace evenbench::report {
namespace {

TEST(Escape, HtmlCannotLeaveItsElementOrAttribute) {
  EXPECT_EQ(html_text("<script>\"'&"), "&lt;script&gt;&quot;&#39;&amp;");
}

TEST(Escape, BadBytesAndControlsBecomeReplacementCharacters) {
  EXPECT_EQ(readable("a\xFF"
                     "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(readable("\x1b[31m"), "\xEF\xBF\xBD[31m");
  EXPECT_EQ(readable("\xC2\x9B"
                     "31m"),
            "\xEF\xBF\xBD"
            "31m");
  EXPECT_EQ(readable("one\r\ntwo\tthree"), "one\ntwo\tthree");
  EXPECT_EQ(readable("\xC2\xA0坏"), "\xC2\xA0坏");
  EXPECT_EQ(one_line("one\ntwo\tthree"), "one two three");
}

TEST(Escape, MarkdownCellsStayCells) {
  EXPECT_EQ(markdown_text("a|b\n<i>`x`"), "a\\|b &lt;i&gt;\\`x\\`");
}

TEST(Escape, AMarkdownBlockCannotBeClosedByItsText) {
  EXPECT_EQ(markdown_block("a\n```\nb"), "````\na\n```\nb\n````\n");
}

TEST(Escape, CsvFieldsAreQuotedOnlyWhereNeeded) {
  EXPECT_EQ(csv_field("plain 坏"), "plain 坏");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("bad, \"very\" bad\n坏"), "\"bad, \"\"very\"\" bad\n坏\"");
}

TEST(Escape, JsonInAPageCannotEndItsScript) {
  EXPECT_EQ(script_json(R"("</script><!--")"), R"("\u003c/script>\u003c!--")");
}

}  // namespace
}  // namespace evenbench::report
