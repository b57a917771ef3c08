#include "report/gpu.h"

#include <fmt/format.h>

#include "report/csv_row.h"
#include "report/text.h"

namespace evenbench::report {
namespace {

using Bytes = std::optional<std::uint64_t>;

std::string gibibytes(const Bytes& bytes) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  return bytes ? fmt::format("{:.2f}", static_cast<double>(*bytes) / kGiB) : std::string(kAbsent);
}

void add_bytes(CsvRow& row, const char* name, const Bytes& bytes) {
  row.add(name, bytes ? fmt::format("{}", *bytes) : "");
}

CsvRow csv_row(const judge::GpuPoint& point) {
  CsvRow row;
  row.add("at_s", fmt::format("{:.6f}", point.at_s));
  row.add("system", point.system);
  row.add("block", fmt::format("{}", point.block));
  row.add("visit", fmt::format("{}", point.visit));
  row.add("gpu", fmt::format("{}", point.gpu));
  add_bytes(row, "memory_used_bytes", point.used_bytes);
  add_bytes(row, "engine_memory_bytes", point.engine_bytes);
  row.add("gpu_utilisation", point.utilisation);
  row.add("memory_utilisation", point.memory_utilisation);
  row.add("power_watts", point.power_watts);
  row.add("temperature_celsius", point.temperature_celsius);
  row.add("sm_clock_mhz", point.sm_clock_mhz);
  row.add("memory_clock_mhz", point.memory_clock_mhz);
  row.add("throttle_reasons",
          point.throttle_reasons ? fmt::format("{:#x}", *point.throttle_reasons) : "");
  return row;
}

}  // namespace

Table gpu_table(const judge::JudgedRun& run) {
  Table table{"", {{"System", false, ""}, {"Visit", true, ""}, {"GPU", false, ""}}, {}};
  for (const char* name : {"Total GiB", "Idle", "Ready", "Peak", "Engine's own peak", "After stop"})
    table.columns.push_back({name, true, ""});
  table.columns.push_back({"Read by", false, ""});
  for (std::size_t i = 0; i < run.systems.size(); ++i) {
    for (const judge::JudgedGpu& gpu : run.systems[i].gpus) {
      Row row{{shown_name(run.systems[i]), fmt::format("{}", gpu.visit),
               fmt::format("{}: {}", gpu.gpu, gpu.name)},
              i};
      for (const Bytes& bytes : {gpu.total_bytes, gpu.idle_bytes, gpu.ready_bytes, gpu.peak_bytes,
                                 gpu.engine_peak_bytes, gpu.after_bytes})
        row.cells.push_back(gibibytes(bytes));
      row.cells.push_back(gpu.source);
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::string gpu_note() {
  return "GiB in use on each GPU, of all processes: before the start, when the engine was ready, "
         "the "
         "most until the load was over, after the stop. An engine that reserves its memory in "
         "advance takes what its settings say: there the peak is a setting, not a result.";
}

std::string gpu_csv_header() {
  return csv_row({}).header();
}

std::string gpu_csv_row(const judge::GpuPoint& point) {
  return csv_row(point).cells();
}

}  // namespace evenbench::report
