#include "calibrate/search.h"

#include <algorithm>
#include <cmath>

namespace evenbench::calibrate {
namespace {

std::optional<Trial> try_repeatedly(double level, int tries, const TryLevel& try_level) {
  std::optional<Trial> worst;
  for (int i = 0; i < tries; ++i) {
    auto trial = try_level(level);
    // One that failed and could not be repeated counts as it is.
    if (!trial || trial->verdict == Verdict::kHeld) return trial ? trial : worst;
    if (!worst || trial->verdict == Verdict::kFailed) worst = std::move(trial);
  }
  return worst;
}

double between(double low, double high) {
  return std::round(std::sqrt(low * high));
}

}  // namespace

Limit find_limit(const SearchRange& range, const TryLevel& try_level) {
  Limit out;
  double level = range.first;
  LimitedBy failed_by = LimitedBy::kClient;
  while (true) {
    const auto trial = try_repeatedly(level, range.tries, try_level);
    if (!trial) return out;  // by time
    if (trial->verdict == Verdict::kHeld) {
      out.holds = level;
    } else {
      out.fails_at = level;
      out.why = trial->why;
      failed_by = trial->verdict == Verdict::kServerLate ? LimitedBy::kServer : LimitedBy::kClient;
    }
    if (!out.fails_at) {
      if (level >= range.most) break;
      level = std::min(range.most, level * 2);
    } else if (out.holds == 0) {
      if (level <= range.least) break;
      level = std::max(range.least, std::floor(level / 2));
    } else {
      level = between(out.holds, *out.fails_at);
      const bool narrow = *out.fails_at <= out.holds * range.resolution;
      if (narrow || level <= out.holds || level >= *out.fails_at) break;
    }
  }
  out.by = out.fails_at ? failed_by : LimitedBy::kBound;
  return out;
}

}  // namespace evenbench::calibrate
