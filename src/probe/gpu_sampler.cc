#include "probe/gpu_sampler.h"

#include <algorithm>

namespace evenbench::probe {

void GpuPeaks::add(const std::vector<GpuSample>& samples) {
  for (const GpuSample& sample : samples) {
    if (!sample.used_bytes) continue;
    const auto [peak, is_new] = peaks_.emplace(sample.gpu, *sample.used_bytes);
    if (!is_new) peak->second = std::max(peak->second, *sample.used_bytes);
  }
}

std::optional<std::uint64_t> GpuPeaks::of(int gpu) const {
  const auto peak = peaks_.find(gpu);
  return peak == peaks_.end() ? std::nullopt : std::optional(peak->second);
}

MonoTime next_sample(MonoTime began, MonoTime ended, Nanos period) {
  return std::max(began + period, ended + (ended - began));
}

GpuSampler::GpuSampler(GpuSource& source, Nanos period, const Clock& clock, Take take)
    : source_(source),
      period_(std::max(period, source.finest())),
      clock_(clock),
      take_(std::move(take)),
      thread_([this] { run(); }) {}

GpuSampler::~GpuSampler() {
  stop();
}

void GpuSampler::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void GpuSampler::run() {
  bool last = false;
  while (true) {
    const MonoTime began = clock_.now();
    const std::vector<GpuSample> samples = source_.sample();
    peaks_.add(samples);
    take_(began, samples);
    if (last) return;
    const MonoTime ended = clock_.now();
    std::unique_lock lock(mutex_);
    last = stopped_.wait_for(lock, next_sample(began, ended, period_) - ended,
                             [this] { return stop_; });
  }
}

}  // namespace evenbench::probe
