#include "cli/progress.h"

#include <fmt/format.h>

#include <cstdio>

namespace evenbench::cli {

void Progress::line(std::string_view text) const {
  if (!quiet_) fmt::print(stderr, "{}\n", text);
}

void Progress::warning(std::string_view text) const {
  fmt::print(stderr, "warning: {}\n", text);
}

}  // namespace evenbench::cli
