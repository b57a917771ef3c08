#include "report/page.h"

#include <fmt/format.h>

#include <map>

#include "base/check.h"
#include "report/comparability.h"
#include "report/escape.h"
#include "report/gpu.h"
#include "report/headline.h"
#include "report/report.h"
#include "report/summary.h"
#include "report/tables.h"
#include "report/text.h"

namespace evenbench::report {
namespace {

using judge::JudgedRun;
using judge::JudgedSystem;
using Holes = std::map<std::string, std::string, std::less<>>;

// One pass: what fills a hole is never searched for holes itself.
std::string fill(std::string_view frame, const Holes& holes) {
  std::string out;
  while (true) {
    const std::size_t begin = frame.find("{{");
    out += frame.substr(0, begin);
    if (begin == std::string_view::npos) return out;
    const std::size_t end = frame.find("}}", begin);
    EVENBENCH_CHECK(end != std::string_view::npos, "the page's frame has a hole without an end");
    const std::string_view name = frame.substr(begin + 2, end - begin - 2);
    const auto hole = holes.find(name);
    EVENBENCH_CHECK(hole != holes.end(), "nothing fills the hole {} of the page's frame", name);
    out += hole->second;
    frame.remove_prefix(end + 2);
  }
}

bool any_simulated(const JudgedRun& run) {
  for (const JudgedSystem& system : run.systems) {
    if (system.simulated) return true;
  }
  return false;
}

std::string paragraph(std::string_view text) {
  return "<p>" + html_text(text) + "</p>\n";
}

std::string banner(const JudgedRun& run) {
  std::string out;
  const char* kind = run.complete ? "warn" : "bad";
  for (const std::string& text : reservations(run)) {
    out += fmt::format("<p class=\"banner {}\">{}</p>\n", kind, html_text(text));
    kind = "warn";
  }
  return out;
}

// Label and reasons, before any number.
std::string even_terms(const JudgedRun& run) {
  const std::string label = comparability(run);
  std::string out;
  if (!label.empty()) {
    const auto colon = label.find(':');
    const bool bad = comparing_is_refused(run);
    const bool good = run.audit.label == audit::Comparability::kLikeForLike;
    out += fmt::format("<p class=\"banner {}\"><b>{}</b>{}</p>\n",
                       bad    ? "bad"
                       : good ? "good"
                              : "warn",
                       html_text(label.substr(0, colon)), html_text(label.substr(colon)));
  }
  if (run.audit.findings.empty()) return out;
  out += "<ul class=\"findings\">\n";
  for (const audit::Finding& finding : run.audit.findings) {
    out += fmt::format("<li class=\"{0}\"><b>{0}</b> {1} <code>{2}</code></li>\n",
                       severity_of(finding), html_text(finding.text), html_text(finding.key));
  }
  return out + "</ul>\n";
}

std::string facts_html(const JudgedRun& run) {
  std::string out;
  for (const std::string& fact : facts(run)) out += "<span>" + html_text(fact) + "</span>";
  return out;
}

std::string headline(const JudgedRun& run) {
  std::string out = run.systems.empty() ? "" : html_of(glance_table(run));
  for (const std::string& note : glance_notes(run)) out += paragraph(note);
  return out;
}

std::string findings(const JudgedRun& run) {
  if (run.findings.empty()) return paragraph("No findings.");
  std::string out = "<ul class=\"findings\">\n";
  for (const judge::Finding& finding : run.findings) {
    const bool marked = finding.severity == "error" || finding.severity == "warning";
    out += fmt::format(
        "<li{}><b>{}</b> {}{} <code>{}</code></li>\n",
        marked ? " class=\"" + finding.severity + "\"" : "", html_text(finding.severity),
        finding.where.empty() ? ""
                              : "<span class=\"where\">" + html_text(finding.where) + ":</span> ",
        html_text(finding.text), html_text(finding.code));
  }
  return out + "</ul>\n";
}

std::string differences(const JudgedRun& run) {
  const Table changes = change_table(run);
  if (comparing_is_refused(run)) {
    return "<h3>Differences</h3>\n" +
           paragraph("None are shown: the systems are not comparable, for the reasons above.");
  }
  return changes.rows.empty() ? "" : "<h3>Differences</h3>\n" + html_of(changes);
}

std::string steps(const JudgedRun& run) {
  std::string out;
  for (const auto& [kind, name] : {std::pair{"ladder", "Ladder"}, std::pair{"replay", "Replay"},
                                   std::pair{"closed", "Closed loop"}}) {
    const std::string table = steps_html(run, kind);
    if (!table.empty()) out += fmt::format("<h3>{}</h3>\n{}", name, table);
  }
  return out.empty() ? paragraph("No step was measured.") : out;
}

std::string table_or(const Table& table, std::string_view otherwise) {
  return table.rows.empty() ? paragraph(otherwise) : html_of(table);
}

std::string failures(const JudgedRun& run) {
  const Table table = failure_table(run);
  return paragraph(failure_note(run)) + (table.rows.empty() ? "" : html_of(table));
}

std::string engines(const JudgedRun& run) {
  const Table table = engine_table(run);
  return table.rows.empty() ? "" : "<h3>What the engines counted</h3>\n" + html_of(table);
}

std::string one_system(const JudgedSystem& system, std::size_t index) {
  std::string out = fmt::format("<h3>{}{}{}</h3>\n", html_mark(index), html_text(system.name),
                                system.simulated ? " <span class=\"sim\">simulated</span>" : "");
  std::string line = "engine " + system.engine;
  if (!system.engine_version.empty()) line += " " + system.engine_version;
  if (!system.url.empty()) line += " at " + system.url;
  for (const double seconds : system.ready_s) {
    line += fmt::format(", ready after {} s", number(seconds));
  }
  out += "<p class=\"facts\">" + html_text(line) + "</p>\n";
  for (std::size_t visit = 0; visit < system.commands.size(); ++visit) {
    if (system.commands[visit].empty()) continue;
    out += fmt::format("<p class=\"note\">Command of visit {}:</p><pre>{}</pre>\n", visit + 1,
                       html_text(system.commands[visit]));
  }
  return out;
}

std::string systems(const JudgedRun& run) {
  std::string out;
  for (std::size_t i = 0; i < run.systems.size(); ++i) out += one_system(run.systems[i], i);
  const Table gpus = gpu_table(run);
  if (!gpus.rows.empty()) out += "<h3>GPU memory</h3>\n" + paragraph(gpu_note()) + html_of(gpus);
  return out + "<h3>Manifest side by side</h3>\n" +
         table_or(manifest_table(run), "Nothing is known of the systems.");
}

std::string repeat(const JudgedRun& run) {
  return fmt::format(
      "<p>Save the spec below as <code>spec.yaml</code>; it holds every default and no key. Its "
      "sha256 is <code>{}</code>, its seed {}.</p>\n<pre>evenbench run spec.yaml</pre>\n"
      "<details><summary>Spec</summary><pre>{}</pre></details>\n",
      html_text(run.spec_sha256), run.seed, html_text(run.spec_yaml));
}

}  // namespace

std::string page_of(const JudgedRun& run, const PageAssets& assets) {
  const bool simulated = any_simulated(run);
  const nlohmann::ordered_json data = {{"summary", summary_of(run)},
                                       {"details", chart_details(run)}};
  return fill(assets.frame,
              {{"title", html_text(run.title) + (simulated ? " (simulated)" : "") + " – evenbench"},
               {"heading",
                html_text(run.title) + (simulated ? " <span class=\"sim\">simulated</span>" : "")},
               {"facts", facts_html(run)},
               {"banner", banner(run)},
               {"even_terms", even_terms(run)},
               {"terms", table_or(terms_table(run), "The run file holds no settings.")},
               {"headline", headline(run)},
               {"findings", findings(run)},
               {"differences", differences(run)},
               {"steps", steps(run)},
               {"failures", failures(run)},
               {"client", table_or(client_table(run), "No step was measured.") + engines(run)},
               {"systems", systems(run)},
               {"host", table_or(host_table(run), "Nothing is known of the host.")},
               {"repeat", repeat(run)},
               {"version", html_text(run.tool_version)},
               {"licences", html_text(assets.licences)},
               {"data", script_json(text_of(data, -1))},
               {"style", std::string(assets.style)},
               {"script", std::string(assets.script)}});
}

std::string html(const JudgedRun& run) {
  return page_of(run, built_in_assets());
}

}  // namespace evenbench::report
