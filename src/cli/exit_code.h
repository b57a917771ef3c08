// The one place where results become exit codes (docs/scope.md lists them for users).
#pragma once

#include "base/result.h"

namespace evenbench::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitEnvironment = 3;
inline constexpr int kExitNotPublishable = 4;
inline constexpr int kExitInterrupted = 130;  // 128 + SIGINT; SIGTERM gives 143

// `signal`: the one that interrupted the program, 0 if none did.
inline int exit_code(ErrorCode code, int signal) {
  switch (code) {
    case ErrorCode::kUsage:
      return kExitUsage;
    case ErrorCode::kEnvironment:
      return kExitEnvironment;
    case ErrorCode::kNotPublishable:
      return kExitNotPublishable;
    case ErrorCode::kInterrupted:
      return signal > 0 ? 128 + signal : kExitInterrupted;
  }
  return kExitEnvironment;
}

}  // namespace evenbench::cli
