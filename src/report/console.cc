// The end of a run on a terminal: at most 25 lines, whatever the run holds.
#include <fmt/format.h>

#include "report/comparability.h"
#include "report/escape.h"
#include "report/headline.h"
#include "report/report.h"
#include "report/text.h"

namespace evenbench::report {
namespace {

constexpr std::size_t kSystems = 8;
constexpr std::size_t kUneven = 3;
constexpr std::size_t kFindings = 4;
constexpr std::size_t kLineLength = 200;

// At most kLineLength bytes, cut between characters.
std::string short_line(const std::string& text) {
  std::string line = one_line(text);
  if (line.size() <= kLineLength) return line;
  std::size_t end = kLineLength;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return line.substr(0, end) + "…";
}

std::string even_terms(const judge::JudgedRun& run) {
  std::string out = comparability(run);
  if (!out.empty()) out = short_line(out) + "\n";
  for (std::size_t i = 0; i < run.audit.findings.size() && i < kUneven; ++i) {
    const audit::Finding& finding = run.audit.findings[i];
    out += short_line(fmt::format("{}: {}", severity_of(finding), finding.text)) + "\n";
  }
  if (run.audit.findings.size() > kUneven) {
    out += fmt::format("{} more in the report\n",
                       counted(run.audit.findings.size() - kUneven, "uneven term"));
  }
  return out;
}

std::string findings(const judge::JudgedRun& run) {
  std::string out;
  for (std::size_t i = 0; i < run.findings.size() && i < kFindings; ++i) {
    const judge::Finding& finding = run.findings[i];
    out += short_line(fmt::format("{}: {}{}{}", finding.severity, finding.where,
                                  finding.where.empty() ? "" : ": ", finding.text)) +
           "\n";
  }
  if (run.findings.size() > kFindings) {
    out +=
        fmt::format("{} more in the report\n", counted(run.findings.size() - kFindings, "finding"));
  }
  return out;
}

}  // namespace

std::string console(const judge::JudgedRun& run) {
  std::string out = short_line(run.title) + "\n";
  out += label_counts(run) + "\n";
  for (const std::string& text : reservations(run)) out += short_line(text) + "\n";
  out += even_terms(run);
  if (!run.systems.empty()) {
    Table table = glance_table(run);
    if (table.rows.size() > kSystems) table.rows.resize(kSystems);
    out += plain_of(table);
    if (run.systems.size() > kSystems) {
      out += fmt::format("  {} more in the report\n",
                         counted(run.systems.size() - kSystems, "system"));
    }
    const std::vector<Level> levels = levels_of(run);
    if (const Level* shared = shared_level(levels)) {
      out += fmt::format(
          "  Latencies in ms at {}, failed requests counted as infinitely slow; rates are "
          "maxima.\n",
          level_name(shared->kind, shared->value));
    }
  }
  return out + findings(run);
}

}  // namespace evenbench::report
