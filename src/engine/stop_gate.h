// Between two engines: whether the machine is again as it was before the last start. The port is
// free, nothing of the launch lives, the GPUs' memory is back. Kills nothing; who holds what is
// named. Knows nothing of how GPU memory is read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace evenbench::engine {

struct NamedProcess {
  int pid = 0;
  std::string command;  // "" = it cannot be seen from here
};

struct GpuHolding {
  NamedProcess process;
  std::optional<std::uint64_t> bytes;
};

struct GpuAtGate {
  int gpu = 0;
  std::optional<std::uint64_t> idle_bytes;  // used before the first start
  std::optional<std::uint64_t> used_bytes;  // used now; one of the two absent: not judged
  std::vector<GpuHolding> holders;
};

// What is seen at one instant.
struct GateView {
  std::uint16_t port = 0;
  bool port_taken = false;
  std::vector<NamedProcess> processes;  // of the launch, alive
  std::vector<GpuAtGate> gpus;
};

struct GateLimits {
  Nanos deadline = std::chrono::seconds{30};
  std::uint64_t tolerance_bytes = std::uint64_t{300} << 20;  // above the idle value, on every GPU
};

struct Leftover {
  std::string code;  // port_not_released, processes_left, gpu_memory_not_returned
  std::string text;  // a sentence with pids, commands, bytes and the remedy
};

struct GateVerdict {
  enum class State : std::uint8_t { kWait, kClean, kLeaked };
  State state = State::kClean;
  std::vector<Leftover> left;
};

// The decision alone, `waited` after the stop.
GateVerdict judge_gate(const GateView& view, Nanos waited, const GateLimits& limits);

struct GateWatch {
  std::string host;
  std::uint16_t port = 0;
  std::function<std::vector<int>()> living;      // pids of the launch
  std::function<std::vector<GpuAtGate>()> gpus;  // empty: no GPU is looked at
  std::function<bool()> hurry;                   // true: look once more and wait no longer
};

// Looks until all is clean or the deadline has passed. Never kWait.
GateVerdict wait_at_gate(const GateWatch& watch, const GateLimits& limits, const Clock& clock);

// "8.00 GiB", "512 MiB"
std::string shown_bytes(std::uint64_t bytes);

}  // namespace evenbench::engine
