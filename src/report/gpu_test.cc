#include "report/gpu.h"

#include <gmock/gmock.h>

#include "report/report.h"
#include "report/summary.h"
#include "report/testing/sample_run.h"

namespace evenbench::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

judge::JudgedRun sampled_run() {
  judge::JudgedRun run = testing::sample_run();
  judge::JudgedGpu gpu;
  gpu.visit = 2;
  gpu.block = 2;
  gpu.gpu = 3;
  gpu.uuid = "GPU-aa";
  gpu.name = "NVIDIA A100-SXM4-80GB";
  gpu.source = "NVML";
  gpu.facts = {{"driver", "580.1"}};
  gpu.total_bytes = 80 * kGiB;
  gpu.idle_bytes = 0;
  gpu.ready_bytes = 70 * kGiB;
  gpu.peak_bytes = 71 * kGiB + kGiB / 2;
  gpu.after_bytes = kGiB;
  run.systems[0].gpus = {gpu};
  return run;
}

TEST(GpuTable, HasTheFourInstantsAndADashForWhatWasNotRead) {
  const Table table = gpu_table(sampled_run());
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.rows[0].cells,
              ::testing::ElementsAre("north", "2", "3: NVIDIA A100-SXM4-80GB", "80.00", "0.00",
                                     "70.00", "71.50", "–", "1.00", "NVML"));
  EXPECT_EQ(table.columns.size(), table.rows[0].cells.size());
}

TEST(GpuTable, StandsInPageAndMarkdownWithWhatAPeakIsWorth) {
  const judge::JudgedRun run = sampled_run();
  for (const std::string& text : {markdown(run), html(run)}) {
    EXPECT_THAT(text, HasSubstr("the peak is a setting, not a result"));
    EXPECT_THAT(text, HasSubstr("71.50"));
  }
}

TEST(GpuTable, IsNotThereWhereNothingWasSampled) {
  const judge::JudgedRun run = testing::sample_run();
  for (const std::string& text : {markdown(run), html(run)})
    EXPECT_THAT(text, Not(HasSubstr("GPU memory")));
  EXPECT_FALSE(summary_of(run)["systems"][0].contains("gpu_memory"));
}

TEST(GpuSummary, HoldsBytesAndLeavesOutWhatWasNotRead) {
  const auto gpu = summary_of(sampled_run())["systems"][0]["gpu_memory"][0];
  EXPECT_EQ(gpu["visit"], 2);
  EXPECT_EQ(gpu["gpu"], 3);
  EXPECT_EQ(gpu["idle_bytes"], 0);
  EXPECT_EQ(gpu["peak_bytes"], 71 * kGiB + kGiB / 2);
  EXPECT_EQ(gpu["after_bytes"], kGiB);
  EXPECT_FALSE(gpu.contains("engine_peak_bytes"));
  EXPECT_EQ(gpu["facts"]["driver"], "580.1");
}

TEST(GpuCsv, HasACellForEveryColumnAndNoneForWhatWasNotRead) {
  EXPECT_EQ(gpu_csv_header(),
            "at_s,system,block,visit,gpu,memory_used_bytes,engine_memory_bytes,gpu_utilisation,"
            "memory_utilisation,power_watts,temperature_celsius,sm_clock_mhz,memory_clock_mhz,"
            "throttle_reasons\r\n");
  judge::GpuPoint point;
  point.at_s = 1.5;
  point.system = "a, b";
  point.block = 2;
  point.visit = 3;
  point.gpu = 4;
  EXPECT_EQ(gpu_csv_row(point), "1.500000,\"a, b\",2,3,4,,,,,,,,,\r\n");
  point.used_bytes = 5;
  point.engine_bytes = 6;
  point.utilisation = 0.75;
  point.memory_utilisation = 0;
  point.power_watts = 250.5;
  point.temperature_celsius = 61;
  point.sm_clock_mhz = 1410;
  point.memory_clock_mhz = 1593;
  point.throttle_reasons = 0x24;
  EXPECT_EQ(gpu_csv_row(point), "1.500000,\"a, b\",2,3,4,5,6,0.75,0,250.5,61,1410,1593,0x24\r\n");
}

}  // namespace
}  // namespace evenbench::report
