#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/report.h"
#include "report/testing/golden.h"
#include "report/testing/sample_run.h"

namespace evenbench::report {
namespace {

using Records = std::vector<std::vector<std::string>>;

// A reader after RFC 4180, independent of the writer.
Records read(const std::string& csv) {
  Records records;
  std::vector<std::string> record(1);
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    if (quoted) {
      if (csv[i] != '"') {
        record.back() += csv[i];
      } else if (i + 1 < csv.size() && csv[i + 1] == '"') {
        record.back() += csv[++i];
      } else {
        quoted = false;
      }
    } else if (csv[i] == '"') {
      quoted = true;
    } else if (csv[i] == ',') {
      record.emplace_back();
    } else if (csv.compare(i, 2, "\r\n") == 0) {
      records.push_back(std::exchange(record, std::vector<std::string>(1)));
      ++i;
    } else {
      record.back() += csv[i];
    }
  }
  return records;
}

std::string cell(const Records& records, std::size_t row, const std::string& column) {
  const auto& header = records.at(0);
  const auto at = std::find(header.begin(), header.end(), column);
  return at == header.end() ? "no column " + column
                            : records.at(row).at(static_cast<std::size_t>(at - header.begin()));
}

TEST(StepsCsv, TheSampleRunIsAsInTheGoldenFile) {
  testing::expect_golden("steps.csv", steps_csv(testing::sample_run()));
}

TEST(StepsCsv, O38a_ARunOfFailuresHasTheColumnsOfAGoodRun) {
  const Records failed = read(steps_csv(testing::failed_run()));
  const Records good = read(steps_csv(testing::sample_run()));
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_EQ(good.size(), 21u);
  EXPECT_EQ(failed[0], good[0]);
  for (const auto& record : failed) EXPECT_EQ(record.size(), good[0].size());
  for (const auto& record : good) EXPECT_EQ(record.size(), good[0].size());
  EXPECT_EQ(cell(failed, 1, "failures"), "3 x http_error: HTTP 500: bad, \"very\" bad\n坏");
  EXPECT_EQ(cell(failed, 1, "ttft_ms_count"), "0");
  EXPECT_EQ(cell(failed, 1, "ttft_ms_p99"), "");
  EXPECT_EQ(cell(failed, 1, "ttft_ms_with_failures_p99"), "unbounded");
  EXPECT_EQ(cell(failed, 1, "sent_rate"), "");
  EXPECT_EQ(cell(failed, 1, "ending_http_error"), "3");
  EXPECT_EQ(cell(failed, 1, "label"), "FAILED");
}

TEST(StepsCsv, AnEmptyFirstFieldDoesNotShiftTheRow) {
  const Records records = read(steps_csv(testing::run_full_of("")));
  for (const auto& record : records) EXPECT_EQ(record.size(), records[0].size());
  EXPECT_EQ(cell(records, 1, "kind"), "ladder");
}

TEST(StepsCsv, ARunThatNeverBeganHasAHeaderAlone) {
  EXPECT_EQ(read(steps_csv(testing::empty_run())).size(), 1u);
}

TEST(StepsCsv, HostileTextStaysInsideItsField) {
  const std::string hostile = "a\",\"b\r\n,;\n<b>";
  const Records records = read(steps_csv(testing::run_full_of(hostile)));
  EXPECT_EQ(records.size(), 21u);
  for (const auto& record : records) EXPECT_EQ(record.size(), records[0].size());
  EXPECT_EQ(cell(records, 1, "system"), hostile);
}

}  // namespace
}  // namespace evenbench::report
