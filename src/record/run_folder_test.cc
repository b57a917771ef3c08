#include "record/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include "record/sample_run.h"

namespace evenbench::record {
namespace {

namespace fs = std::filesystem;

constexpr WallTime kNow{std::chrono::seconds{1'796'042'765}};

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(RunFolder, IsNamedByTimeAndTitleAndHoldsLogs) {
  const TempFolder temp;
  const auto folder = make_run_folder(temp.path() / "a" / "runs", kNow, "Llama 3.1, 8B!");
  ASSERT_TRUE(folder) << folder.error().message;
  EXPECT_EQ(*folder, temp.path() / "a" / "runs" / "2026-11-30T124605Z-llama-3-1-8b");
  EXPECT_TRUE(fs::is_directory(*folder / "logs"));
}

TEST(RunFolder, O38b_ASlashInTheTitleMakesNoFurtherFolder) {
  const TempFolder temp;
  const auto folder = make_run_folder(temp.path(), kNow, "org/model-7b");
  EXPECT_EQ(folder->filename(), "2026-11-30T124605Z-org-model-7b");
  EXPECT_EQ(folder->parent_path(), temp.path());
  EXPECT_EQ(entries(temp.path()), 1U);
  const auto climbing = make_run_folder(temp.path(), kNow, "../../etc");
  EXPECT_EQ(climbing->parent_path(), temp.path());
}

TEST(RunFolder, O38c_RunsOfOneSecondGetFoldersOfTheirOwn) {
  const TempFolder temp;
  constexpr std::size_t kThreads = 4;
  constexpr std::size_t kEach = 8;
  std::vector<std::vector<fs::path>> made(kThreads);
  std::vector<std::thread> threads;
  for (auto& mine : made) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < kEach; ++i) {
        mine.push_back(*make_run_folder(temp.path(), kNow, "same"));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::set<fs::path> different;
  for (const auto& mine : made) different.insert(mine.begin(), mine.end());
  EXPECT_EQ(different.size(), kThreads * kEach);
  EXPECT_TRUE(different.contains(temp.path() / "2026-11-30T124605Z-same-32"));
}

TEST(RunFolder, NeverTakesWhatIsThereAlready) {
  const TempFolder temp;
  const fs::path taken = temp.path() / "2026-11-30T124605Z-x";
  std::ofstream(taken) << "a file of somebody else";
  const auto folder = make_run_folder(temp.path(), kNow, "x");
  EXPECT_EQ(*folder, fs::path(taken.string() + "-2"));
  EXPECT_TRUE(fs::is_regular_file(taken));
}

TEST(RunFolder, SaysWhereItCouldNotBeMade) {
  const TempFolder temp;
  std::ofstream(temp.path() / "file") << "x";
  const auto folder = make_run_folder(temp.path() / "file", kNow, "x");
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message, testing::HasSubstr("cannot be made"));
}

TEST(RunFolder, SlugKeepsLettersOfAnyScriptAndNothingElse) {
  EXPECT_EQ(folder_slug("Qwen2.5 对比：A100"), "qwen2-5-对比-a100");
  EXPECT_EQ(folder_slug("Größe × Ёлка"), "größe-Ёлка");
  EXPECT_EQ(folder_slug("--  a \t\n b --"), "a-b");
  EXPECT_EQ(folder_slug("a\xff\xc3 b\xe4\xbd"), "a-b") << "what is not UTF-8 is left out";
  EXPECT_EQ(folder_slug("a\u202eb"), "a-b") << "no control of writing direction";
  for (const char* empty : {"", "///", "..", "：", "\xff"}) EXPECT_EQ(folder_slug(empty), "run");
}

TEST(RunFolder, SlugEndsAtFortyWholeCharacters) {
  EXPECT_EQ(folder_slug(std::string(100, 'x')), std::string(40, 'x'));
  std::string han;
  for (int i = 0; i < 50; ++i) han += "坏";
  EXPECT_EQ(folder_slug(han).size(), 40U * 3U);
}

TEST(RunFolder, TheRunFileIsFoundFromItsFolderOrItself) {
  const TempFolder temp;
  std::ofstream(temp.run_file()) << "x";
  EXPECT_EQ(*find_run_file(temp.path()), temp.run_file());
  EXPECT_EQ(*find_run_file(temp.path() / ""), temp.run_file());
  EXPECT_EQ(*find_run_file(temp.run_file()), temp.run_file());
  const auto missing = find_run_file(temp.path() / "none");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, testing::HasSubstr("/none; give a run folder"));
  const auto empty = find_run_file(*make_run_folder(temp.path(), kNow, "x"));
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message, testing::HasSubstr("holds no run.sqlite"));
}

}  // namespace
}  // namespace evenbench::record
