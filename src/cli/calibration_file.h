// Where this machine's calibration stands, and what it says.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "calibrate/calibration.h"

namespace evenbench::cli {

// $XDG_STATE_HOME/evenbench/calibration.json, or below ~/.local/state. Error: environment, neither
// variable is set.
Result<std::filesystem::path> calibration_file();
calibrate::Machine this_machine();

struct KnownCalibration {
  std::optional<calibrate::Calibration> calibration;
  std::string why_none;
};
KnownCalibration known_calibration();

}  // namespace evenbench::cli
