#include <gmock/gmock.h>

#include <algorithm>

#include "report/report.h"
#include "report/testing/golden.h"
#include "report/testing/sample_run.h"

namespace evenbench::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Console, TheSampleRunIsAsInTheGoldenFile) {
  testing::expect_golden("console.txt", console(testing::sample_run()));
}

TEST(Console, IsNeverLongerThanTwentyFiveLines) {
  judge::JudgedRun run = testing::run_full_of("line\nline\nline");
  for (int i = 0; i < 40; ++i) {
    run.systems.push_back(run.systems[0]);
    run.findings.push_back(run.findings[0]);
  }
  const std::string text = console(run);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 25);
  EXPECT_THAT(text, HasSubstr("34 systems more in the report"));
  EXPECT_THAT(text, HasSubstr("37 findings more in the report"));
}

TEST(Console, ServersCannotSteerTheTerminal) {
  EXPECT_THAT(console(testing::run_full_of("\x1b]0;title\x07")), Not(HasSubstr("\x1b")));
}

TEST(Console, AHugeMessageIsCutBetweenCharacters) {
  judge::JudgedRun run = testing::empty_run();
  std::string message;
  for (int i = 0; i < 500; ++i) message += "坏";
  run.findings = {{"run", "", "error", "code", message}};
  const std::string text = console(run);
  EXPECT_LT(text.size(), 600u);
  EXPECT_THAT(text, HasSubstr("坏…"));
  EXPECT_THAT(text, Not(HasSubstr("\xEF\xBF\xBD")));
}

TEST(Console, ARunThatNeverBeganSaysWhy) {
  EXPECT_THAT(console(testing::empty_run()), HasSubstr("the port of the first system was taken"));
}

}  // namespace
}  // namespace evenbench::report
