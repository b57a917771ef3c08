// Judged run in, files out: report.html, report.md, summary.json, steps.csv, gpu.csv.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "judge/judged_run.h"

namespace evenbench::report {

std::string summary_json(
    const judge::JudgedRun& run);  // docs/summary.schema.json, strict JSON, newline at the end
std::string steps_csv(
    const judge::JudgedRun& run);  // RFC 4180, one row per step, the same columns always
std::string markdown(const judge::JudgedRun& run);
std::string html(const judge::JudgedRun& run);  // one self-contained file

// Gives every sample of the GPUs, in the order of gpu.csv.
using GpuSeries = std::function<Result<void>(const std::function<void(const judge::GpuPoint&)>&)>;

// All of them into `folder`, each through a temporary file and a rename; gpu.csv where GPUs were
// sampled.
Result<void> write_all(const judge::JudgedRun& run, const std::filesystem::path& folder,
                       const GpuSeries& series);

// The few lines that a terminal shows at the end of a run.
std::string console(const judge::JudgedRun& run);

}  // namespace evenbench::report
