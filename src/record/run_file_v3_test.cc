// The run file of schema version 3 that lies in tests/data/run-files: what version 2 did not have
// yet. It was written once, from the rows below and a visit with a step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "record/reader.h"
#include "record/run_writer.h"
#include "record/sample_run.h"
#include "record/sqlite.h"

namespace evenbench::record {
namespace {

const std::string kV3 = EVENBENCH_TEST_DATA "/run-files/v3.sqlite";

const MonoTime kAt = kSampleAnchor + Nanos{1'500'000'001};

std::vector<SettingRow> settings() {
  return {{1, "dtype", "bfloat16", "float16", "log"},
          {1, "kv_cache_dtype", "", "", ""},
          {2, "dtype", "自 \"auto\"", "bfloat16", "/info"}};
}

std::vector<GpuRow> gpus() {
  GpuRow sampled{1,
                 0,
                 "GPU-1",
                 "NVIDIA A100",
                 "NVML",
                 R"({"driver": {"value": "570"}})",
                 85'899'345'920,
                 1,
                 70'000'000'000,
                 80'000'000'001,
                 18'446'744'073'709'551'615U};
  GpuRow blind{1, 3, "", "", "not sampled: no driver", "{}", {}, {}, {}, {}, {}};
  return {sampled, blind};
}

std::vector<GpuSampleRow> gpu_samples() {
  return {{1, 0, kAt, 12, 11, 0.25, 0.5, 300.5, 61, 1410, 1593, 0x8000000000000004U},
          {1, 3, kAt + Nanos{1}, {}, {}, {}, {}, {}, {}, {}, {}, {}}};
}

std::vector<EngineSampleRow> engine_samples() {
  return {{1, 1, kAt, "before", "requests_waiting", "vllm:num_requests_waiting", 0},
          {1, 1, kAt + Nanos{1}, "after", "prompt_tokens", "vllm:prompt_tokens_total", 1e15}};
}

std::vector<AgreementRow> agreement() {
  return {{1, 1, 1, Ending::kDone, "", "Paris\n\"é\"", 7, 3},
          {1, 1, 2, Ending::kHttpError, "HTTP 503", "", {}, {}}};
}

void write(const std::filesystem::path& file) {
  auto writer = *RunWriter::create(file, sample_run(), 1, {});
  Rng rng(3, "evidence");
  writer->put(sample_system(1, rng));
  for (const std::int64_t visit : {1, 2}) writer->put(sample_visit(visit, rng));
  writer->put(sample_step(1, rng));
  for (const auto& row : settings()) writer->put(row);
  for (const auto& row : gpus()) writer->put(row);
  for (const auto& row : gpu_samples()) writer->put(row);
  for (const auto& row : engine_samples()) writer->put(row);
  for (const auto& row : agreement()) writer->put(row);
  ASSERT_TRUE(writer->finish(true, ""));
}

std::vector<std::string> gpu_samples_of(const Reader& run, std::int64_t visit) {
  std::vector<std::string> out;
  EXPECT_TRUE(run.for_each_gpu_sample(
      visit, [&](const GpuSampleRow& row) { out.push_back(text_of(row)); }));
  return out;
}

std::vector<std::string> engine_samples_of(const Reader& run, std::int64_t step) {
  std::vector<std::string> out;
  EXPECT_TRUE(run.for_each_engine_sample(
      step, [&](const EngineSampleRow& row) { out.push_back(text_of(row)); }));
  return out;
}

void expect_evidence(const std::filesystem::path& file) {
  const auto opened = Reader::open(file);
  ASSERT_TRUE(opened) << opened.error().message;
  const Reader& run = **opened;
  EXPECT_EQ(texts(run.settings()), texts(settings()));
  EXPECT_EQ(texts(run.gpus()), texts(gpus()));
  EXPECT_EQ(texts(run.agreement()), texts(agreement()));
  EXPECT_EQ(gpu_samples_of(run, 1), texts(gpu_samples()));
  EXPECT_TRUE(gpu_samples_of(run, 2).empty());
  EXPECT_EQ(engine_samples_of(run, 1), texts(engine_samples()));
  EXPECT_TRUE(engine_samples_of(run, 2).empty());
}

TEST(RunFileV3, HoldsSettingsGpusWhatEnginesCountAndWhatTheyAnswered) {
  expect_evidence(kV3);
}

TEST(RunFileV3, IsWhatIsWrittenToday) {
  const TempFolder folder;
  write(folder.run_file());
  expect_evidence(folder.run_file());
}

TEST(RunFileV3, KeepsTheLastOfASettingAndEverySample) {
  const TempFolder folder;
  {
    auto writer = *RunWriter::create(folder.run_file(), sample_run(), 1, {});
    Rng rng(3, "evidence");
    writer->put(sample_system(1, rng));
    writer->put(sample_visit(1, rng));
    writer->put(SettingRow{1, "dtype", "", "float16", "command line"});
    writer->put(SettingRow{1, "dtype", "", "bfloat16", "log"});
    for (int i = 0; i < 2; ++i) writer->put(gpu_samples().front());
    ASSERT_TRUE(writer->finish(true, ""));
  }
  const auto run = Reader::open(folder.run_file());
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_THAT((*run)->settings(), testing::SizeIs(1));
  EXPECT_EQ((*run)->settings()[0].effective, "bfloat16");
  EXPECT_THAT(gpu_samples_of(**run, 1), testing::SizeIs(2));
}

TEST(RunFileV3, AnOlderFileHasNoneOfThese) {
  const auto run = Reader::open(EVENBENCH_TEST_DATA "/run-files/v2.sqlite");
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE((*run)->settings().empty());
  EXPECT_TRUE((*run)->gpus().empty());
  EXPECT_TRUE((*run)->agreement().empty());
  EXPECT_TRUE(gpu_samples_of(**run, 1).empty());
  EXPECT_TRUE(engine_samples_of(**run, 1).empty());
}

// A column that docs/run-file.md does not explain, in the section of its table, is a fault.
TEST(RunFileV3, HasNoColumnThatTheProseLeavesOut) {
  std::ostringstream prose;
  prose << std::ifstream(EVENBENCH_TEST_DATA "/../../docs/run-file.md").rdbuf();
  sql::Database db;
  ASSERT_FALSE(db.open("file:" + kV3 + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI));
  sql::Statement columns(db,
                         "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c "
                         "WHERE m.type = 'table'");
  int seen = 0;
  std::string table;
  std::string column;
  while (columns.next()) {
    columns.get(table).get(column);
    const std::string text = prose.str();
    const auto begin = text.find("\n## Table `" + table + "`");
    ASSERT_NE(begin, std::string::npos) << table;
    const std::string section = text.substr(begin, text.find("\n## ", begin + 1) - begin);
    EXPECT_NE(section.find("| `" + column + "` |"), std::string::npos) << table << "." << column;
    ++seen;
  }
  EXPECT_EQ(seen, 162);
}

}  // namespace
}  // namespace evenbench::record
