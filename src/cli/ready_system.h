// Asks one system until it may be measured: what its visit does, and the preflight before any.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "cli/attachment.h"
#include "cli/progress.h"
#include "cli/spec.h"
#include "engine/adapter.h"
#include "engine/readiness.h"

namespace evenbench::cli {

struct SystemToAsk {
  const Spec* spec = nullptr;
  const SystemSpec* system = nullptr;
  const engine::Adapter* adapter = nullptr;
  const Attachment* attachment = nullptr;
  const Progress* progress = nullptr;
  const Clock* clock = nullptr;
  engine::ChildProcess* child = nullptr;  // nullptr when attached
  std::filesystem::path log;
  bool one_token = false;  // only whether it answers at all: one token, and an empty answer will do
};

// Whether the spec forbids a request before the load.
bool stays_unasked(const Spec& spec, const SystemSpec& system);

Result<engine::Ready> ask_until_ready(const SystemToAsk& ask);

}  // namespace evenbench::cli
