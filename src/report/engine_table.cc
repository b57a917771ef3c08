// What the engines counted of themselves, step by step, beside the client's own sums.
#include <fmt/format.h>

#include "report/tables.h"
#include "report/text.h"

namespace evenbench::report {
namespace {

using judge::EngineSide;
using judge::JudgedRun;
using judge::JudgedStep;

std::string whole(const std::optional<double>& value) {
  return value ? count(static_cast<std::uint64_t>(*value)) : std::string(kAbsent);
}

// "12,011 / 12,000 (+0.09 %)"
std::string compared(const std::optional<double>& server, std::uint64_t client,
                     const std::optional<double>& difference) {
  if (!server) return std::string(kAbsent);
  const std::string both = fmt::format("{} / {}", whole(server), count(client));
  return difference ? fmt::format("{} ({:+.2f} %)", both, 100 * *difference) : both;
}

bool says_anything(const EngineSide& e) {
  return e.looks > 0 || e.generation_tokens || e.prompt_tokens || e.preemptions;
}

void add_cells(Row& row, const EngineSide& e) {
  row.cells.push_back(whole(e.running_max));
  row.cells.push_back(whole(e.waiting_max));
  row.cells.push_back(percent(e.kv_cache_usage_max));
  row.cells.push_back(whole(e.preemptions));
  row.cells.push_back(whole(e.requests_refused));
  row.cells.push_back(percent(e.cache_hit_rate));
  row.cells.push_back(number(e.queue_time_mean_ms));
  row.cells.push_back(compared(e.prompt_tokens, e.client_prompt_tokens, e.prompt_difference()));
  row.cells.push_back(compared(e.generation_tokens, e.client_output_tokens, e.output_difference()));
}

}  // namespace

Table engine_table(const JudgedRun& run) {
  Table table{"", start_columns(), {}};
  add_columns(table, {"Running at most", "Waiting at most", "KV cache at most", "Preemptions",
                      "Refused", "Prefix cache hits", "Queue mean (ms)",
                      "Prompt tokens, server / client", "Output tokens, server / client"});
  for (std::size_t i = 0; i < run.systems.size(); ++i) {
    for (const JudgedStep& step : run.systems[i].steps) {
      if (!says_anything(step.engine)) continue;
      Row row = start_row(run, i, step);
      add_cells(row, step.engine);
      table.rows.push_back(std::move(row));
    }
  }
  if (table.rows.empty()) return table;
  table.caption =
      "By the engines' own metrics, over the whole step, warm-up included; gauges as seen once a "
      "second.";
  return table;
}

}  // namespace evenbench::report
