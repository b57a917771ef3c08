#include "calibrate/headroom.h"

#include <gmock/gmock.h>

namespace evenbench::calibrate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Calibration calibrated(std::uint32_t workers = 1) {
  Calibration out;
  out.workers = workers;
  out.limit(Quantity::kStreams).holds = 1000;
  out.limit(Quantity::kTokenRate).holds = 40'000;
  out.limit(Quantity::kRequestRate).holds = 2'000;
  return out;
}

TEST(Headroom, APlanThatFitsOneAndAHalfTimesIsNotWarnedOf) {
  EXPECT_THAT(beyond({666, 26'000, 1'333}, calibrated(), 1), IsEmpty());
  EXPECT_THAT(beyond({}, calibrated(), 1), IsEmpty());
}

TEST(Headroom, EachLimitThatIsPassedIsSaidWithBothNumbersAndARemedy) {
  EXPECT_THAT(beyond({667, 26'000, 4'000}, calibrated(), 1),
              ElementsAre(AllOf(HasSubstr("667 streams"), HasSubstr("1000 streams"),
                                HasSubstr("--workers")),
                          AllOf(HasSubstr("6000 requests/s"), HasSubstr("2000 requests/s"),
                                HasSubstr("1 worker "))));
}

TEST(Headroom, LimitsAreThoseOfTheWorkersThatWillRun) {
  EXPECT_THAT(beyond({1'000, {}, {}}, calibrated(), 2), IsEmpty());
  EXPECT_THAT(beyond({1'000, {}, {}}, calibrated(4), 4), testing::SizeIs(1));
}

TEST(WorkersFor, TheFewestThatHaveEveryPeakWithItsHeadroom) {
  const std::optional<Calibration> known = calibrated();
  EXPECT_EQ(workers_for({600, {}, {}}, known, 16).workers, 1U);
  EXPECT_EQ(workers_for({667, {}, {}}, known, 16).workers, 2U);
  EXPECT_EQ(workers_for({667, 110'000, 100}, known, 16).workers, 5U);
  EXPECT_THAT(workers_for({667, 110'000, 100}, known, 16).why,
              AllOf(HasSubstr("110000 tokens/s"), HasSubstr("40000 tokens/s a worker")));
  EXPECT_EQ(workers_for({}, known, 16).workers, 1U);
}

TEST(WorkersFor, OneCpuIsLeftForTheRest) {
  const std::optional<Calibration> known = calibrated();
  EXPECT_EQ(workers_for({100'000, {}, {}}, known, 4).workers, 3U);
  EXPECT_THAT(workers_for({100'000, {}, {}}, known, 4).why, HasSubstr("no more than 3 for 4 CPUs"));
  EXPECT_EQ(workers_for({100'000, {}, {}}, known, 1).workers, 1U);
}

TEST(Headroom, ALimitThatABusyMachineHidIsNotCompared) {
  Calibration busy = calibrated();
  busy.limit(Quantity::kStreams) = {0, 8, LimitedBy::kServer, "late"};
  EXPECT_THAT(beyond({5'000, {}, {}}, busy, 1), IsEmpty());
  EXPECT_EQ(workers_for({1'000, {}, {}}, busy, 16).workers, 3U);
  busy.limit(Quantity::kStreams).by = LimitedBy::kClient;
  EXPECT_THAT(beyond({5'000, {}, {}}, busy, 1), testing::SizeIs(1));
}

TEST(WorkersFor, WhatTheClientHeldAtNoLevelTakesAllThereAre) {
  auto known = std::optional(calibrated());
  known->limit(Quantity::kStreams) = {0, 8, LimitedBy::kClient, "late"};
  EXPECT_EQ(workers_for({10, {}, {}}, known, 4).workers, 3U);
}

TEST(WorkersFor, WithoutACalibrationAWorkerIsTakenForLittle) {
  EXPECT_EQ(workers_for({333, {}, {}}, std::nullopt, 16).workers, 1U);
  EXPECT_EQ(workers_for({1'000, {}, {}}, std::nullopt, 16).workers, 3U);
  EXPECT_EQ(workers_for({std::nullopt, 40'000, std::nullopt}, std::nullopt, 16).workers, 3U);
  EXPECT_EQ(workers_for({std::nullopt, std::nullopt, 2'000}, std::nullopt, 16).workers, 3U);
}

}  // namespace
}  // namespace evenbench::calibrate
