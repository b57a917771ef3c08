#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/child_process.h"

namespace evenbench::engine {
namespace {

class LogTail : public ::testing::Test {
 protected:
  LogTail()
      : file_(std::filesystem::temp_directory_path() /
              ("evenbench-log-tail-" + std::to_string(::getpid()))) {}
  ~LogTail() override { std::filesystem::remove(file_); }
  void write(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }

  std::filesystem::path file_;
};

TEST_F(LogTail, GivesTheLastLines) {
  write("one\ntwo\nthree\n");
  EXPECT_EQ(log_tail(file_, 2), "two\nthree");
  EXPECT_EQ(log_tail(file_, 9), "one\ntwo\nthree");
}

TEST_F(LogTail, WhatIsSearchedForWordsReachesFurtherBackThanWhatIsShown) {
  write("the cause\n" + std::string(700'000, 'x') + "\nthe consequence\n");
  EXPECT_EQ(log_tail(file_, 20).find("the cause"), std::string::npos);
  EXPECT_NE(log_end(file_).find("the cause"), std::string::npos);
  write("the cause\n" + std::string(1'100'000, 'x') + "\nthe consequence\n");
  EXPECT_EQ(log_end(file_), "the consequence\n");
}

TEST_F(LogTail, CountsAnUnfinishedLastLine) {
  write("one\ntwo");
  EXPECT_EQ(log_tail(file_, 1), "two");
}

TEST_F(LogTail, KeepsTheIndentOfTracebacks) {
  write("Traceback:\n    raise ValueError\n");
  EXPECT_EQ(log_tail(file_, 5), "Traceback:\n    raise ValueError");
}

TEST_F(LogTail, TakesTheForceOutOfTerminalEscapes) {
  write("\x1b[31mred\x1b[0m\r\n");
  EXPECT_EQ(log_tail(file_, 5).find('\x1b'), std::string::npos);
  EXPECT_NE(log_tail(file_, 5).find("red"), std::string::npos);
}

TEST_F(LogTail, IsValidTextWhateverTheLogHolds) {
  write("bad \xff\xfe byte\n");
  EXPECT_EQ(log_tail(file_, 5), "bad ?? byte");
}

TEST_F(LogTail, IsBoundedAndStartsAtALine) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "line number " + std::to_string(i) + "\n";
  write(text);
  const std::string tail = log_tail(file_, 1000);
  EXPECT_LE(tail.size(), 4096U);
  EXPECT_TRUE(tail.starts_with("line number "));
  EXPECT_TRUE(tail.ends_with("line number 999"));
}

TEST_F(LogTail, IsBoundedForOneEndlessLine) {
  write(std::string(100'000, 'x'));
  EXPECT_LE(log_tail(file_, 20).size(), 4096U);
  EXPECT_FALSE(log_tail(file_, 20).empty());
}

TEST_F(LogTail, OfALogThatIsNotThereIsEmpty) {
  EXPECT_EQ(log_tail(file_ / "no" / "such", 20), "");
}

}  // namespace
}  // namespace evenbench::engine
