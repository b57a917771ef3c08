#include "report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/text.h"

namespace evenbench::report {
namespace {

using judge::Distribution;
using judge::JudgedRun;
using judge::JudgedStep;
using judge::ManifestEntry;

// All visits of a key joined; each with its source.
std::string entries_text(const std::vector<ManifestEntry>& entries, const std::string& key) {
  std::string out;
  for (const ManifestEntry& entry : entries) {
    if (entry.key != key) continue;
    out += out.empty() ? "" : "; ";
    out += entry.source.empty() ? entry.value : fmt::format("{} ({})", entry.value, entry.source);
  }
  return out.empty() ? std::string(kAbsent) : out;
}

std::string values_text(const std::vector<ManifestEntry>& entries, const std::string& key) {
  std::string out;
  for (const ManifestEntry& entry : entries) {
    if (entry.key == key) out += entry.value + '\n';
  }
  return out;
}

}  // namespace

Row start_row(const JudgedRun& run, std::size_t system, const JudgedStep& step) {
  return {{shown_name(run.systems[system]), level_name(step), fmt::format("{}", step.block)},
          system};
}

std::vector<Column> start_columns() {
  return {{"System", false, ""}, {"Level", false, ""}, {"Block", true, ""}};
}

void add_columns(Table& table, std::initializer_list<const char*> numbers) {
  for (const char* name : numbers) table.columns.push_back({name, true, ""});
}

Table steps_table(const JudgedRun& run, std::string_view kind) {
  Table table{"", start_columns(), {}};
  table.columns.push_back({"Label", false, ""});
  add_columns(table, {"Sent req/s", "Completed req/s", "Output tok/s", "Good", "Failed", "TTFT P50",
                      "TTFT P95", "TTFT P99", "TPOT P50", "TPOT P95", "TPOT P99", "E2E P50",
                      "E2E P95", "E2E P99"});
  for (std::size_t i = 0; i < run.systems.size(); ++i) {
    for (const JudgedStep& step : run.systems[i].steps) {
      if (step.kind != kind) continue;
      Row row = start_row(run, i, step);
      row.cells.emplace_back(judge::name_of(step.label));
      for (const auto& value : {step.sent_rate, step.completed_rate, step.output_tokens_per_s}) {
        row.cells.push_back(number(value));
      }
      row.cells.push_back(count(step.good));
      row.cells.push_back(count(step.failed));
      for (const Distribution* d : {&step.ttft, &step.tpot, &step.e2e}) {
        for (const auto& value : {d->p50, d->p95, d->p99}) row.cells.push_back(number(value));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table failure_table(const JudgedRun& run) {
  Table table{"", start_columns(), {}};
  table.columns.push_back({"Ending", false, ""});
  add_columns(table, {"Requests", "First seen (s)"});
  table.columns.push_back({"What was said", false, ""});
  for (std::size_t i = 0; i < run.systems.size(); ++i) {
    for (const JudgedStep& step : run.systems[i].steps) {
      for (const judge::FailureClass& failure : step.failures) {
        Row row = start_row(run, i, step);
        row.cells.emplace_back(name_of(failure.ending));
        row.cells.push_back(count(failure.count));
        row.cells.push_back(number(failure.first_seen_s));
        row.cells.push_back(failure.detail.empty() ? std::string(kAbsent) : failure.detail);
        table.rows.push_back(std::move(row));
      }
    }
  }
  return table;
}

std::string failure_note(const JudgedRun& run) {
  std::uint64_t sent = 0;
  std::uint64_t failed = 0;
  for (const judge::JudgedSystem& system : run.systems) {
    for (const JudgedStep& step : system.steps) {
      sent += step.sent;
      failed += step.failed;
    }
  }
  if (failed == 0) return sent == 0 ? "No request was sent." : "No request failed.";
  return fmt::format("{} of {} failed.", count(failed), counted(sent, "request"));
}

Table manifest_table(const JudgedRun& run) {
  Table table;
  table.columns.push_back({"Key", false, ""});
  std::vector<std::string> keys;
  for (const judge::JudgedSystem& system : run.systems) {
    table.columns.push_back({shown_name(system), false, ""});
    for (const ManifestEntry& entry : system.manifest) {
      if (std::find(keys.begin(), keys.end(), entry.key) == keys.end()) keys.push_back(entry.key);
    }
  }
  const bool several = run.systems.size() > 1;
  if (several) table.columns.push_back({"Same for all", false, ""});
  for (const std::string& key : keys) {
    Row row{{key}, std::nullopt};
    std::set<std::string> values;
    for (const judge::JudgedSystem& system : run.systems) {
      row.cells.push_back(entries_text(system.manifest, key));
      values.insert(values_text(system.manifest, key));
    }
    // What one system does not tell cannot be called different.
    const char* same = values.contains("") ? "not told by all" : values.size() == 1 ? "yes" : "no";
    if (several) row.cells.emplace_back(same);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table host_table(const JudgedRun& run) {
  Table table{"", {{"Key", false, ""}, {"Value", false, ""}, {"Source", false, ""}}, {}};
  for (const ManifestEntry& entry : run.host) {
    table.rows.push_back({{entry.key, entry.value, entry.source}, std::nullopt});
  }
  return table;
}

}  // namespace evenbench::report
