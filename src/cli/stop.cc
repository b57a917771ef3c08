#include "cli/stop.h"

#include <fmt/format.h>

#include "cli/signals.h"
#include "cli/visit_gpu.h"
#include "engine/stop_gate.h"

namespace evenbench::cli {
namespace {

void find(const VisitContext& context, const char* severity, const std::string& code,
          const std::string& text) {
  context.progress->warning(text);
  context.writer->put(record::FindingRow{"visit", context.visit_id, severity, code, text});
}

engine::GateVerdict pass_gate(const VisitContext& context, const SystemSpec& system,
                              engine::ChildProcess& child) {
  engine::GateWatch watch;
  watch.host = system.host;
  watch.port = system.port;
  watch.living = [&child] { return child.living(); };
  if (context.gpus->any()) watch.gpus = [&context] { return context.gpus->at_gate(); };
  watch.hurry = [] { return interrupts() > 0; };
  engine::GateLimits limits;
  limits.deadline = context.spec->release;
  return engine::wait_at_gate(watch, limits, *context.clock);
}

}  // namespace

void say_if_tainted(const VisitContext& context) {
  const Leftovers& left = *context.leftovers;
  if (left.what.empty()) return;
  find(context, "warning", "tainted",
       fmt::format("this visit began while {} had left something behind, so its figures may be "
                   "touched by that; measure it again. What was left: {}",
                   left.whose, left.what));
}

Result<void> stop_and_pass_gate(const VisitContext& context, const SystemSpec& system,
                                engine::ChildProcess& child) {
  const auto ended = child.stop(interrupts() > 1 ? Nanos{0} : context.spec->stop_grace);
  if (ended.needed_kill) {
    context.progress->warning(fmt::format("{} did not stop in time and was killed", system.name));
  }
  const engine::GateVerdict verdict = pass_gate(context, system, child);
  context.gpus->gone();
  *context.leftovers = {};
  if (verdict.state == engine::GateVerdict::State::kClean) return {};
  Leftovers& left = *context.leftovers;
  left.whose = fmt::format("{} (visit {} of the run)", system.name, context.visit_id);
  for (const engine::Leftover& one : verdict.left) {
    find(context, "warning", one.code, one.text);
    left.what += left.what.empty() ? one.text : "; " + one.text;
  }
  if (context.spec->on_leak == OnLeak::kTaint) return {};
  return environment_error(
      fmt::format("the run ends here (on_leak: stop), because {} left something behind: {}",
                  left.whose, left.what));
}

}  // namespace evenbench::cli
