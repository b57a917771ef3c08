#include "judge/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/verdict.h"

namespace evenbench::judge {
namespace {

template <typename Row>
const Row* find_row(const std::vector<Row>& rows, std::int64_t id) {
  const auto it = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.id == id; });
  return it == rows.end() ? nullptr : &*it;
}

std::string system_place(const record::Reader& run, std::int64_t id) {
  const record::SystemRow* row = find_row(run.systems(), id);
  return row == nullptr ? fmt::format("system {}", id) : row->name;
}

std::string visit_place(const record::Reader& run, std::int64_t id) {
  const record::VisitRow* row = find_row(run.visits(), id);
  if (row == nullptr) return fmt::format("visit {}", id);
  return fmt::format("{}, visit {}", system_place(run, row->system_id), visit_number(run, *row));
}

std::string step_place(const record::Reader& run, std::int64_t id) {
  const record::StepRow* row = find_row(run.steps(), id);
  if (row == nullptr) return fmt::format("step {}", id);
  std::string level;
  if (row->planned_rate) level = fmt::format(" {:g}/s", *row->planned_rate);
  if (row->concurrency) level = fmt::format(" {} at once", *row->concurrency);
  return fmt::format("{}, {}{}", visit_place(run, row->visit_id), row->kind, level);
}

int urgency(const Finding& finding) {
  if (finding.severity == "error") return 0;
  return finding.severity == "warning" ? 1 : 2;
}

// One finding per system for all its steps of which `holds`.
template <typename Holds>
void sum_up(const JudgedSystem& system, const char* severity, const char* code, const char* text,
            Holds holds, std::vector<Finding>& out) {
  const auto steps = std::count_if(system.steps.begin(), system.steps.end(), holds);
  if (steps == 0) return;
  out.push_back({"system", system.name, severity, code,
                 fmt::format("{} of {} steps: {}", steps, system.steps.size(), text)});
}

void add_of_labels(const JudgedSystem& system, std::vector<Finding>& out) {
  sum_up(
      system, "error", "step_failed", "no request ended well; the steps name the failures",
      [](const JudgedStep& s) { return s.label == Label::kFailed; }, out);
  sum_up(
      system, "error", "client_limit",
      "the client was the limit; their numbers say nothing about the system",
      [](const JudgedStep& s) { return s.label == Label::kInvalidClient; }, out);
  sum_up(system, "warning", "length_not_honoured",
         "answers were not as long as asked; compare tokens only between equal lengths",
         length_missed, out);
  sum_up(system, "warning", "cached_input",
         "the server took part of the input from its prefix cache", input_was_cached, out);
}

// Beyond rounding, and beyond a request or two that ends between two looks.
constexpr double kCountTolerance = 0.001;

// The step that is furthest off, of one kind of tokens.
struct FurthestOff {
  const JudgedStep* step = nullptr;
  double difference = 0;
};

FurthestOff furthest_off(const JudgedSystem& system,
                         std::optional<double> (EngineSide::*difference)() const) {
  FurthestOff out;
  for (const JudgedStep& step : system.steps) {
    const double off = (step.engine.*difference)().value_or(0.0);
    if (std::abs(off) > std::max(std::abs(out.difference), kCountTolerance)) out = {&step, off};
  }
  return out;
}

void add_count(const JudgedSystem& system, const FurthestOff& off, const char* what, double server,
               std::uint64_t client, std::vector<Finding>& out) {
  const std::uint64_t unseen = off.step->engine.client_uncounted;
  std::string why = "somebody else used the server, or one of the two counts wrongly";
  if (unseen > 0) {
    why =
        fmt::format("more than the {} requests explain that were cut, broken off or not counted; ",
                    unseen) +
        why;
  }
  out.push_back({"system", system.name, "warning", "server_counts_otherwise",
                 fmt::format("visit {}, step {}: the server counts {} {} tokens where the client "
                             "counts {} ({:+.2f} %): {}",
                             off.step->visit, off.step->ordinal, std::llround(server), what, client,
                             100 * off.difference, why)});
}

void add_of_counts(const JudgedSystem& system, std::vector<Finding>& out) {
  const FurthestOff output = furthest_off(system, &EngineSide::output_difference);
  if (output.step != nullptr) {
    add_count(system, output, "output", *output.step->engine.generation_tokens,
              output.step->engine.client_output_tokens, out);
  }
  const FurthestOff prompt = furthest_off(system, &EngineSide::prompt_difference);
  if (prompt.step != nullptr) {
    add_count(system, prompt, "prompt", *prompt.step->engine.prompt_tokens,
              prompt.step->engine.client_prompt_tokens, out);
  }
}

// Rows that belong to nothing would be lost without a word.
void add_orphans(const record::Reader& run, std::vector<Finding>& out) {
  const auto add = [&](const std::string& what) {
    out.push_back({"run", "", "error", "row_without_owner",
                   what + ", which the run file does not hold; it is in no table"});
  };
  for (const record::VisitRow& visit : run.visits()) {
    if (find_row(run.systems(), visit.system_id) != nullptr) continue;
    add(fmt::format("visit {} belongs to system {}", visit.id, visit.system_id));
  }
  for (const record::StepRow& step : run.steps()) {
    if (find_row(run.visits(), step.visit_id) != nullptr) continue;
    add(fmt::format("step {} belongs to visit {}", step.id, step.visit_id));
  }
}

}  // namespace

int visit_number(const record::Reader& run, const record::VisitRow& visit) {
  const auto& visits = run.visits();
  return static_cast<int>(std::count_if(visits.begin(), visits.end(), [&](const auto& v) {
    return v.system_id == visit.system_id && v.id <= visit.id;
  }));
}

std::string place_of(const record::Reader& run, const std::string& scope, std::int64_t id) {
  if (scope == "system") return system_place(run, id);
  if (scope == "visit") return visit_place(run, id);
  if (scope == "step") return step_place(run, id);
  return "";
}

std::vector<Finding> findings_of(const record::Reader& run,
                                 const std::vector<JudgedSystem>& systems,
                                 const HeadlineStamp& stamp) {
  std::vector<Finding> out;
  for (const record::FindingRow& row : run.findings()) {
    out.push_back(
        {row.scope, place_of(run, row.scope, row.scope_id), row.severity, row.code, row.text});
  }
  for (const record::VisitRow& visit : run.visits()) {
    if (visit.note.empty()) continue;
    out.push_back({"visit", place_of(run, "visit", visit.id), "error", "visit_failed", visit.note});
  }
  add_orphans(run, out);
  if (stamp.mixed) {
    out.push_back({"run", "", "warning", "stamp_mixed",
                   "the instants of the systems are not of one kind: the kernel's stamp was used " +
                       stamp.why + "; compare them with --stamp user or auto"});
  }
  for (const JudgedSystem& system : systems) {
    add_of_labels(system, out);
    add_of_counts(system, out);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Finding& a, const Finding& b) { return urgency(a) < urgency(b); });
  return out;
}

}  // namespace evenbench::judge
