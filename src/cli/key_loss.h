// What is said of a step whose key stopped carrying it. Pure.
#pragma once

#include <string>

#include "base/time.h"
#include "wire/failure_count.h"

namespace evenbench::cli {

struct KeyLoss {
  std::string code;  // of the finding: key_refused_mid_run, permission_lost_mid_run, ...
  std::string text;
};

// `begin` of the step, and the wall clock at `lost.first`; `key_env`: variable of the key, or "".
KeyLoss key_loss_of(const wire::FailureCount& lost, MonoTime begin, WallTime first,
                    const std::string& key_env);

}  // namespace evenbench::cli
