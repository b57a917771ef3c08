#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/tables.h"
#include "report/testing/sample_run.h"

namespace evenbench::report {
namespace {

using judge::Signal;
using ::testing::HasSubstr;
using ::testing::Not;

// The cell of the first step whose column begins with `name`.
std::string cell(const judge::JudgedRun& run, std::string_view name) {
  const Table table = client_table(run);
  const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                   [name](const Column& c) { return c.name.starts_with(name); });
  if (column == table.columns.end()) return "no such column";
  return table.rows.at(0).cells.at(static_cast<std::size_t>(column - table.columns.begin()));
}

judge::JudgedRun broken(std::vector<judge::BrokenLimit> limits) {
  judge::JudgedRun run = testing::sample_run();
  run.systems[0].steps[0].client.broken = std::move(limits);
  return run;
}

TEST(ClientTable, EveryRowHasACellForEveryColumn) {
  const Table table = client_table(testing::sample_run());
  for (const Row& row : table.rows) EXPECT_EQ(row.cells.size(), table.columns.size());
  EXPECT_THAT(table.caption, HasSubstr("by the kernel's stamp (in every system at least 99 %"));
}

TEST(ClientTable, AValueBeyondItsLimitIsMarkedInTheColumnsUnit) {
  EXPECT_EQ(cell(broken({}), "Kernel to program"), "2.50 / 40.0 / 750");
  EXPECT_EQ(cell(broken({{Signal::kDelay, 1.5, 1.0, false}}), "Kernel to program"),
            "2.50 / 40.0 / 750 (> 1,000 !)");
  EXPECT_EQ(cell(broken({{Signal::kDelay, 7.5, 5.0, true}}), "Kernel to program"),
            "2.50 / 40.0 / 750 (> 5,000 !!)");
  EXPECT_EQ(cell(broken({{Signal::kCpuPeak, 0.97, 0.95, true}}), "CPU"),
            "12.5 % / 25.0 % (> 95.0 % !!)");
  EXPECT_EQ(cell(broken({{Signal::kRunQueue, 0.0052, 0.005, false}}), "Waited"),
            "0.10 % (> 0.50 % !)");
  EXPECT_EQ(cell(broken({{Signal::kZeroWindow, 2, 0, true}}), "Closed windows"), "0 (> 0 !!)");
  EXPECT_EQ(cell(broken({{Signal::kSends, 0.9, 0.999, true}}), "Sent"), "120 / 120 (!!)");
}

// One that nobody marks would be a limit that only the reasons tell.
TEST(ClientTable, EverySignalHasItsPlace) {
  for (int i = 0; i <= static_cast<int>(Signal::kConnections); ++i) {
    const Table table = client_table(broken({{static_cast<Signal>(i), 2, 1, true}}));
    const auto& cells = table.rows.at(0).cells;
    EXPECT_EQ(std::count_if(cells.begin(), cells.end(),
                            [](const auto& c) { return c.find("!!") != std::string::npos; }),
              1)
        << judge::name_of(static_cast<Signal>(i));
  }
}

TEST(ClientTable, WhatNobodyObservedIsADashAndNotZero) {
  const judge::JudgedRun run = testing::failed_run();
  for (const char* name :
       {"Kernel to program", "Stalls", "CPU", "Waited", "Receive queue", "Closed windows",
        "Segments", "Refused", "Clock", "Events", "Priority"}) {
    EXPECT_EQ(cell(run, name), "–") << name;
  }
}

TEST(ClientTable, SaysHowManyInstantsLackTheStampThatCountsAndWhoRanFirst) {
  judge::JudgedRun run = testing::sample_run();
  EXPECT_EQ(cell(run, "Stamp"), "kernel, 1 of 15,360 by program");
  EXPECT_EQ(cell(run, "Priority"), "–");
  judge::JudgedStep& step = run.systems[0].steps[0];
  step.instants.by_program = 0;
  step.client.nice = -5;
  EXPECT_EQ(cell(run, "Stamp"), "kernel");
  EXPECT_EQ(cell(run, "Priority"), "nice -5");
  step.client.realtime = true;
  EXPECT_EQ(cell(run, "Priority"), "realtime");
}

}  // namespace
}  // namespace evenbench::report
