#include "cli/plan_limits.h"

#include <fmt/format.h>

#include "audit/limits.h"
#include "cli/even_terms.h"
#include "cli/launch_evidence.h"
#include "cli/plan_needs.h"
#include "engine/adapter.h"

namespace evenbench::cli {

void put_limits(const VisitContext& context, const SystemSpec& system,
                std::optional<Nanos> round_trip) {
  audit::PlanNeeds needs = needs_of(*context.spec, *context.plan);
  needs.round_trip = round_trip;
  for (const audit::LimitFinding& one :
       audit::check_limits(needs, system.engine, context.terms->settings_of(context.visit_id))) {
    if (one.severity != "note") {
      context.progress->warning(fmt::format("{}: {}", system.name, one.text));
    }
    context.writer->put(
        record::FindingRow{"visit", context.visit_id, one.severity, one.code, one.text});
  }
}

Result<std::string> print_limits(const Spec& spec, const RunPlan& plan) {
  std::string out;
  const audit::PlanNeeds needs = needs_of(spec, plan);
  for (const SystemSpec& system : spec.systems) {
    const auto adapter = engine::adapter_named(system.engine);
    if (!adapter) return adapter.error();
    if (!system.launched || (*adapter)->setting_rules == nullptr) continue;
    std::map<std::string, audit::Stated> settings;
    for (const engine::Setting& one :
         engine::settings_of(**adapter, launch_evidence(spec, system, **adapter, {}))) {
      settings[one.key] = {one.requested, one.effective, one.source};
    }
    for (const audit::LimitFinding& one : audit::check_limits(needs, system.engine, settings)) {
      out += fmt::format("{}: {}: {}\n", one.severity, system.name, one.text);
    }
  }
  return out;
}

}  // namespace evenbench::cli
