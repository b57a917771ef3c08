#include "cli/calibration_file.h"

#include "calibrate/store.h"
#include "cli/user_folder.h"
#include "cli/version.h"
#include "probe/host.h"

namespace evenbench::cli {
Result<std::filesystem::path> calibration_file() {
  auto folder = user_folder("XDG_STATE_HOME", ".local/state", "a calibration");
  if (!folder) return folder;
  return *folder / "calibration.json";
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
