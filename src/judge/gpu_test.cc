#include "judge/gpu.h"

#include <gtest/gtest.h>

#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using testing::at_ms;
using testing::FakeReader;

record::GpuRow card(std::int64_t visit, int gpu, std::uint64_t peak) {
  record::GpuRow row;
  row.visit_id = visit;
  row.gpu = gpu;
  row.name = "card";
  row.source = "NVML";
  row.facts_json = R"({"driver":{"value":"580.1","source":"NVML"}})";
  row.total_bytes = 1000;
  row.idle_bytes = 1;
  row.peak_bytes = peak;
  return row;
}

record::GpuSampleRow sample(std::int64_t visit, int gpu, double ms,
                            std::optional<std::uint64_t> engine) {
  record::GpuSampleRow row;
  row.visit_id = visit;
  row.gpu = gpu;
  row.at = at_ms(ms);
  row.engine_memory_bytes = engine;
  return row;
}

// Two systems, each visited twice; the rows of the second system come between.
FakeReader two_systems() {
  FakeReader run;
  run.system_rows.push_back(run.system_rows[0]);
  run.system_rows[1].id = 2;
  run.system_rows[1].name = "second";
  for (const std::int64_t id : {2, 3}) {
    record::VisitRow visit = run.visit_rows[0];
    visit.id = id;
    visit.system_id = id == 2 ? 2 : run.system_rows[0].id;
    visit.block = id == 3 ? 2 : 1;
    run.visit_rows.push_back(visit);
  }
  return run;
}

TEST(JudgedGpus, AreThoseOfTheVisitWithTheEnginesOwnMost) {
  FakeReader run = two_systems();
  run.gpu_rows = {card(3, 1, 70), card(3, 0, 60), card(2, 0, 50)};
  run.gpu_sample_rows = {sample(3, 0, 1, 40), sample(3, 0, 2, 45), sample(3, 0, 3, 43),
                         sample(3, 1, 1, std::nullopt), sample(2, 0, 1, 99)};
  const auto gpus = gpus_of(run, run.visit_rows[2]).value();
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_EQ(gpus[0].gpu, 0);
  EXPECT_EQ(gpus[0].visit, 2);
  EXPECT_EQ(gpus[0].block, 2);
  EXPECT_EQ(gpus[0].peak_bytes, 60U);
  EXPECT_EQ(gpus[0].engine_peak_bytes, 45U);
  EXPECT_FALSE(gpus[0].ready_bytes);
  ASSERT_EQ(gpus[0].facts.size(), 1U);
  EXPECT_EQ(gpus[0].facts[0], (std::pair<std::string, std::string>{"driver", "580.1"}));
  EXPECT_EQ(gpus[1].peak_bytes, 70U);
  EXPECT_FALSE(gpus[1].engine_peak_bytes);
}

TEST(GpuPoints, ComeWithTheNameOfTheirSystemAndTimeSinceTheRunsStart) {
  FakeReader run = two_systems();
  run.gpu_sample_rows = {sample(2, 0, 1500, 7), sample(3, 4, 2500, std::nullopt)};
  std::vector<GpuPoint> points;
  ASSERT_TRUE(for_each_gpu_point(run, [&](const GpuPoint& point) { points.push_back(point); }));
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].system, "second");
  EXPECT_EQ(points[0].visit, 1);
  EXPECT_DOUBLE_EQ(points[0].at_s, 1.5);
  EXPECT_EQ(points[0].engine_bytes, 7U);
  EXPECT_EQ(points[1].system, run.system_rows[0].name);
  EXPECT_EQ(points[1].visit, 2);
  EXPECT_EQ(points[1].block, 2);
  EXPECT_EQ(points[1].gpu, 4);
}

TEST(JudgedSystems, HaveTheGpusOfAllTheirVisits) {
  FakeReader run = two_systems();
  run.gpu_rows = {card(1, 0, 10), card(2, 0, 20), card(3, 0, 30)};
  const auto judged = judge(run).value();
  ASSERT_EQ(judged.systems.at(0).gpus.size(), 2U);
  EXPECT_EQ(judged.systems[0].gpus[0].peak_bytes, 10U);
  EXPECT_EQ(judged.systems[0].gpus[1].peak_bytes, 30U);
  ASSERT_EQ(judged.systems.at(1).gpus.size(), 1U);
}

}  // namespace
}  // namespace evenbench::judge
