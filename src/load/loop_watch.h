// Whether a worker's loop got its turns: time lost between two of them, and how busy its busiest
// second was. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "base/time.h"

namespace evenbench::load {

class LoopWatch {
 public:
  // CPU time that the worker's thread has used so far.
  using CpuUsed = std::function<Nanos()>;
  LoopWatch(MonoTime begin, CpuUsed cpu_used)
      : cpu_used_(std::move(cpu_used)), second_began_(begin), used_before_(cpu_used_()) {}

  // A turn that began at `from` and was to end at `asked` at the latest ended at `got`.
  void note(MonoTime from, MonoTime asked, MonoTime got);

  [[nodiscard]] Nanos max_stall() const { return max_stall_; }
  [[nodiscard]] std::uint64_t stalls() const { return stalls_; }  // longer than 1 ms
  // Of CPU time in wall time; nullopt before a second has passed.
  [[nodiscard]] std::optional<double> busiest_second() const { return busiest_; }

 private:
  CpuUsed cpu_used_;
  MonoTime second_began_;
  Nanos used_before_;
  Nanos max_stall_{0};
  std::uint64_t stalls_ = 0;
  std::optional<double> busiest_;
};

}  // namespace evenbench::load
