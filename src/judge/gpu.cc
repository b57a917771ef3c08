#include "judge/gpu.h"

#include <algorithm>
#include <map>

#include "judge/findings.h"
#include "judge/manifest.h"
#include "record/reader.h"

namespace evenbench::judge {
namespace {

void set_figures(GpuPoint& point, const record::GpuSampleRow& sample) {
  point.gpu = sample.gpu;
  point.used_bytes = sample.memory_used_bytes;
  point.engine_bytes = sample.engine_memory_bytes;
  point.utilisation = sample.gpu_utilisation;
  point.memory_utilisation = sample.memory_utilisation;
  point.power_watts = sample.power_watts;
  point.temperature_celsius = sample.temperature_celsius;
  point.sm_clock_mhz = sample.sm_clock_mhz;
  point.memory_clock_mhz = sample.memory_clock_mhz;
  point.throttle_reasons = sample.throttle_reasons;
}

}  // namespace

Result<std::vector<JudgedGpu>> gpus_of(const record::Reader& run, const record::VisitRow& visit) {
  std::map<int, std::uint64_t> engine_peaks;
  const auto read = run.for_each_gpu_sample(visit.id, [&](const record::GpuSampleRow& sample) {
    if (!sample.engine_memory_bytes) return;
    std::uint64_t& peak = engine_peaks[sample.gpu];
    peak = std::max(peak, *sample.engine_memory_bytes);
  });
  if (!read) return read.error();
  std::vector<JudgedGpu> out;
  for (const record::GpuRow& row : run.gpus()) {
    if (row.visit_id != visit.id) continue;
    JudgedGpu gpu;
    gpu.visit = visit_number(run, visit);
    gpu.block = visit.block;
    gpu.gpu = row.gpu;
    gpu.uuid = row.uuid;
    gpu.name = row.name;
    gpu.source = row.source;
    for (const ManifestEntry& fact : manifest_from(row.facts_json))
      gpu.facts.emplace_back(fact.key, fact.value);
    gpu.total_bytes = row.total_bytes;
    gpu.idle_bytes = row.idle_bytes;
    gpu.ready_bytes = row.ready_bytes;
    gpu.peak_bytes = row.peak_bytes;
    gpu.after_bytes = row.after_bytes;
    if (const auto peak = engine_peaks.find(row.gpu); peak != engine_peaks.end())
      gpu.engine_peak_bytes = peak->second;
    out.push_back(std::move(gpu));
  }
  std::sort(out.begin(), out.end(),
            [](const JudgedGpu& a, const JudgedGpu& b) { return a.gpu < b.gpu; });
  return out;
}

Result<void> for_each_gpu_point(const record::Reader& run,
                                const std::function<void(const GpuPoint&)>& take) {
  for (const record::VisitRow& visit : run.visits()) {
    GpuPoint point;
    point.visit = visit_number(run, visit);
    point.block = visit.block;
    for (const record::SystemRow& system : run.systems())
      if (system.id == visit.system_id) point.system = system.name;
    const auto read = run.for_each_gpu_sample(visit.id, [&](const record::GpuSampleRow& sample) {
      if (!observed(sample.at) || !observed(run.run().anchor)) return;
      point.at_s = to_seconds(sample.at - run.run().anchor);
      set_figures(point, sample);
      take(point);
    });
    if (!read) return read.error();
  }
  return {};
}

}  // namespace evenbench::judge
