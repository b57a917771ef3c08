#include "calibrate/store.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

namespace evenbench::calibrate {
namespace {

using testing::HasSubstr;

Calibration sample() {
  Calibration out;
  out.machine = {"AMD \"EPYC\"", "2", "6.1", "0.1.0", "Debug"};
  out.made = "2026-12-01T00:00:00Z";
  out.workers = 2;
  out.limit(Quantity::kStreams) = {4096, std::nullopt, LimitedBy::kBound, ""};
  out.limit(Quantity::kTokenRate) = {50'000.5, 60'000, LimitedBy::kServer, "the server was late"};
  out.limit(Quantity::kRequestRate) = {0, 50, LimitedBy::kClient, "3 requests failed"};
  return out;
}

class Store : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "calibrate-XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST(CalibrationJson, ReadsBackAsItWasWritten) {
  const auto back = from_json(to_json(sample()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, sample());
}

TEST(CalibrationJson, WhatIsNoCalibrationIsRefusedWithItsReason) {
  for (const char* text : {"", "[]", "{\"evenbench_calibration\":1}"}) {
    EXPECT_FALSE(from_json(text)) << text;
  }
  std::string later = to_json(sample());
  const std::string version = "\"evenbench_calibration\": 1";
  later.replace(later.find(version), version.size(), "\"evenbench_calibration\": 2");
  EXPECT_EQ(from_json(later).error().message, "it is of another version");
}

TEST_F(Store, WhatWasSavedIsLoadedOnTheSameMachineOnly) {
  const auto file = folder_ / "state" / "calibration.json";
  ASSERT_TRUE(save(sample(), file));
  std::string why;
  EXPECT_EQ(load(file, sample().machine, why), sample());
  for (auto change : {&Machine::cpu_model, &Machine::cores, &Machine::kernel, &Machine::evenbench,
                      &Machine::build}) {
    Machine other = sample().machine;
    other.*change += "x";
    EXPECT_FALSE(load(file, other, why));
    EXPECT_THAT(why, HasSubstr("another machine"));
  }
}

TEST_F(Store, SavingLeavesNothingButTheFile) {
  const auto file = folder_ / "calibration.json";
  ASSERT_TRUE(save(sample(), file));
  ASSERT_TRUE(save(sample(), file));
  const std::filesystem::directory_iterator entries(folder_);
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST_F(Store, AFolderThatCannotBeMadeIsNamedWithTheRemedy) {
  std::ofstream(folder_ / "file") << "x";
  const auto saved = save(sample(), folder_ / "file" / "calibration.json");
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().message, HasSubstr("XDG_STATE_HOME"));
}

TEST_F(Store, NoFileAndABrokenFileAreNoCalibration) {
  std::string why;
  EXPECT_FALSE(load(folder_ / "none.json", {}, why));
  EXPECT_EQ(why, "evenbench calibrate has not been run here");
  std::ofstream(folder_ / "broken.json") << "{";
  EXPECT_FALSE(load(folder_ / "broken.json", {}, why));
  EXPECT_THAT(why, HasSubstr("cannot be read"));
}

TEST(CalibrationMachine, IsMadeOfTheFactsThatMatter) {
  const Machine machine = machine_of(
      {{"cpu_model", "M", ""}, {"memory", "1", ""}, {"cores", "4", ""}, {"kernel", "K", ""}}, "1.0",
      "Release");
  EXPECT_EQ(machine, (Machine{"M", "4", "K", "1.0", "Release"}));
}

}  // namespace
}  // namespace evenbench::calibrate
