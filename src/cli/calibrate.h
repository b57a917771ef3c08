// `calibrate`: finds what this machine's client can do, stores and shows it.
#pragma once

#include <optional>
#include <string>

#include "base/time.h"
#include "calibrate/calibration.h"

namespace evenbench::cli {

struct CalibrateArgs {
  bool quick = false;
  bool json = false;
  std::string workers = "1";
  std::optional<double> duration_s;  // for all of it
};

// The exit code. Trial by trial on stderr, the limits on stdout.
int run_calibrate(const CalibrateArgs& args, const Clock& clock);

// The limits as a table, whole lines. Pure.
std::string print_calibration(const calibrate::Calibration& calibration);

}  // namespace evenbench::cli
