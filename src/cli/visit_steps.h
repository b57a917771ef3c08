// Runs the steps of one visit over real sockets.
#pragma once

#include "base/result.h"
#include "cli/attachment.h"
#include "cli/visit.h"
#include "engine/child_process.h"

namespace evenbench::cli {

struct ReadySystem {
  Attachment attachment;
  wire::RequestShape shape;               // what is really sent
  engine::ChildProcess* child = nullptr;  // nullptr when attached
  std::filesystem::path log;
  const SystemSpec* spec = nullptr;
};

// Error: environment (engine ended, disk, transport) or interrupted.
Result<void> run_steps(const VisitContext& context, const PlannedVisit& visit,
                       const ReadySystem& system);

}  // namespace evenbench::cli
