// The calibration as a file of JSON.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "calibrate/calibration.h"

namespace evenbench::calibrate {

std::string to_json(const Calibration& calibration);
// Error: environment, what is wrong with it.
Result<Calibration> from_json(const std::string& text);

// Whole or not at all, whenever it is interrupted; folders are made. Error: environment.
Result<void> save(const Calibration& calibration, const std::filesystem::path& file);
// nullopt, with the reason in `why`: there is none, it cannot be read, or it was made on another
// machine than `machine` (or by another build of evenbench).
std::optional<Calibration> load(const std::filesystem::path& file, const Machine& machine,
                                std::string& why);

}  // namespace evenbench::calibrate
