// The facts that rows of a run file hold of each system: of a whole run, or of what has been put
// so far while one goes on.
#pragma once

#include <span>
#include <vector>

#include "audit/facts.h"
#include "record/evidence_rows.h"
#include "record/rows.h"

namespace evenbench::audit {

struct Rows {
  std::span<const record::SystemRow> systems;
  std::span<const record::VisitRow> visits;  // in order of time
  std::span<const record::SettingRow> settings;
  std::span<const record::GpuRow> gpus;
  std::span<const record::AgreementRow> agreement;
};

// In the order of `systems`. A value is that of the system's first visit that knows it; what later
// visits say otherwise stands in `changed`. Answers are those of the first visit that has any.
std::vector<SystemFacts> facts_of(const Rows& rows);

}  // namespace evenbench::audit
