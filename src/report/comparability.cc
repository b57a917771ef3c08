#include "report/comparability.h"

#include <fmt/format.h>

#include "report/text.h"

namespace evenbench::report {
namespace {

using audit::Comparability;

std::string_view meaning_of(Comparability label) {
  switch (label) {
    case Comparability::kLikeForLike:
      return "every term that is known is the same for all systems.";
    case Comparability::kWithReservations:
      return "the systems can be compared; what follows may explain a difference between them.";
    case Comparability::kNotComparable:
      return "it is not the same thing that was measured; no system is better or worse by it.";
  }
  return "";
}

std::string value_text(const audit::Stated& value) {
  std::string out = value.effective.empty() ? "unknown" : value.effective;
  if (!value.effective.empty() && !value.source.empty()) {
    out += fmt::format(" ({})", value.source);
  }
  if (!value.requested.empty() && value.requested != value.effective) {
    out += fmt::format("; asked: {}", value.requested);
  }
  return out;
}

}  // namespace

std::string comparability(const judge::JudgedRun& run) {
  if (!run.audit.label) return "";
  return fmt::format("{}: {}", audit::name_of(*run.audit.label), meaning_of(*run.audit.label));
}

std::string severity_of(const audit::Finding& finding) {
  switch (finding.weight) {
    case audit::Weight::kDecide:
      return "error";
    case audit::Weight::kReserve:
      return "warning";
    case audit::Weight::kNote:
      return "note";
  }
  return "";
}

bool comparing_is_refused(const judge::JudgedRun& run) {
  return run.audit.label == Comparability::kNotComparable;
}

Table terms_table(const judge::JudgedRun& run) {
  Table table;
  table.columns.push_back({"Term", false, ""});
  for (const judge::JudgedSystem& system : run.systems) {
    table.columns.push_back({shown_name(system), false, ""});
  }
  const bool several = run.systems.size() > 1;
  if (several) table.columns.push_back({"Same for all", false, ""});
  for (const audit::Line& line : run.audit.lines) {
    Row row{{line.title}, std::nullopt};
    // A cell for every column, whatever systems the audit was of.
    for (std::size_t i = 0; i < run.systems.size(); ++i) {
      row.cells.push_back(value_text(i < line.values.size() ? line.values[i] : audit::Stated{}));
    }
    if (several) row.cells.emplace_back(audit::name_of(line.outcome));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace evenbench::report
