// Asks a system that is ready which settings are in force, and puts one row for each where the
// terms are judged.
#pragma once

#include <filesystem>

#include "cli/attachment.h"
#include "cli/visit.h"
#include "cli/visit_build.h"
#include "engine/adapter.h"
#include "engine/readiness.h"

namespace evenbench::cli {

struct AskedSystem {
  const SystemSpec* spec = nullptr;
  const engine::Adapter* adapter = nullptr;
  const Attachment* attachment = nullptr;
  const engine::Ready* ready = nullptr;
  std::filesystem::path log;          // of a launched engine
  const VisitBuild* build = nullptr;  // of the engine that it serves, which may be none
};

void put_settings(const VisitContext& context, const AskedSystem& system);

}  // namespace evenbench::cli
