// Run file in, judged run out. No network, no clock, no GPU: any report can be made again from a
// stored run.
#pragma once

#include "base/result.h"
#include "judge/judged_run.h"
#include "record/reader.h"

namespace evenbench::judge {

Result<JudgedRun> judge(const record::Reader& run);

// Relative change of b against the base a, for a metric of which more (or less) is better.
struct Change {
  std::optional<double> percent;  // absent when either is absent or the base is 0
  bool better = false;            // meaningful only with percent != 0
};
enum class Better : std::uint8_t { kMore, kLess };
Change change_of(std::optional<double> base, std::optional<double> value, Better better);

}  // namespace evenbench::judge
