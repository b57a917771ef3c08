#include "probe/nvidia_smi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::probe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kTwoCards =
    "0, GPU-aa, NVIDIA A100-SXM4-80GB, 81920, 580.65.06, 615, 400.00, 1410, 1593, 8.0, Enabled, 0, "
    "Disabled, Enabled\n"
    "1, GPU-bb, NVIDIA GeForce RTX 3090, 24576, 580.65.06, [N/A], [Not Supported], 2100, 9751, "
    "8.6, [N/A], [N/A], [N/A], Disabled\n";

std::string fact(const GpuDevice& device, const std::string& key) {
  for (const HostFact& fact : device.facts)
    if (fact.key == key) return fact.value;
  return "absent";
}

// An nvidia-smi that knows some fields, with one answer for each kind of question.
struct FakeProgram {
  std::string unknown;  // a field that this version does not know
  std::string devices, samples, holders;
  std::vector<std::string> asked;

  RunProgram run() {
    return [this](const std::vector<std::string>& argv) -> Result<std::string> {
      asked.push_back(argv[1]);
      if (!unknown.empty() && argv[1].find(unknown) != std::string::npos)
        return environment_error("Field \"" + unknown + "\" is not a valid field to query.");
      if (argv[1].find("compute-apps") != std::string::npos) return holders;
      return argv[1].find("uuid") != std::string::npos ? devices : samples;
    };
  }
};

TEST(NvidiaSmi, FieldsThatAreNotAvailableAreEmpty) {
  EXPECT_THAT(nvidia_smi::fields_of("1, [N/A], [Not Supported], N/A, a b ,"),
              ElementsAre("1", "", "", "", "a b", ""));
}

TEST(NvidiaSmi, ReadsEveryCardAndWhatItTells) {
  const auto devices = nvidia_smi::parse_devices(kTwoCards, nvidia_smi::kDeviceFields);
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0].name, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(devices[0].uuid, "GPU-aa");
  EXPECT_EQ(devices[0].total_bytes, 81920ULL << 20);
  EXPECT_EQ(fact(devices[0], "power_limit_watts"), "400");
  EXPECT_EQ(fact(devices[0], "clocks"), "SM up to 1410 MHz, memory up to 1593 MHz");
  EXPECT_EQ(fact(devices[0], "ecc"), "enabled");
  EXPECT_EQ(fact(devices[0], "mig"), "disabled");
  EXPECT_EQ(fact(devices[0], "reserved_bytes"), "644874240");
  EXPECT_EQ(devices[1].index, 1);
  EXPECT_EQ(fact(devices[1], "compute_capability"), "8.6");
  EXPECT_EQ(fact(devices[1], "power_limit_watts"), "absent");
  EXPECT_EQ(fact(devices[1], "mig"), "absent");
  EXPECT_EQ(fact(devices[1], "memory_counted"), "absent");
}

TEST(NvidiaSmi, ASampleIsInBytesAndShares) {
  const auto samples = nvidia_smi::parse_samples(
      "0, 40960, 87, 35, 250.50, 61, 1410, 1593, 0x0000000000000024\n", nvidia_smi::kSampleFields);
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_EQ(samples[0].used_bytes, 40960ULL << 20);
  EXPECT_EQ(samples[0].utilisation, 0.87);
  EXPECT_EQ(samples[0].memory_utilisation, 0.35);
  EXPECT_EQ(samples[0].power_watts, 250.5);
  EXPECT_EQ(samples[0].temperature_celsius, 61);
  EXPECT_EQ(samples[0].sm_clock_mhz, 1410);
  EXPECT_EQ(samples[0].memory_clock_mhz, 1593);
  EXPECT_EQ(samples[0].throttle_reasons, 0x24U);
}

TEST(NvidiaSmi, WhatACardDoesNotTellIsAbsentAndNotZero) {
  const auto samples = nvidia_smi::parse_samples(
      "3, 12, [N/A], [N/A], [Unknown Error], [N/A], [N/A], [N/A], [N/A]\n",
      nvidia_smi::kSampleFields);
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_EQ(samples[0].gpu, 3);
  EXPECT_EQ(samples[0].used_bytes, 12ULL << 20);
  EXPECT_FALSE(samples[0].utilisation);
  EXPECT_FALSE(samples[0].power_watts);
  EXPECT_FALSE(samples[0].throttle_reasons);
}

TEST(NvidiaSmi, LinesThatAreNoRowsAreLeftOut) {
  EXPECT_TRUE(
      nvidia_smi::parse_samples("No devices were found\n\n", nvidia_smi::kSampleFields).empty());
  EXPECT_TRUE(nvidia_smi::parse_samples("0, 1, 2, 3, 4, 5, 6, 7, 0x8, one too many\n",
                                        nvidia_smi::kSampleFields)
                  .empty());
}

TEST(NvidiaSmi, AHolderHasItsCardItsBytesAndANameThatMayHoldCommas) {
  const auto devices = nvidia_smi::parse_devices(kTwoCards, nvidia_smi::kDeviceFields);
  const auto holders = nvidia_smi::parse_holders(
      "GPU-bb, 4711, 20480, python3, with a comma\nGPU-aa, 12, [N/A], [Not Found]\n"
      "GPU-cc, 13, 1, of a card that is not looked at\n",
      devices);
  ASSERT_EQ(holders.size(), 2U);
  EXPECT_EQ(holders[0].gpu, 1);
  EXPECT_EQ(holders[0].pid, 4711);
  EXPECT_EQ(holders[0].bytes, 20480ULL << 20);
  EXPECT_EQ(holders[0].command, "python3, with a comma");
  EXPECT_EQ(holders[1].gpu, 0);
  EXPECT_FALSE(holders[1].bytes);
  EXPECT_EQ(holders[1].command, "");
}

TEST(NvidiaSmi, SamplesOnlyTheCardsOfTheSpec) {
  FakeProgram program{"",
                      kTwoCards,
                      "0, 1, 1, 1, 1, 1, 1, 1, 0x0\n1, 2, 2, 2, 2, 2, 2, 2, 0x0\n",
                      "GPU-aa, 12, 1, x\n",
                      {}};
  const auto source = open_nvidia_smi(program.run(), {1}, "why");
  ASSERT_TRUE(source);
  ASSERT_EQ((*source)->devices().size(), 1U);
  EXPECT_EQ((*source)->why(), "why");
  const auto samples = (*source)->sample();
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_EQ(samples[0].gpu, 1);
  EXPECT_EQ(samples[0].used_bytes, 2ULL << 20);
  EXPECT_TRUE((*source)->holders().empty());
}

TEST(NvidiaSmi, AnOlderProgramIsAskedByTheOlderNameFromThenOn) {
  FakeProgram program{"clocks_event_reasons", kTwoCards, "0, 1, 1, 1, 1, 1, 1, 1, 0x4\n", "", {}};
  const auto source = open_nvidia_smi(program.run(), {0}, "");
  ASSERT_TRUE(source);
  program.asked.clear();
  EXPECT_EQ((*source)->sample()[0].throttle_reasons, 4U);
  EXPECT_EQ((*source)->sample()[0].throttle_reasons, 4U);
  EXPECT_THAT(program.asked,
              ElementsAre(HasSubstr("event"), HasSubstr("throttle"), HasSubstr("throttle")));
}

TEST(NvidiaSmi, AProgramThatFailsOnceIsAskedTheSameAgain) {
  FakeProgram program{"", kTwoCards, "0, 1, 1, 1, 1, 1, 1, 1, 0x4\n", "", {}};
  const auto source = open_nvidia_smi(program.run(), {0}, "");
  ASSERT_TRUE(source);
  EXPECT_TRUE((*source)->sample()[0].used_bytes);
  program.unknown = "query";
  EXPECT_FALSE((*source)->sample()[0].used_bytes);
  program.unknown = "";
  EXPECT_EQ((*source)->sample()[0].throttle_reasons, 4U);
  EXPECT_THAT(program.asked.back(), HasSubstr("event"));
}

TEST(NvidiaSmi, AVeryOldProgramIsAskedForWhatEveryVersionKnows) {
  FakeProgram program{"compute_cap", "0, GPU-aa, Tesla K80, 11441, 470.1\n", "", "", {}};
  const auto source = open_nvidia_smi(program.run(), {}, "");
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->devices()[0].name, "Tesla K80");
  EXPECT_EQ(fact((*source)->devices()[0], "driver"), "470.1");
}

TEST(NvidiaSmi, ACardThatAnswersNoMoreIsThereWithoutFigures) {
  FakeProgram program{"", kTwoCards, "", "", {}};
  const auto source = open_nvidia_smi(program.run(), {0}, "");
  ASSERT_TRUE(source);
  ASSERT_EQ((*source)->sample().size(), 1U);
  EXPECT_FALSE((*source)->sample()[0].used_bytes);
}

TEST(NvidiaSmi, SaysWhyThereIsNoSource) {
  const RunProgram missing = [](const std::vector<std::string>& argv) -> Result<std::string> {
    return environment_error(argv[0] + ": No such file or directory");
  };
  EXPECT_THAT(open_nvidia_smi(missing, {}, "").error().message, HasSubstr("No such file"));
  FakeProgram program{"", kTwoCards, "", "", {}};
  EXPECT_THAT(open_nvidia_smi(program.run(), {7}, "").error().message, HasSubstr("no GPU"));
}

TEST(NvidiaSmi, IsTheFallbackWhereNvmlIsNotAndNoneSaysWhyOfBoth) {
  FakeProgram program{"", kTwoCards, "", "", {}};
  const auto second = open_gpu_source({{}, program.run(), "/nowhere/libnvidia-ml.so.1"});
  EXPECT_EQ(second->name(), "nvidia-smi");
  EXPECT_THAT(second->why(), HasSubstr("NVML cannot be loaded"));
  const auto none = open_gpu_source({{7}, program.run(), "/nowhere/libnvidia-ml.so.1"});
  EXPECT_EQ(none->name(), "none");
  EXPECT_TRUE(none->devices().empty());
  EXPECT_THAT(none->why(), HasSubstr("NVML cannot be loaded"));
  EXPECT_THAT(none->why(), HasSubstr("nvidia-smi lists no GPU"));
}

}  // namespace
}  // namespace evenbench::probe
