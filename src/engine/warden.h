// What the tool and the warden of an engine say to each other. The warden is this program run
// again; it outlives the tool just long enough to end every process of its engine. It knows nothing
// of HTTP, readiness or models.
//
//   argv: evenbench __warden <control fd> <status fd> <working dir or ""> <engine's argv...>
//   stdin, stdout, stderr: the engine's (/dev/null and the log)
#pragma once

#include <cstdint>

#include "base/time.h"

namespace evenbench::engine {

inline constexpr const char* kWardenCommand = "__warden";
// Set, to a value of its own, for everything a launch starts, so that what a killed warden leaves
// behind can be found.
inline constexpr const char* kMarkVariable = "EVENBENCH_ENGINE";
// An engine's additional variables travel as <prefix><n>=NAME=value, lest they change the warden
// itself (LD_PRELOAD, ...).
inline constexpr const char* kEnvironmentPrefix = "EVENBENCH_WARDEN_SET_";
// The words of the command to run when nothing of the engine is left: <prefix><n>=word.
inline constexpr const char* kAfterwardsPrefix = "EVENBENCH_WARDEN_AFTER_";

// Grace when the tool has died without an order.
inline constexpr Nanos kOrphanGrace = std::chrono::seconds{2};
// How long that command may take. `docker rm --force` gives a container ten seconds of its own.
inline constexpr Nanos kAfterwardsLimit = std::chrono::seconds{20};
// How long the warden tries to kill before it names the survivors.
inline constexpr Nanos kKillLimit = std::chrono::seconds{4};

// On the control descriptor. Its end of file is an order too.
struct StopOrder {
  std::int64_t grace_ns = 0;
};

enum class WardenNews : std::int32_t {
  kStarted,       // value: pid of the engine
  kNoWorkingDir,  // value: errno
  kNotExecuted,   // value: errno
  kEnded,         // value: exit code or signal; flag: by signal
  kSurvivor,      // value: pid that SIGKILL did not end
  kGone,          // flag: something needed SIGKILL. The last message.
};

// On the status descriptor, a pipe: shorter than PIPE_BUF, so always read as a whole.
struct WardenMessage {
  WardenNews news = WardenNews::kGone;
  std::int32_t value = 0;
  std::int32_t flag = 0;
};

}  // namespace evenbench::engine
