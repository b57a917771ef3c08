// report.md: the page's words and tables for places that show Markdown.
#include <fmt/format.h>

#include "report/comparability.h"
#include "report/escape.h"
#include "report/gpu.h"
#include "report/headline.h"
#include "report/report.h"
#include "report/tables.h"
#include "report/text.h"

namespace evenbench::report {
namespace {

using judge::JudgedRun;
using judge::JudgedSystem;

std::string findings(const JudgedRun& run) {
  if (run.findings.empty()) return "No findings.\n";
  std::string out;
  for (const judge::Finding& finding : run.findings) {
    out += fmt::format("- **{}**{}{}: {} ({})\n", markdown_text(finding.severity),
                       finding.where.empty() ? "" : ", ", markdown_text(finding.where),
                       markdown_text(finding.text), markdown_text(finding.code));
  }
  return out;
}

std::string even_terms(const JudgedRun& run) {
  const std::string label = comparability(run);
  std::string out;
  if (!label.empty()) {
    const auto colon = label.find(':');
    out +=
        fmt::format("> **`{}`**{}\n\n", label.substr(0, colon), markdown_text(label.substr(colon)));
  }
  for (const audit::Finding& finding : run.audit.findings) {
    out += fmt::format("- **{}**: {}\n", severity_of(finding), markdown_text(finding.text));
  }
  return out.empty() || run.audit.findings.empty() ? out : out + "\n";
}

std::string answer(const JudgedRun& run) {
  std::string out = "## Answer\n\n";
  if (!run.systems.empty()) out += markdown_of(glance_table(run)) + "\n";
  for (const std::string& note : glance_notes(run)) out += markdown_text(note) + "\n\n";
  out += "### Findings\n\n" + findings(run) + "\n";
  const Table changes = change_table(run);
  if (!changes.rows.empty()) out += "### Differences\n\n" + markdown_of(changes) + "\n";
  return out;
}

std::string steps(const JudgedRun& run) {
  std::string out =
      "## Steps\n\nLatencies in milliseconds, from the planned instant, of good requests. With "
      "failures counted as infinitely slow: see summary.json.\n\n";
  for (const auto& [kind, name] : {std::pair{"ladder", "Ladder"}, std::pair{"replay", "Replay"},
                                   std::pair{"closed", "Closed loop"}}) {
    const Table table = steps_table(run, kind);
    if (!table.rows.empty()) out += fmt::format("### {}\n\n{}\n", name, markdown_of(table));
  }
  std::string why;
  for (const JudgedSystem& system : run.systems) {
    for (const judge::JudgedStep& step : system.steps) {
      for (const std::string& reason : step.reasons) {
        why += fmt::format("- {}, {}, block {}: {}. {}\n", markdown_text(shown_name(system)),
                           level_name(step), step.block, markdown_text(judge::name_of(step.label)),
                           markdown_text(reason));
      }
    }
  }
  if (!why.empty()) out += "### Why these labels\n\n" + why + "\n";
  return out;
}

std::string table_or(const std::string& title, const Table& table, const char* otherwise) {
  return fmt::format("## {}\n\n{}\n", title, table.rows.empty() ? otherwise : markdown_of(table));
}

std::string commands(const JudgedRun& run) {
  std::string out;
  for (const JudgedSystem& system : run.systems) {
    for (std::size_t visit = 0; visit < system.commands.size(); ++visit) {
      if (system.commands[visit].empty()) continue;
      out += fmt::format("{}, visit {}:\n\n{}\n", markdown_text(shown_name(system)), visit + 1,
                         markdown_block(system.commands[visit]));
    }
  }
  return out;
}

}  // namespace

std::string markdown(const JudgedRun& run) {
  std::string out = "# " + markdown_text(run.title) + "\n\n";
  std::string line;
  for (const std::string& fact : facts(run))
    line += (line.empty() ? "" : " · ") + markdown_text(fact);
  out += line + "\n\n";
  for (const std::string& text : reservations(run)) out += "> " + markdown_text(text) + "\n\n";
  out += even_terms(run) + answer(run) + steps(run);
  const Table failures = failure_table(run);
  out += "## Failures\n\n" + failure_note(run) + "\n\n";
  if (!failures.rows.empty()) out += markdown_of(failures) + "\n";
  out += table_or("The client's own share", client_table(run), "No step was measured.\n");
  const Table engines = engine_table(run);
  if (!engines.rows.empty()) out += table_or("What the engines counted", engines, "");
  out += table_or("Even terms", terms_table(run), "The run file holds no settings.\n");
  const Table gpus = gpu_table(run);
  if (!gpus.rows.empty())
    out += "## GPU memory\n\n" + gpu_note() + "\n\n" + markdown_of(gpus) + "\n";
  out += table_or("Systems", manifest_table(run), "Nothing is known of the systems.\n");
  out += commands(run);
  out += table_or("Host of the client", host_table(run), "Nothing is known of the host.\n");
  out += "## Repeat it\n\nSpec with every default, sha256 " + one_line(run.spec_sha256) + ":\n\n" +
         markdown_block(run.spec_yaml);
  return out;
}

}  // namespace evenbench::report
