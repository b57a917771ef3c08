// Watches one running step from beside it: signals, the engine's life, the disk; shows how it goes.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <thread>

#include "base/time.h"
#include "cli/progress.h"
#include "engine/child_process.h"
#include "load/step.h"
#include "record/writer.h"

namespace evenbench::cli {

class StepMonitor {
 public:
  struct Watched {
    load::StepControl* control = nullptr;
    engine::ChildProcess* child = nullptr;  // nullptr when attached
    const record::Writer* writer = nullptr;
    const Progress* progress = nullptr;
    const Clock* clock = nullptr;
    std::string what;  // "vllm, 12 requests/s"
  };
  // Starts its thread; the destructor ends it.
  explicit StepMonitor(Watched watched);
  ~StepMonitor();
  StepMonitor(const StepMonitor&) = delete;
  StepMonitor& operator=(const StepMonitor&) = delete;

  // How the engine ended, if it did so under the step. Valid after stop().
  [[nodiscard]] const std::optional<engine::ExitStatus>& engine_ended() const { return ended_; }
  void stop();

 private:
  void watch();
  void check_signals();
  void check_engine();
  void check_disk();
  void show(MonoTime now);

  Watched watched_;
  std::atomic<bool> done_{false};
  std::optional<engine::ExitStatus> ended_;
  MonoTime begin_;
  MonoTime next_line_;
  std::thread thread_;
};

}  // namespace evenbench::cli
