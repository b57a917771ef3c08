#include "engine/signatures.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace evenbench::engine {
namespace {

bool applies(const Complaint& complaint, std::string_view engine, std::string_view log) {
  return (complaint.engine.empty() || complaint.engine == engine) &&
         log.find(complaint.words) != std::string_view::npos;
}

std::string_view remedy_of(std::string_view rule, std::string_view engine) {
  const LogRemedy* common = nullptr;
  for (const LogRemedy& remedy : log_remedies()) {
    if (remedy.rule != rule) continue;
    if (remedy.engine == engine) return remedy.text;
    if (remedy.engine.empty()) common = &remedy;
  }
  EVENBENCH_CHECK(common != nullptr, "no remedy for {} of {}", rule, engine);
  return common->text;
}

}  // namespace

std::optional<Diagnosis> diagnose(std::string_view engine, std::string_view log) {
  for (const Complaint& complaint : complaints()) {
    if (!applies(complaint, engine, log)) continue;
    return Diagnosis{complaint.rule, remedy_of(complaint.rule, engine)};
  }
  return std::nullopt;
}

std::vector<std::string_view> rules_in(std::string_view engine, std::string_view log) {
  std::vector<std::string_view> out;
  for (const Complaint& complaint : complaints()) {
    if (applies(complaint, engine, log) && std::ranges::find(out, complaint.rule) == out.end()) {
      out.push_back(complaint.rule);
    }
  }
  return out;
}

std::string explained(std::string_view engine, std::string_view log, bool killed) {
  if (const auto known = diagnose(engine, log)) {
    return fmt::format("; {}: {}", known->rule, known->remedy);
  }
  if (!killed) return "";
  return fmt::format("; host_memory: {}", remedy_of("host_memory", engine));
}

}  // namespace evenbench::engine
