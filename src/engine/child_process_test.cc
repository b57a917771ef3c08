#include "engine/child_process.h"

#include <gtest/gtest.h>

namespace evenbench::engine {
namespace {

TEST(ExitStatus, SaysHowItEnded) {
  EXPECT_EQ((ExitStatus{false, 1, false, {}}).text(), "exit code 1");
  EXPECT_EQ((ExitStatus{true, 9, true, {}}).text(), "signal 9 (SIGKILL)");
  EXPECT_EQ((ExitStatus{true, 64, false, {}}).text(), "signal 64");
}

TEST(ExitStatus, NamesTheProcessesThatNothingEnds) {
  EXPECT_EQ((ExitStatus{true, 9, true, {12, 345}}).text(),
            "signal 9 (SIGKILL); still there after SIGKILL: process 12, 345");
}

}  // namespace
}  // namespace evenbench::engine
