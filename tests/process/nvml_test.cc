// Against the fake library of tests/fake_nvml: what is asked for, and what its absence means.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "launched.h"
#include "probe/gpu_sampler.h"
#include "probe/nvml.h"

namespace evenbench::process_tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr const char* kNew = EVENBENCH_FAKE_NVML_NEW;
constexpr const char* kOld = EVENBENCH_FAKE_NVML_OLD;
constexpr const char* kThree =
    "device 85899345920 536870912 1073741824 NVIDIA A100-SXM4-80GB\n"
    "device 85899345920 536870912 0 NVIDIA A100-SXM4-80GB\n"
    "device 25769803776 268435456 2147483648 NVIDIA GeForce RTX 3090\n";

class Nvml : public ::testing::Test {
 protected:
  Nvml() { ::setenv("EVENBENCH_FAKE_NVML", scratch_.path("gpus").c_str(), 1); }
  void say(const std::string& text) const { std::ofstream(scratch_.path("gpus")) << text; }

  Scratch scratch_;
};

std::string fact(const probe::GpuDevice& device, const std::string& key) {
  for (const auto& fact : device.facts)
    if (fact.key == key) return fact.value;
  return "absent";
}

TEST_F(Nvml, SeesThreeCardsAndTheirFacts) {
  say(kThree);
  const auto source = probe::open_nvml(kNew, {});
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ((*source)->name(), "NVML");
  const auto& devices = (*source)->devices();
  ASSERT_EQ(devices.size(), 3U);
  EXPECT_EQ(devices[0].name, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(devices[2].name, "NVIDIA GeForce RTX 3090");
  EXPECT_EQ(devices[2].index, 2);
  EXPECT_EQ(devices[2].uuid, "GPU-00000002");
  EXPECT_EQ(devices[2].total_bytes, 24 * kGiB);
  EXPECT_EQ(fact(devices[0], "driver"), "580.65.06");
  EXPECT_EQ(fact(devices[0], "compute_capability"), "9.0");
  EXPECT_EQ(fact(devices[0], "power_limit_watts"), "400");
  EXPECT_EQ(fact(devices[0], "clocks"), "SM up to 1980 MHz, memory up to 2619 MHz");
  EXPECT_EQ(fact(devices[0], "ecc"), "enabled");
  EXPECT_EQ(fact(devices[0], "ecc_uncorrected"), "2");
  EXPECT_EQ(fact(devices[0], "mig"), "disabled");
  EXPECT_EQ(fact(devices[0], "persistence"), "enabled");
  EXPECT_EQ(fact(devices[0], "reserved_bytes"), "536870912");
  EXPECT_EQ(fact(devices[0], "memory_counted"), "used without the driver's reserve");
}

TEST_F(Nvml, ASampleHasEveryFigureAndTheReserveApart) {
  say(kThree);
  const auto source = probe::open_nvml(kNew, {});
  ASSERT_TRUE(source);
  const auto samples = (*source)->sample();
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_EQ(samples[0].used_bytes, kGiB);
  EXPECT_EQ(samples[1].used_bytes, 0U);
  EXPECT_EQ(samples[0].utilisation, 0.75);
  EXPECT_EQ(samples[0].memory_utilisation, 0.4);
  EXPECT_EQ(samples[0].power_watts, 250.5);
  EXPECT_EQ(samples[0].temperature_celsius, 61);
  EXPECT_EQ(samples[0].sm_clock_mhz, 1410);
  EXPECT_EQ(samples[0].memory_clock_mhz, 1593);
  EXPECT_EQ(samples[0].throttle_reasons, 4U);
}

TEST_F(Nvml, SeesOnlyTheCardsOfTheSpecUnderTheirOwnNumbers) {
  say(kThree);
  const auto source = probe::open_nvml(kNew, {2, 1});
  ASSERT_TRUE(source);
  const auto samples = (*source)->sample();
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(samples[0].gpu, 1);
  EXPECT_EQ(samples[1].gpu, 2);
  EXPECT_EQ(samples[1].used_bytes, 2 * kGiB);
}

TEST_F(Nvml, WhatTheCardDoesNotSupportIsAbsent) {
  say(std::string(kThree) +
      "unsupported nvmlDeviceGetPowerUsage\nunsupported nvmlDeviceGetUtilizationRates\n"
      "unsupported nvmlDeviceGetEccMode\nunsupported nvmlDeviceGetMigMode\n");
  const auto source = probe::open_nvml(kNew, {0});
  ASSERT_TRUE(source);
  EXPECT_EQ(fact((*source)->devices()[0], "ecc"), "absent");
  EXPECT_EQ(fact((*source)->devices()[0], "mig"), "absent");
  const auto sample = (*source)->sample()[0];
  EXPECT_FALSE(sample.power_watts);
  EXPECT_FALSE(sample.utilisation);
  EXPECT_FALSE(sample.memory_utilisation);
  EXPECT_EQ(sample.temperature_celsius, 61);
  EXPECT_EQ(sample.used_bytes, kGiB);
}

TEST_F(Nvml, AnOldLibraryCountsTheReserveAndSaysSo) {
  say(kThree);
  const auto source = probe::open_nvml(kOld, {0});
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ((*source)->sample()[0].used_bytes, kGiB + kGiB / 2);
  EXPECT_FALSE((*source)->sample()[0].throttle_reasons);
  EXPECT_EQ(fact((*source)->devices()[0], "memory_counted"), "used with the driver's reserve");
  EXPECT_EQ(fact((*source)->devices()[0], "reserved_bytes"), "absent");
  EXPECT_EQ(fact((*source)->devices()[0], "compute_capability"), "absent");
}

TEST_F(Nvml, NamesWhoHoldsTheMemoryInBothLayouts) {
  const auto self = std::to_string(::getpid());
  say(std::string(kThree) + "holds 1 " + self + " 1000\nholds 2 " + self +
      " 18446744073709551615\n");
  for (const char* library : {kNew, kOld}) {
    const auto source = probe::open_nvml(library, {});
    ASSERT_TRUE(source);
    const auto holders = (*source)->holders();
    ASSERT_EQ(holders.size(), 2U) << library;
    EXPECT_EQ(holders[0].gpu, 1);
    EXPECT_EQ(holders[0].pid, ::getpid());
    EXPECT_EQ(holders[0].bytes, 1000U);
    EXPECT_EQ(holders[1].gpu, 2);
    EXPECT_FALSE(holders[1].bytes) << "all ones stand for: not available";
  }
}

TEST_F(Nvml, ManyHoldersAreAllNamed) {
  std::string text = "device 1000000 0 0 card\n";
  for (int i = 0; i < 100; ++i) text += "holds 0 " + std::to_string(::getpid()) + " 1\n";
  say(text);
  const auto source = probe::open_nvml(kNew, {});
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->holders().size(), 100U);
}

TEST_F(Nvml, ADriverThatIsNotLoadedIsSaid) {
  say(std::string(kThree) + "init 9\n");
  EXPECT_THAT(probe::open_nvml(kNew, {}).error().message, HasSubstr("Driver Not Loaded"));
}

TEST_F(Nvml, NoCardNoLibraryAndAnotherLibraryAreSaid) {
  say("");
  EXPECT_THAT(probe::open_nvml(kNew, {}).error().message, HasSubstr("sees 0 GPUs"));
  say(kThree);
  EXPECT_THAT(probe::open_nvml(kNew, {9}).error().message, HasSubstr("sees 3 GPUs"));
  EXPECT_THAT(probe::open_nvml("libno-such-nvml.so.1", {}).error().message,
              HasSubstr("libno-such-nvml.so.1"));
  EXPECT_THAT(probe::open_nvml("libm.so.6", {}).error().message, HasSubstr("is no NVML"));
}

TEST_F(Nvml, TheSamplerTakesALastSampleAtItsStop) {
  say("device 1000000 0 100 card\n");
  auto source = probe::open_nvml(kNew, {});
  ASSERT_TRUE(source);
  const SystemClock clock;
  std::atomic<int> taken{0};
  probe::GpuSampler sampler(**source, std::chrono::hours{1}, clock,
                            [&](MonoTime, const std::vector<probe::GpuSample>&) { ++taken; });
  ASSERT_TRUE(eventually([&] { return taken == 1; }));
  say("device 1000000 0 900 card\n");
  sampler.stop();
  EXPECT_EQ(taken, 2);
  EXPECT_EQ(sampler.peaks().of(0), 900U);
}

TEST_F(Nvml, TheSamplerTakesSampleAfterSampleAndKnowsThePeak) {
  say("device 1000000 0 100 card\n");
  auto source = probe::open_nvml(kNew, {});
  ASSERT_TRUE(source);
  const SystemClock clock;
  std::atomic<int> taken{0};
  std::vector<MonoTime> instants;
  probe::GpuSampler sampler(**source, std::chrono::milliseconds{20}, clock,
                            [&](MonoTime at, const std::vector<probe::GpuSample>&) {
                              instants.push_back(at);
                              ++taken;
                            });
  ASSERT_TRUE(eventually([&] { return taken >= 2; }));
  say("device 1000000 0 700 card\n");
  const int before = taken;
  ASSERT_TRUE(eventually([&] { return taken >= before + 2; }));
  say("device 1000000 0 200 card\n");
  const int after = taken;
  ASSERT_TRUE(eventually([&] { return taken >= after + 2; }));
  sampler.stop();
  EXPECT_EQ(sampler.peaks().of(0), 700U);
  EXPECT_EQ(static_cast<int>(instants.size()), taken);
  EXPECT_TRUE(std::is_sorted(instants.begin(), instants.end()));
}

}  // namespace
}  // namespace evenbench::process_tests
