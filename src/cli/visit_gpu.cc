#include "cli/visit_gpu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/remote.h"
#include "engine/brief_command.h"
#include "engine/process_table.h"
#include "net/here.h"

namespace evenbench::cli {
namespace {

// Less is a desktop or an idle context.
constexpr std::uint64_t kMuchInUse = std::uint64_t{1} << 30;

std::string facts_json(const std::vector<probe::HostFact>& facts) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& fact : facts) out[fact.key] = {{"value", fact.value}, {"source", fact.source}};
  return out.dump();
}

std::string command_of(const probe::GpuHolder& holder) {
  const std::string seen = engine::command_of(holder.pid);
  return seen.empty() ? holder.command : seen;
}

engine::GpuHolding holding(const probe::GpuHolder& holder) {
  return {{holder.pid, command_of(holder)}, holder.bytes};
}

std::unique_ptr<probe::GpuSource> open_source(const Spec& spec, const Clock& clock) {
  constexpr Nanos kLimit = std::chrono::seconds{10};
  return probe::open_gpu_source({spec.gpus, [&clock](const std::vector<std::string>& argv) {
                                   return engine::output_of(argv, kLimit, clock);
                                 }});
}

}  // namespace

std::optional<std::uint64_t> held_by_new(const std::vector<probe::GpuHolder>& holders, int gpu,
                                         const std::set<int>& before) {
  std::optional<std::uint64_t> sum;
  for (const probe::GpuHolder& holder : holders) {
    if (holder.gpu == gpu && holder.bytes && !before.contains(holder.pid))
      sum = sum.value_or(0) + *holder.bytes;
  }
  return sum;
}

RunGpus::RunGpus(const Parts& parts)
    : parts_(parts), source_(open_source(*parts.spec, *parts.clock)) {
  const auto own = net::own_names();
  const auto& systems = parts_.spec->systems;
  if (std::any_of(systems.begin(), systems.end(), [&](auto& s) { return runs_here(s, own); })) {
    say_sources();
  }
}

void RunGpus::say_sources() {
  const auto find = [&](const char* severity, const char* code, const std::string& text) {
    parts_.writer->put(record::FindingRow{"run", 0, severity, code, text});
    parts_.progress->line(text);
  };
  if (!any()) {
    find("note", "gpu_not_sampled",
         fmt::format("GPUs were not sampled, so nothing is said of their memory: {}",
                     source_->why()));
    return;
  }
  if (!source_->why().empty()) {
    find("note", "gpu_sampled_slowly",
         fmt::format("GPUs were sampled by {} at most every {:g} s, so short peaks may be missed: "
                     "{}",
                     source_->name(), to_seconds(source_->finest()), source_->why()));
  }
  for (const int gpu : parts_.spec->gpus) {
    const auto& devices = source_->devices();
    if (std::any_of(devices.begin(), devices.end(), [&](const auto& d) { return d.index == gpu; }))
      continue;
    find("warning", "gpu_unknown",
         fmt::format("{} knows no GPU {}; correct hardware.gpus", source_->name(), gpu));
  }
}

void RunGpus::find(const std::string& code, const std::string& severity, const std::string& text) {
  parts_.writer->put(record::FindingRow{"visit", visit_id_, severity, code, text});
  parts_.progress->warning(text);
}

void RunGpus::before_start(std::int64_t visit_id, bool launched) {
  visit_id_ = visit_id;
  launched_ = launched;
  rows_.clear();
  before_.clear();
  if (!any()) return;
  for (const probe::GpuDevice& device : source_->devices()) {
    record::GpuRow& row = rows_[device.index];
    row.visit_id = visit_id;
    row.gpu = device.index;
    row.uuid = device.uuid;
    row.name = device.name;
    row.source = source_->name();
    row.facts_json = facts_json(device.facts);
    row.total_bytes = device.total_bytes;
  }
  if (launched_) {
    const auto holders = source_->holders();
    for (const auto& holder : holders) before_.insert(holder.pid);
    for (const probe::GpuSample& sample : source_->sample()) {
      rows_[sample.gpu].idle_bytes = sample.used_bytes;
      if (!sample.used_bytes) continue;
      const auto [least, is_new] = least_idle_.emplace(sample.gpu, *sample.used_bytes);
      if (!is_new) least->second = std::min(least->second, *sample.used_bytes);
    }
    say_in_use(holders);
  }
  put_rows();
}

// Memory that is not there for the engine, and whose it is.
void RunGpus::say_in_use(const std::vector<probe::GpuHolder>& holders) {
  for (const auto& [gpu, row] : rows_) {
    if (row.idle_bytes.value_or(0) < kMuchInUse) continue;
    std::vector<std::string> names;
    for (const probe::GpuHolder& holder : holders) {
      if (holder.gpu != gpu) continue;
      const std::string command = command_of(holder);
      names.push_back(fmt::format(
          "process {} ({}){}", holder.pid, command.empty() ? "cannot be seen from here" : command,
          holder.bytes ? " with " + engine::shown_bytes(*holder.bytes) : ""));
    }
    find("gpu_in_use", "warning",
         fmt::format("GPU {} has {} in use before the start, which the engine will not have: {}; "
                     "end what does not belong there",
                     gpu, engine::shown_bytes(*row.idle_bytes),
                     names.empty() ? "the driver names no process that holds it"
                                   : fmt::format("{}", fmt::join(names, ", "))));
  }
}

void RunGpus::ready() {
  if (!any()) return;
  for (const probe::GpuSample& sample : source_->sample())
    rows_[sample.gpu].ready_bytes = sample.used_bytes;
  put_rows();
  sampler_ = std::make_unique<probe::GpuSampler>(
      *source_, parts_.spec->sample_gpus_every, *parts_.clock,
      [this](MonoTime at, const std::vector<probe::GpuSample>& samples) { take(at, samples); });
}

void RunGpus::take(MonoTime at, const std::vector<probe::GpuSample>& samples) {
  // A slow source would have to run a program once more for them: too dear beside a load.
  const bool quick = source_->finest() < std::chrono::milliseconds{500};
  const auto holders = launched_ && quick ? source_->holders() : std::vector<probe::GpuHolder>{};
  for (const probe::GpuSample& sample : samples) {
    record::GpuSampleRow row;
    row.visit_id = visit_id_;
    row.gpu = sample.gpu;
    row.at = at;
    row.memory_used_bytes = sample.used_bytes;
    row.engine_memory_bytes = held_by_new(holders, sample.gpu, before_);
    row.gpu_utilisation = sample.utilisation;
    row.memory_utilisation = sample.memory_utilisation;
    row.power_watts = sample.power_watts;
    row.temperature_celsius = sample.temperature_celsius;
    row.sm_clock_mhz = sample.sm_clock_mhz;
    row.memory_clock_mhz = sample.memory_clock_mhz;
    row.throttle_reasons = sample.throttle_reasons;
    parts_.writer->put(row);
  }
}

void RunGpus::load_over() {
  if (!sampler_) return;
  sampler_->stop();
  for (auto& [gpu, row] : rows_) {
    const auto peak = sampler_->peaks().of(gpu);
    row.peak_bytes = peak ? std::max(peak, row.ready_bytes) : row.ready_bytes;
  }
  sampler_.reset();
  put_rows();
}

std::vector<engine::GpuAtGate> RunGpus::at_gate() {
  std::vector<engine::GpuAtGate> out;
  for (const probe::GpuSample& sample : source_->sample()) {
    engine::GpuAtGate gpu{sample.gpu, std::nullopt, sample.used_bytes, {}};
    if (const auto least = least_idle_.find(sample.gpu); least != least_idle_.end())
      gpu.idle_bytes = least->second;
    out.push_back(std::move(gpu));
  }
  for (const probe::GpuHolder& holder : source_->holders()) {
    for (engine::GpuAtGate& gpu : out)
      if (gpu.gpu == holder.gpu) gpu.holders.push_back(holding(holder));
  }
  return out;
}

void RunGpus::gone() {
  if (!any() || !launched_) return;
  for (const probe::GpuSample& sample : source_->sample())
    rows_[sample.gpu].after_bytes = sample.used_bytes;
  put_rows();
}

void RunGpus::put_rows() {
  for (const auto& [gpu, row] : rows_) parts_.terms->put(row);
}

}  // namespace evenbench::cli
