// A launched engine: started through a small warden process of ours, so that no process of it
// survives us, whatever kills us.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace evenbench::engine {

struct LaunchCommand {
  std::vector<std::string> argv;                         // argv[0] looked up in PATH
  std::vector<std::pair<std::string, std::string>> env;  // added to ours
  std::string working_dir;                               // "" = ours
  std::filesystem::path log;                             // stdout and stderr, appended
  // Run once, for a bounded time, when nothing of the launch is left, however it came to that:
  // takes away what is no process of ours, such as a container. Empty: nothing.
  std::vector<std::string> afterwards = {};
};

struct ExitStatus {
  bool by_signal = false;
  int code = 0;                // exit code or signal number
  bool needed_kill = false;    // TERM was not enough
  std::vector<int> survivors;  // processes that even SIGKILL did not end: they may hold the GPU
  // "exit code 1" | "signal 9 (SIGKILL)"
  [[nodiscard]] std::string text() const;
};
// By SIGKILL, which nothing but a person or the kernel sends to an engine under measurement.
inline bool was_killed(const ExitStatus& status) {
  constexpr int kKill = 9;
  return status.by_signal && status.code == kKill;
}

class ChildProcess {
 public:
  // Starts `command` under a warden (this program run again as `evenbench __warden`, see warden.h):
  // own session and process group, subreaper, dies with us. Error: environment, e.g. "vllm: not
  // found in PATH".
  static Result<std::unique_ptr<ChildProcess>> start(const LaunchCommand& command);
  // Stops it (short grace) if still there. Never leaves a live descendant.
  virtual ~ChildProcess() = default;

  [[nodiscard]] virtual int pid() const = 0;
  // The exit status once the engine's first process has ended; nullopt while it lives. Does not
  // block.
  virtual std::optional<ExitStatus> poll() = 0;
  // Processes of this launch that live now, also after stop(): those that carry its mark or
  // survived SIGKILL. The warden is none.
  [[nodiscard]] virtual std::vector<int> living() const = 0;
  // TERM to the group, wait up to `grace`, KILL group and every descendant. Idempotent, bounded,
  // always reaps.
  virtual ExitStatus stop(Nanos grace) = 0;
};

// The last `lines` lines of a log, at most 4 KiB, as valid UTF-8.
std::string log_tail(const std::filesystem::path& log, std::size_t lines);

// The last MiB of a log as it is, for finding known words in: an engine that dies under load writes
// several KiB for each request that it had.
std::string log_end(const std::filesystem::path& log);

// main() of the warden. Reads its orders from file descriptor `control` (its end of file = the tool
// is gone).
int warden_main(int argc, char** argv);

}  // namespace evenbench::engine
