// One visit: start or attach to a system, wait until it is ready, run its steps, stop it.
// Everything it learns goes into the run file as it learns it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "cli/credentials.h"
#include "cli/progress.h"
#include "cli/run_plan.h"
#include "cli/spec.h"
#include "record/writer.h"

namespace evenbench::cli {

class EvenTerms;
class ModelShelf;
class RunGpus;
struct Leftovers;

struct VisitContext {
  const Spec* spec = nullptr;
  const RunPlan* plan = nullptr;
  const workload::Workload* workload = nullptr;
  record::Writer* writer = nullptr;
  EvenTerms* terms = nullptr;
  RunGpus* gpus = nullptr;
  Leftovers* leftovers = nullptr;
  ModelShelf* models = nullptr;
  const Progress* progress = nullptr;
  const Clock* clock = nullptr;
  std::filesystem::path folder;  // the run folder; logs/ is inside
  std::int64_t visit_id = 1;
  std::int64_t* next_step_id = nullptr;
  std::uint32_t workers = 1;
  const Credentials* credentials = nullptr;
};

// What the containers of this visit are called after.
std::string run_name(const VisitContext& context);

// Error: the system could not be started, reached or kept alive. What was measured before is in the
// run file either way.
Result<void> run_visit(const VisitContext& context, const PlannedVisit& visit);

}  // namespace evenbench::cli
