// Finds the largest level at which something holds. Pure: how a level is tried is given.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "calibrate/calibration.h"

namespace evenbench::calibrate {

enum class Verdict : std::uint8_t { kHeld, kFailed, kServerLate };

struct Trial {
  Verdict verdict = Verdict::kHeld;
  std::string why;  // what did not hold
};
// nullopt: there is no time left for one.
using TryLevel = std::function<std::optional<Trial>(double level)>;

struct SearchRange {
  double least = 1, first = 1, most = 1;
  double resolution = 1.1;  // stops when what fails is at most this many times what holds
  int tries = 2;            // a level that does not hold is tried so often: one hiccup is no limit
};

// Doubles from `first` while the level holds, or halves while it does not, then bisects (in
// ratios). Levels are whole numbers.
Limit find_limit(const SearchRange& range, const TryLevel& try_level);

}  // namespace evenbench::calibrate
