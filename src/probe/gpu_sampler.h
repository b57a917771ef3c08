// Samples GPUs again and again beside a load, from a thread of its own: whoever is measured neither
// waits for it nor hears of it. Knows nothing of where the samples go.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/time.h"
#include "probe/gpu.h"

namespace evenbench::probe {

// The most memory that was in use on each GPU. A sample without the figure changes nothing.
class GpuPeaks {
 public:
  void add(const std::vector<GpuSample>& samples);
  [[nodiscard]] std::optional<std::uint64_t> of(int gpu) const;

 private:
  std::map<int, std::uint64_t> peaks_;
};

// When to sample next: a period after the last began, but at least as long after its end as it
// took, so that a slow driver is left alone for half of the time.
MonoTime next_sample(MonoTime began, MonoTime ended, Nanos period);

class GpuSampler {
 public:
  // From the sampler's thread.
  using Take = std::function<void(MonoTime at, const std::vector<GpuSample>&)>;
  // Begins at once; `source` is used by nobody else until stop().
  GpuSampler(GpuSource& source, Nanos period, const Clock& clock, Take take);
  ~GpuSampler();
  GpuSampler(const GpuSampler&) = delete;
  GpuSampler& operator=(const GpuSampler&) = delete;

  // After a last sample, so that what was reached at the end of a load is seen.
  void stop();
  // After stop().
  [[nodiscard]] const GpuPeaks& peaks() const { return peaks_; }

 private:
  void run();

  GpuSource& source_;
  Nanos period_;
  const Clock& clock_;
  Take take_;
  GpuPeaks peaks_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace evenbench::probe
