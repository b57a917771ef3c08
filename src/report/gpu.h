// The GPUs in words: the four instants of memory as a table, the series as gpu.csv.
#pragma once

#include <string>

#include "judge/gpu.h"
#include "judge/judged_run.h"
#include "report/table.h"

namespace evenbench::report {

// One row per system, visit and GPU; no rows where nothing was sampled.
Table gpu_table(const judge::JudgedRun& run);
// What such figures are worth.
std::string gpu_note();

// gpu.csv by RFC 4180: the header, and a row. Absent is an empty field.
std::string gpu_csv_header();
std::string gpu_csv_row(const judge::GpuPoint& point);

}  // namespace evenbench::report
