// The page's table of steps: grouped columns, figures with failures below those without, greyed
// where the label says that they are not the system's, and the reasons in a row below.
#include <fmt/format.h>

#include "report/escape.h"
#include "report/levels.h"
#include "report/page.h"
#include "report/table.h"
#include "report/text.h"

namespace evenbench::report {
namespace {

using judge::Distribution;
using judge::JudgedStep;

constexpr int kColumns = 18;
constexpr std::string_view kHead =
    R"(<thead><tr><th scope="col" rowspan="2">System</th><th scope="col" rowspan="2">Level</th>)"
    R"(<th scope="col" rowspan="2" class="n">Block</th><th scope="col" rowspan="2">Label</th>)"
    R"(<th scope="colgroup" colspan="2" class="edge">Requests/s</th>)"
    R"(<th scope="col" rowspan="2" class="n">Output tok/s</th>)"
    R"(<th scope="colgroup" colspan="2" class="edge">Requests</th>)"
    R"(<th scope="colgroup" colspan="3" class="edge">TTFT (ms)</th>)"
    R"(<th scope="colgroup" colspan="3" class="edge">TPOT (ms)</th>)"
    R"(<th scope="colgroup" colspan="3" class="edge">E2E (ms)</th></tr>)"
    "\n<tr>"
    R"(<th scope="col" class="n edge">sent</th>)"
    R"(<th scope="col" class="n">completed</th>)"
    R"(<th scope="col" class="n edge">good</th><th scope="col" class="n">failed</th>)"
    R"(<th scope="col" class="n edge">P50</th><th scope="col" class="n">P95</th><th scope="col" class="n">P99</th>)"
    R"(<th scope="col" class="n edge">P50</th><th scope="col" class="n">P95</th><th scope="col" class="n">P99</th>)"
    R"(<th scope="col" class="n edge">P50</th><th scope="col" class="n">P95</th><th scope="col" class="n">P99</th>)"
    "</tr></thead>\n";

std::string cell(const std::string& text, const std::string& below = "", bool edge = false) {
  return fmt::format(R"(<td class="n{}">{}{}</td>)", edge ? " edge" : "", html_text(text),
                     below.empty() ? "" : "<small>" + html_text(below) + "</small>");
}

std::string latency_cells(const Distribution& d) {
  const judge::Percentiles all = d.with_failures.value_or(judge::Percentiles{});
  std::string out;
  bool edge = true;
  for (const auto& [good, with_failures] :
       {std::pair{d.p50, all.p50}, std::pair{d.p95, all.p95}, std::pair{d.p99, all.p99}}) {
    const std::string text = number(good);
    const std::string below = number(with_failures);
    out += cell(text, with_failures && below != text ? below : "", edge);
    edge = false;
  }
  return out;
}

std::string row_of(const judge::JudgedSystem& system, std::size_t index, const JudgedStep& step) {
  std::string out = fmt::format(
      "<tr{}><th scope=\"row\">{}{}</th><td class=\"word\">{}</td><td "
      "class=\"n\">{}</td><td>{}</td>",
      is_held(step) ? "" : R"( class="doubt")", html_mark(index), html_text(shown_name(system)),
      html_text(level_name(step)), step.block, judge::name_of(step.label));
  out += cell(number(step.sent_rate), "", true) + cell(number(step.completed_rate)) +
         cell(number(step.output_tokens_per_s));
  const std::uint64_t cut = step.endings[static_cast<std::size_t>(Ending::kCutAtEnd)];
  out += cell(count(step.good), "", true) +
         cell(count(step.failed), cut == 0 ? "" : count(cut) + " cut off");
  for (const Distribution* d : {&step.ttft, &step.tpot, &step.e2e}) out += latency_cells(*d);
  out += "</tr>\n";
  if (step.reasons.empty()) return out;
  std::string reasons;
  for (const std::string& reason : step.reasons) reasons += "<li>" + html_text(reason) + "</li>";
  return out + fmt::format("<tr class=\"why\"><td colspan=\"{}\"><ul>{}</ul></td></tr>\n", kColumns,
                           reasons);
}

}  // namespace

std::string steps_html(const judge::JudgedRun& run, std::string_view kind) {
  std::string rows;
  for (std::size_t i = 0; i < run.systems.size(); ++i) {
    for (const JudgedStep& step : run.systems[i].steps) {
      if (step.kind == kind) rows += row_of(run.systems[i], i, step);
    }
  }
  if (rows.empty()) return "";
  return fmt::format("<div class=\"scroll\"><table>{}<tbody>{}</tbody></table></div>\n", kHead,
                     rows);
}

}  // namespace evenbench::report
