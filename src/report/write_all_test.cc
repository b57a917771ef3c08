#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/report.h"
#include "report/testing/sample_run.h"

namespace evenbench::report {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class WriteAll : public ::testing::Test {
 protected:
  WriteAll() {
    std::string name = (fs::temp_directory_path() / "evenbench-report-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~WriteAll() override { fs::remove_all(folder_); }
  std::string text_of(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  fs::path folder_;
};

TEST_F(WriteAll, WritesTheFourFilesAndLeavesNoOther) {
  std::ofstream(folder_ / "summary.json") << "old";
  const judge::JudgedRun run = testing::sample_run();
  ASSERT_TRUE(write_all(run, folder_));
  EXPECT_EQ(text_of("summary.json"), summary_json(run));
  EXPECT_EQ(text_of("steps.csv"), steps_csv(run));
  EXPECT_EQ(text_of("report.md"), markdown(run));
  EXPECT_EQ(text_of("report.html"), html(run));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 4);
}

TEST_F(WriteAll, O38b_ASlashInANameMakesNoFolder) {
  judge::JudgedRun run = testing::run_full_of("org/model-7b");
  ASSERT_TRUE(write_all(run, folder_));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 4);
}

TEST_F(WriteAll, NamesTheFileThatItCannotWriteAndARemedy) {
  const auto missing = write_all(testing::empty_run(), folder_ / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(missing.error().message, HasSubstr("none/summary.json"));
  fs::create_directory(folder_ / "steps.csv");
  const auto taken = write_all(testing::empty_run(), folder_);
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message, HasSubstr("steps.csv"));
  EXPECT_FALSE(fs::exists(folder_ / "steps.csv.part"));
}

}  // namespace
}  // namespace evenbench::report
