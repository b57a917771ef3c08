#include "report/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "judge/judge.h"
#include "report/comparability.h"
#include "report/text.h"

namespace evenbench::report {
namespace {

using judge::Distribution;
using judge::JudgedRun;
using judge::JudgedStep;
using Value = std::optional<double>;

Value p50(const Distribution& d) {
  return d.with_failures ? d.with_failures->p50 : d.p50;
}
Value p95(const Distribution& d) {
  return d.with_failures ? d.with_failures->p95 : d.p95;
}

struct Compared {
  std::string name;
  judge::Better better;
  Value (*of)(const JudgedStep&);
};

const std::array<Compared, 6> kCompared = {{
    {"TTFT P50", judge::Better::kLess, [](const JudgedStep& s) { return p50(s.ttft); }},
    {"TTFT P95", judge::Better::kLess, [](const JudgedStep& s) { return p95(s.ttft); }},
    {"TPOT P95", judge::Better::kLess, [](const JudgedStep& s) { return p95(s.tpot); }},
    {"E2E P95", judge::Better::kLess, [](const JudgedStep& s) { return p95(s.e2e); }},
    {"completed/s", judge::Better::kMore, [](const JudgedStep& s) { return s.completed_rate; }},
    {"output tok/s", judge::Better::kMore,
     [](const JudgedStep& s) { return s.output_tokens_per_s; }},
}};

bool is_closed(const Level& level) {
  return level.kind == "closed";
}

// The largest median over the levels, closed loop and open loop apart.
Value most(const std::vector<Level>& levels, std::size_t system, bool closed,
           Value (*figure)(const JudgedStep&)) {
  Value best;
  for (const Level& level : levels) {
    if (is_closed(level) != closed) continue;
    const Value value = level.systems[system].median(figure);
    if (value && (!best || *value > *best)) best = value;
  }
  return best;
}

std::string highest_held(const std::vector<Level>& levels, std::size_t system) {
  const Level* best = nullptr;
  bool any = false;
  for (const Level& level : levels) {
    if (level.kind != "ladder") continue;
    any = any || level.systems[system].any();
    if (level.systems[system].held()) best = &level;
  }
  return best ? compact(best->value) : any ? "none" : std::string(kAbsent);
}

Value finite(Value value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string change_text(Value base, Value value, judge::Better better) {
  if (finite(base) && value && std::isinf(*value)) return "unbounded (worse)";
  const judge::Change change = judge::change_of(finite(base), finite(value), better);
  if (!change.percent) return "n/a";
  if (std::fabs(*change.percent) < 0.05) return "0.0 %";
  return fmt::format("{:+.1f} % ({})", *change.percent, change.better ? "better" : "worse");
}

struct Totals {
  std::uint64_t sent = 0, failed = 0;
};

Totals totals_of(const judge::JudgedSystem& system) {
  Totals totals;
  for (const JudgedStep& step : system.steps) {
    totals.sent += step.sent;
    totals.failed += step.failed;
  }
  return totals;
}

void add_columns(Table& table, const std::vector<Level>& levels, const Level* shared) {
  const bool open =
      std::any_of(levels.begin(), levels.end(), [](auto& l) { return !is_closed(l); });
  const bool closed = std::any_of(levels.begin(), levels.end(), is_closed);
  table.columns.push_back({"System", false, "system"});
  if (open) {
    table.columns.push_back({"Highest rate held (req/s)", true, "held"});
    table.columns.push_back({"Completed at most (req/s)", true, "req/s"});
    table.columns.push_back({"Output tok/s at most", true, "tok/s"});
  }
  if (closed) {
    table.columns.push_back({"Closed loop: completed at most (req/s)", true, "closed req/s"});
    table.columns.push_back({"Closed loop: output tok/s at most", true, "closed tok/s"});
  }
  if (shared) {
    const std::string at = level_name(shared->kind, shared->value);
    for (const char* name : {"TTFT", "TPOT", "E2E"}) {
      table.columns.push_back(
          {fmt::format("{} P95 (ms) at {}", name, at), true, fmt::format("{} P95", name)});
    }
  }
  table.columns.push_back({"Requests sent", true, "sent"});
  table.columns.push_back({"Failed", true, "failed"});
}

}  // namespace

std::vector<std::string> facts(const JudgedRun& run) {
  std::vector<std::string> out;
  if (!run.started.empty()) out.push_back("started " + run.started);
  out.push_back(counted(run.systems.size(), "system"));
  out.push_back(label_counts(run));
  if (!run.systems.empty()) {
    out.push_back(fmt::format("instants by the {} stamp",
                              run.stamp.used == StampChoice::kKernel ? "kernel's" : "program's"));
  }
  out.push_back("evenbench " + run.tool_version);
  out.push_back(fmt::format("seed {}", run.seed));
  if (!run.spec_sha256.empty()) out.push_back("spec sha256 " + run.spec_sha256.substr(0, 12));
  return out;
}

std::vector<std::string> reservations(const JudgedRun& run) {
  std::vector<std::string> out;
  if (!run.complete) {
    out.push_back(
        "This run is not complete: " +
        (run.reason.empty() ? std::string("it was stopped before it could say why") : run.reason) +
        ". What was measured before that is shown.");
  }
  std::string simulated;
  for (const judge::JudgedSystem& system : run.systems) {
    if (system.simulated) simulated += (simulated.empty() ? "" : ", ") + system.name;
  }
  if (!simulated.empty()) {
    out.push_back(
        "Simulated: " + simulated +
        ". A model of an engine answered; its figures say nothing about any real engine.");
  }
  return out;
}

const Level* shared_level(const std::vector<Level>& levels) {
  for (const char* kind : {"ladder", "replay"}) {
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      const auto& systems = level->systems;
      if (level->kind == kind &&
          std::all_of(systems.begin(), systems.end(), [](auto& s) { return s.held(); })) {
        return &*level;
      }
    }
  }
  return nullptr;
}

Table glance_table(const JudgedRun& run) {
  const std::vector<Level> levels = levels_of(run);
  const Level* shared = shared_level(levels);
  const auto completed = [](const JudgedStep& s) { return s.completed_rate; };
  const auto tokens = [](const JudgedStep& s) { return s.output_tokens_per_s; };
  Table table;
  add_columns(table, levels, shared);
  for (std::size_t i = 0; i < run.systems.size(); ++i) {
    Row row{{shown_name(run.systems[i])}, i};
    for (const bool closed : {false, true}) {
      if (std::none_of(levels.begin(), levels.end(),
                       [&](auto& l) { return is_closed(l) == closed; })) {
        continue;
      }
      if (!closed) row.cells.push_back(highest_held(levels, i));
      row.cells.push_back(number(most(levels, i, closed, completed)));
      row.cells.push_back(number(most(levels, i, closed, tokens)));
    }
    if (shared) {
      for (const auto latency : {&JudgedStep::ttft, &JudgedStep::tpot, &JudgedStep::e2e}) {
        row.cells.push_back(number(
            shared->systems[i].median([&](const JudgedStep& s) { return p95(s.*latency); })));
      }
    }
    const Totals totals = totals_of(run.systems[i]);
    row.cells.push_back(count(totals.sent));
    row.cells.push_back(count(totals.failed));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> glance_notes(const JudgedRun& run) {
  const std::vector<Level> levels = levels_of(run);
  if (levels.empty()) return {"No step was measured, so there is nothing to say about any system."};
  std::vector<std::string> notes;
  if (const Level* shared = shared_level(levels)) {
    notes.push_back(
        fmt::format("The highest rate that {} held is {}. Latencies are given there, failed "
                    "requests counted as "
                    "infinitely slow.",
                    run.systems.size() == 1 ? "the system" : "every system",
                    level_name(shared->kind, shared->value)));
  } else if (std::any_of(levels.begin(), levels.end(), [](auto& l) { return !is_closed(l); })) {
    notes.push_back(
        run.systems.size() == 1
            ? "The system held no rate, so no latencies are given here."
            : "No rate was held by every system, so no latencies are put side by side here.");
  }
  notes.push_back(
      "A rate is held when every usable visit to it is STEADY or SUSPECT and at most 1 % of its "
      "requests failed. Where a level was "
      "visited "
      "in several blocks, figures are medians over the visits. Steps labelled FAILED or "
      "INVALID_CLIENT are left out.");
  return notes;
}

Table change_table(const JudgedRun& run) {
  Table table;
  if (run.systems.size() < 2 || comparing_is_refused(run)) return table;
  const std::string& first = run.systems[0].name;
  table.caption = fmt::format(
      "Change of each system against {}, the first of the spec, in percent of {}'s figure. Where "
      "the "
      "labels of a level differ, {}'s stands first. These are differences of what was measured; "
      "they do "
      "not say whether chance explains them.",
      shown_name(run.systems[0]), first, first);
  table.columns = {{"System", false, ""}, {"Level", false, ""}, {"Labels", false, ""}};
  for (const Compared& compared : kCompared) table.columns.push_back({compared.name, true, ""});
  for (const Level& level : levels_of(run)) {
    const Visits& base = level.systems[0];
    for (std::size_t i = 1; i < run.systems.size(); ++i) {
      const Visits& visits = level.systems[i];
      if (!base.any() || !visits.any()) continue;
      Row row{{shown_name(run.systems[i]), level_name(level.kind, level.value),
               base.labels() == visits.labels() ? visits.labels()
                                                : base.labels() + " / " + visits.labels()},
              i};
      for (const Compared& compared : kCompared) {
        row.cells.push_back(
            change_text(base.median(compared.of), visits.median(compared.of), compared.better));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::string label_counts(const JudgedRun& run) {
  std::array<std::uint64_t, 6> counts{};
  std::uint64_t steps = 0;
  for (const judge::JudgedSystem& system : run.systems) {
    for (const JudgedStep& step : system.steps) {
      ++counts.at(static_cast<std::size_t>(step.label));
      ++steps;
    }
  }
  std::string out = counted(steps, "step");
  const char* separator = ": ";
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    out +=
        fmt::format("{}{} {}", separator, counts[i], judge::name_of(static_cast<judge::Label>(i)));
    separator = ", ";
  }
  return out;
}

}  // namespace evenbench::report
