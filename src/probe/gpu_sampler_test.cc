#include "probe/gpu_sampler.h"

#include <gtest/gtest.h>

namespace evenbench::probe {
namespace {

using std::chrono::milliseconds;

GpuSample used(int gpu, std::optional<std::uint64_t> bytes) {
  GpuSample sample;
  sample.gpu = gpu;
  sample.used_bytes = bytes;
  return sample;
}

TEST(GpuPeaks, AreTheMostOfEachCard) {
  GpuPeaks peaks;
  peaks.add({used(0, 5), used(1, 70)});
  peaks.add({used(0, 9), used(1, 60)});
  peaks.add({used(0, 7), used(1, 65)});
  EXPECT_EQ(peaks.of(0), 9U);
  EXPECT_EQ(peaks.of(1), 70U);
}

TEST(GpuPeaks, ASampleWithoutTheFigureChangesNothing) {
  GpuPeaks peaks;
  peaks.add({used(0, std::nullopt)});
  EXPECT_FALSE(peaks.of(0));
  peaks.add({used(0, 3)});
  peaks.add({used(0, std::nullopt)});
  EXPECT_EQ(peaks.of(0), 3U);
  EXPECT_FALSE(peaks.of(1));
}

TEST(NextSample, IsAPeriodAfterTheLastBegan) {
  const MonoTime began{milliseconds{1000}};
  EXPECT_EQ(next_sample(began, began + milliseconds{2}, milliseconds{100}),
            began + milliseconds{100});
}

TEST(NextSample, ASlowDriverIsLeftAloneForHalfOfTheTime) {
  const MonoTime began{milliseconds{1000}};
  EXPECT_EQ(next_sample(began, began + milliseconds{80}, milliseconds{100}),
            began + milliseconds{160});
}

}  // namespace
}  // namespace evenbench::probe
