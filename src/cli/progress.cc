#include "cli/progress.h"

#include "cli/print.h"

#include <fmt/format.h>

#include <cstdio>

namespace evenbench::cli {

void Progress::line(std::string_view text) const {
  if (!quiet_) print_err(fmt::format("{}\n", text));
}

void Progress::warning(std::string_view text) const {
  print_err(fmt::format("warning: {}\n", text));
}

}  // namespace evenbench::cli
