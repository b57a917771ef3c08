#include "engine/stop_gate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include "engine/process_table.h"
#include "engine/readiness.h"

namespace evenbench::engine {
namespace {

using State = GateVerdict::State;

std::string named(const NamedProcess& process) {
  return process.command.empty()
             ? fmt::format("process {}, which cannot be seen from here", process.pid)
             : fmt::format("process {} ({})", process.pid, process.command);
}

std::string after(Nanos waited) {
  return fmt::format("{:.1f} s after the stop", to_seconds(waited));
}

Leftover processes_left(const GateView& view, Nanos waited) {
  std::vector<std::string> names;
  std::vector<int> pids;
  for (const NamedProcess& process : view.processes) {
    names.push_back(named(process));
    pids.push_back(process.pid);
  }
  return {"processes_left",
          fmt::format("{} of the engine's processes still live {}: {}; end them (`kill -9 {}`) "
                      "before another engine is measured",
                      names.size(), after(waited), fmt::join(names, ", "), fmt::join(pids, " "))};
}

// Who is to be ended so that the memory comes back.
std::string held_by(const GpuAtGate& gpu) {
  if (gpu.holders.empty()) {
    return "the driver names no process that holds it: in a container it may not, then look with "
           "nvidia-smi on the host";
  }
  std::vector<std::string> holders;
  for (const GpuHolding& holder : gpu.holders) {
    holders.push_back(named(holder.process) +
                      (holder.bytes ? " with " + shown_bytes(*holder.bytes) : ""));
  }
  return fmt::format("it is held by {}; end what does not belong there", fmt::join(holders, ", "));
}

Leftover memory_left(const GpuAtGate& gpu, Nanos waited, const GateLimits& limits) {
  return {
      "gpu_memory_not_returned",
      fmt::format("GPU {} has {} in use {}, and had {} before the start (up to {} more is "
                  "let pass): {}",
                  gpu.gpu, shown_bytes(*gpu.used_bytes), after(waited),
                  shown_bytes(*gpu.idle_bytes), shown_bytes(limits.tolerance_bytes), held_by(gpu))};
}

bool returned(const GpuAtGate& gpu, const GateLimits& limits) {
  return !gpu.idle_bytes || !gpu.used_bytes ||
         *gpu.used_bytes <= *gpu.idle_bytes + limits.tolerance_bytes;
}

GateView look(const GateWatch& watch) {
  GateView view;
  view.port = watch.port;
  view.port_taken = !check_port_free(watch.host, watch.port).has_value();
  for (const int pid : watch.living()) view.processes.push_back({pid, command_of(pid)});
  if (watch.gpus) view.gpus = watch.gpus();
  return view;
}

}  // namespace

std::string shown_bytes(std::uint64_t bytes) {
  const double mebibytes = static_cast<double>(bytes) / (1 << 20);
  return mebibytes < 1024 ? fmt::format("{:.0f} MiB", mebibytes)
                          : fmt::format("{:.2f} GiB", mebibytes / 1024);
}

GateVerdict judge_gate(const GateView& view, Nanos waited, const GateLimits& limits) {
  GateVerdict verdict;
  if (!view.processes.empty()) verdict.left.push_back(processes_left(view, waited));
  if (view.port_taken) {
    verdict.left.push_back(
        {"port_not_released", fmt::format("port {} is still taken {}; `ss -ltnp` names who has it",
                                          view.port, after(waited))});
  }
  for (const GpuAtGate& gpu : view.gpus) {
    if (!returned(gpu, limits)) verdict.left.push_back(memory_left(gpu, waited, limits));
  }
  if (!verdict.left.empty())
    verdict.state = waited >= limits.deadline ? State::kLeaked : State::kWait;
  return verdict;
}

GateVerdict wait_at_gate(const GateWatch& watch, const GateLimits& limits, const Clock& clock) {
  constexpr int kLookEveryMs = 100;
  const MonoTime begin = clock.now();
  while (true) {
    const bool last = watch.hurry();
    const GateView view = look(watch);
    const Nanos waited = clock.now() - begin;
    GateLimits now = limits;
    if (last) now.deadline = Nanos{0};
    GateVerdict verdict = judge_gate(view, waited, now);
    if (verdict.state != State::kWait) return verdict;
    ::poll(nullptr, 0, kLookEveryMs);
  }
}

}  // namespace evenbench::engine
