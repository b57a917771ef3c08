#include "engine/step_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/signatures.h"

namespace evenbench::engine {
namespace {

constexpr double kFewShare = 0.01;

// What a server says inside a stream that began with 200 is the same error.
Ending kind_of(Ending ending) {
  return ending == Ending::kStreamError ? Ending::kHttpError : ending;
}

bool fits(const StepRule& rule, std::string_view engine, const wire::FailureCount& failure) {
  return (rule.engine.empty() || rule.engine == engine) && rule.ending == kind_of(failure.ending) &&
         (!rule.error || rule.error == failure.error) &&
         failure.detail.find(rule.words) != std::string::npos;
}

// An answer may hold the very words of the engine's log.
std::string text_of(const StepRule& rule, std::string_view engine,
                    const wire::FailureCount& failure) {
  if (failure.error == wire::ErrorClass::kProviderFault) {
    if (const auto known = diagnose(engine, failure.detail)) return std::string(known->remedy);
  }
  return std::string(rule.text);
}

}  // namespace

std::vector<StepFinding> explain_failures(std::string_view engine,
                                          std::span<const wire::FailureCount> failures,
                                          std::uint64_t good) {
  std::uint64_t all = good;
  for (const wire::FailureCount& failure : failures) all += failure.count;
  std::vector<StepFinding> out;
  for (const wire::FailureCount& failure : failures) {
    const auto rule = std::ranges::find_if(
        step_rules(), [&](const StepRule& one) { return fits(one, engine, failure); });
    if (rule == step_rules().end()) continue;
    const bool few = static_cast<double>(failure.count) <= kFewShare * static_cast<double>(all);
    const std::string said =
        failure.detail.empty() ? std::string(name_of(failure.ending)) : failure.detail;
    out.push_back({few ? "note" : "warning", std::string(rule->code),
                   fmt::format("{} of {} requests failed with: {}{} {}", failure.count, all, said,
                               said.ends_with('.') ? "" : ".", text_of(*rule, engine, failure))});
  }
  return out;
}

}  // namespace evenbench::engine
