#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/gpu.h"
#include "report/report.h"
#include "report/testing/sample_run.h"

namespace evenbench::report {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const GpuSeries kNone = [](const auto&) { return Result<void>(); };

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
  ASSERT_TRUE(write_all(run, folder_, kNone));
  EXPECT_EQ(text_of("summary.json"), summary_json(run));
  EXPECT_EQ(text_of("steps.csv"), steps_csv(run));
  EXPECT_EQ(text_of("report.md"), markdown(run));
  EXPECT_EQ(text_of("report.html"), html(run));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 4);
}

TEST_F(WriteAll, O38b_ASlashInANameMakesNoFolder) {
  judge::JudgedRun run = testing::run_full_of("org/model-7b");
  ASSERT_TRUE(write_all(run, folder_, kNone));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 5);
}

TEST_F(WriteAll, NamesTheFileThatItCannotWriteAndARemedy) {
  const auto missing = write_all(testing::empty_run(), folder_ / "none", kNone);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(missing.error().message, HasSubstr("none/summary.json"));
  fs::create_directory(folder_ / "steps.csv");
  const auto taken = write_all(testing::empty_run(), folder_, kNone);
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message, HasSubstr("steps.csv"));
  EXPECT_FALSE(fs::exists(folder_ / "steps.csv.part"));
}

TEST_F(WriteAll, WritesTheSeriesOfTheGpusWhereTheyWereSampled) {
  judge::JudgedRun run = testing::sample_run();
  run.systems[0].gpus.resize(1);
  judge::GpuPoint point;
  point.at_s = 1.5;
  ASSERT_TRUE(write_all(run, folder_, [&](const auto& take) {
    take(point);
    return Result<void>();
  }));
  EXPECT_EQ(text_of("gpu.csv"), gpu_csv_header() + gpu_csv_row(point));
}

TEST_F(WriteAll, ASeriesThatCannotBeReadLeavesNoHalf) {
  judge::JudgedRun run = testing::sample_run();
  run.systems[0].gpus.resize(1);
  const auto written = write_all(run, folder_, [](const auto& take) -> Result<void> {
    take({});
    return environment_error("the run file is broken");
  });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "the run file is broken");
  EXPECT_FALSE(fs::exists(folder_ / "gpu.csv"));
  EXPECT_FALSE(fs::exists(folder_ / "gpu.csv.part"));
}

}  // namespace
}  // namespace evenbench::report
