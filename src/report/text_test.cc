#include "report/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace evenbench::report {
namespace {

TEST(Text, NumbersKeepThreeFiguresOrSoAndGroupThousands) {
  EXPECT_EQ(number(0.123), "0.12");
  EXPECT_EQ(number(9.876), "9.88");
  EXPECT_EQ(number(57.66), "57.7");
  EXPECT_EQ(number(812.4), "812");
  EXPECT_EQ(number(57653.44), "57,653");
  EXPECT_EQ(number(-1234567.0), "-1,234,567");
  EXPECT_EQ(count(1234567), "1,234,567");
  EXPECT_EQ(count(999), "999");
}

TEST(Text, AbsentIsADashAndInfinityHasAWord) {
  EXPECT_EQ(number(std::nullopt), "–");
  EXPECT_EQ(number(std::nan("")), "–");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "unbounded");
  EXPECT_EQ(percent(std::nullopt), "–");
  EXPECT_EQ(percent(0.125), "12.5 %");
}

TEST(Text, LevelsAreNamedByWhatWasAsked) {
  judge::JudgedStep step;
  step.kind = "ladder";
  EXPECT_EQ(level_name(step), "ladder");
  step.sent_rate = 4.0 / 3;
  EXPECT_EQ(level_name(step), "1.333 req/s");
  step.planned_rate = 4;
  EXPECT_EQ(level_name(step), "4 req/s");
  step.kind = "replay";
  EXPECT_EQ(level_name(step), "replay 4 req/s");
  step.kind = "closed";
  step.concurrency = 64;
  EXPECT_EQ(level_name(step), "64 in flight (closed loop)");
}

TEST(Text, ASimulatedSystemSaysSoInItsName) {
  judge::JudgedSystem system;
  system.name = "a";
  EXPECT_EQ(shown_name(system), "a");
  system.simulated = true;
  EXPECT_EQ(shown_name(system), "a (simulated)");
}

}  // namespace
}  // namespace evenbench::report
