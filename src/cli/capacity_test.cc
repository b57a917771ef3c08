#include "cli/capacity.h"

#include <gmock/gmock.h>

#include "cli/spec_yaml.h"

namespace evenbench::cli {
namespace {

using calibrate::Quantity;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

struct Planned {
  Spec spec;
  RunPlan plan;
};
Planned planned(const std::string& load, const std::string& more = "") {
  auto spec = parse_spec(
      "evenbench: 1\nsystems:\n  - { name: a, engine: openai, attach: { url: "
      "'http://127.0.0.1:1' } }\nworkload:\n  lengths: { input: 10, output: 20 "
      "}\nload:\n" +
          load + more,
      "test");
  EXPECT_TRUE(spec) << spec.error().message;
  auto plan = plan_run(*spec);
  EXPECT_TRUE(plan);
  return {*spec, *plan};
}

const std::vector<int> kSixteen = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
const char* const kLadder = "  ladder: { rates: [5, 40, 10], measure: 5s }\n";
const char* const kClosed = "  closed: { concurrency: [8, 900], measure: 5s }\n";

KnownCalibration known(double streams) {
  KnownCalibration out;
  out.calibration.emplace();
  out.calibration->limit(Quantity::kStreams).holds = streams;
  return out;
}

TEST(Peaks, AreThoseOfTheStepThatAsksForMost) {
  const Planned ladder = planned(kLadder);
  EXPECT_THAT(peaks_of(ladder.spec, ladder.plan),
              ElementsAre(std::nullopt, Optional(800.0), Optional(40.0)));
  const Planned closed = planned(kClosed);
  EXPECT_THAT(peaks_of(closed.spec, closed.plan),
              ElementsAre(Optional(900.0), std::nullopt, std::nullopt));
}

TEST(Peaks, WithoutStreamingThereIsNoTokenRate) {
  const Planned whole = planned(kLadder, "request: { stream: false }\n");
  EXPECT_FALSE(peaks_of(whole.spec, whole.plan)[1]);
}

TEST(Capacity, WorkersAreThoseAskedForUnlessAuto) {
  const Planned asked = planned(kClosed, "client: { workers: 3 }\n");
  EXPECT_EQ(capacity_of(asked.spec, asked.plan, known(1000), kSixteen).workers, 3U);
  const Planned automatic = planned(kClosed, "client: { workers: auto }\n");
  const Capacity capacity = capacity_of(automatic.spec, automatic.plan, known(1000), kSixteen);
  EXPECT_EQ(capacity.workers, 2U);
  EXPECT_TRUE(capacity.warnings.empty());
  EXPECT_THAT(print_capacity(capacity), HasSubstr("client: 2 workers (auto: 900 streams x 1.5"));
}

TEST(Capacity, CpusThatWereNamedAreAllForTheWorkers) {
  const Planned two = planned(kClosed, "client: { workers: auto, cpus: '0,1' }\n");
  EXPECT_EQ(capacity_of(two.spec, two.plan, known(100), {0, 1}).workers, 2U);
}

TEST(Capacity, CpusThatCannotBeHadAreNamedWithThoseThatCan) {
  ClientSpec client;
  EXPECT_TRUE(cpus_can_be_had(client, {0, 1}));
  client.cpus = {1, 0};
  EXPECT_TRUE(cpus_can_be_had(client, {0, 1}));
  client.cpus = {1, 7, 63};
  const auto had = cpus_can_be_had(client, {0, 1});
  ASSERT_FALSE(had);
  EXPECT_EQ(had.error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(had.error().message, HasSubstr("names CPU 7, 63,"));
  EXPECT_THAT(had.error().message, HasSubstr("it may use 0, 1; name CPUs of these"));
  EXPECT_TRUE(cpus_can_be_had(client, {}));  // the system does not say which
}

TEST(Capacity, APlanBeyondTheCalibrationIsWarnedOf) {
  const Planned closed = planned(kClosed);
  const Capacity capacity = capacity_of(closed.spec, closed.plan, known(1000), kSixteen);
  ASSERT_EQ(capacity.warnings.size(), 1U);
  EXPECT_THAT(print_capacity(capacity),
              HasSubstr("warning: beyond_calibration: the plan asks for 900 streams"));
}

TEST(Capacity, ALimitThatABusyMachineHidIsSaidNotToBeCompared) {
  const Planned closed = planned(kClosed);
  KnownCalibration busy = known(0);
  busy.calibration->limit(Quantity::kStreams).by = calibrate::LimitedBy::kServer;
  const Capacity capacity = capacity_of(closed.spec, closed.plan, busy, kSixteen);
  EXPECT_TRUE(capacity.warnings.empty());
  EXPECT_THAT(capacity.note, HasSubstr("(streams): the machine was too busy"));
  EXPECT_EQ(capacity_of(closed.spec, closed.plan, known(1000), kSixteen).note, "");
}

TEST(Capacity, WithoutACalibrationOneLineSaysSoAndNothingIsWarnedOf) {
  const Planned closed = planned(kClosed);
  KnownCalibration none;
  none.why_none = "evenbench calibrate has not been run here";
  const Capacity capacity = capacity_of(closed.spec, closed.plan, none, kSixteen);
  EXPECT_TRUE(capacity.warnings.empty());
  EXPECT_THAT(print_capacity(capacity), HasSubstr("evenbench calibrate has not been run here\n"));
}

}  // namespace
}  // namespace evenbench::cli
