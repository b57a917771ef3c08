#include <gmock/gmock.h>

#include "report/report.h"
#include "report/testing/golden.h"
#include "report/testing/sample_run.h"

namespace evenbench::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Markdown, TheSampleRunIsAsInTheGoldenFile) {
  testing::expect_golden("report.md", markdown(testing::sample_run()));
}

TEST(Markdown, O38a_ARunOfFailuresIsOneTableRowPerFailure) {
  const std::string text = markdown(testing::failed_run());
  EXPECT_THAT(text, HasSubstr("| HTTP 500: bad, \"very\" bad 坏 |"));
  EXPECT_THAT(text, HasSubstr("| FAILED |"));
}

TEST(Markdown, ARunThatNeverBeganSaysWhy) {
  const std::string text = markdown(testing::empty_run());
  EXPECT_THAT(text, HasSubstr("the port of the first system was taken"));
  EXPECT_THAT(text, HasSubstr("No step was measured"));
}

TEST(Markdown, HostileTextBecomesNeitherMarkupNorACell) {
  const std::string text = markdown(testing::run_full_of("<img src=x>|`\n# no"));
  EXPECT_THAT(text, Not(HasSubstr("\n# no |")));
  EXPECT_THAT(text, HasSubstr("&lt;img src=x&gt;\\|\\` \\# no"));
  const std::string before_blocks = text.substr(0, text.find("```"));
  EXPECT_THAT(before_blocks, Not(HasSubstr("<img")));
}

}  // namespace
}  // namespace evenbench::report
