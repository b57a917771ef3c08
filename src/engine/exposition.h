// Reads the text format in which servers show their metrics (Prometheus exposition format 0.0.4).
// Strict, as Prometheus is: a page with a line that cannot be read is refused whole. Pure; knows no
// engine and no name.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace evenbench::engine {

struct Sample {
  std::string name;
  std::vector<std::pair<std::string, std::string>> labels;  // as they stand, escapes undone
  double value = 0;                                         // infinities and NaN as they stand

  // "" when it has no such label.
  [[nodiscard]] std::string_view label(std::string_view key) const;
};

// Comments, among them HELP and TYPE, are not looked at; timestamps are checked and left out. An
// empty page has no samples. Error: environment; names the line and what is wrong with it.
Result<std::vector<Sample>> read_exposition(std::string_view page);

}  // namespace evenbench::engine
