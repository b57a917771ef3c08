#include "cli/calibration_file.h"

#include <cstdlib>

#include "calibrate/store.h"
#include "cli/version.h"
#include "probe/host.h"

namespace evenbench::cli {
namespace {

std::filesystem::path folder_named_by(const char* variable) {
  const char* value =
      std::getenv(variable);  // lint-ok(environment): the XDG base directory specification
  return value == nullptr ? "" : value;
}

}  // namespace

Result<std::filesystem::path> calibration_file() {
  std::filesystem::path state = folder_named_by("XDG_STATE_HOME");
  // A relative path is to be ignored, says the specification.
  if (!state.is_absolute()) {
    const std::filesystem::path home = folder_named_by("HOME");
    if (!home.is_absolute()) {
      return environment_error(
          "there is no place to keep a calibration: set XDG_STATE_HOME or HOME to a folder");
    }
    state = home / ".local" / "state";
  }
  return state / "evenbench" / "calibration.json";
}

calibrate::Machine this_machine() {
  return calibrate::machine_of(probe::host_facts(), kVersion, kBuild);
}

KnownCalibration known_calibration() {
  KnownCalibration out;
  const auto file = calibration_file();
  if (!file) {
    out.why_none = file.error().message;
  } else {
    out.calibration = calibrate::load(*file, this_machine(), out.why_none);
  }
  return out;
}

}  // namespace evenbench::cli
