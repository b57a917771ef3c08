// Why requests of a step failed, and what to do about it in the engine's own flags, told from how
// often they failed in which way. Pure; knows no other step.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/failure_count.h"

namespace evenbench::engine {

struct StepRule {
  std::string_view code;                  // of the finding
  std::string_view engine;                // name of the adapter; "" = any
  Ending ending;                          // kHttpError stands for kStreamError too
  std::optional<wire::ErrorClass> error;  // nullopt: whatever the server said, if anything
  std::string_view words;                 // in the detail; "" = any
  std::string_view text;                  // what it means, and the remedy
};
// The first that fits explains a failure: an engine's own before those of any.
std::span<const StepRule> step_rules();

struct StepFinding {
  std::string severity;  // note up to 1 % of the requests, else warning
  std::string code;
  std::string text;
};
// `good`: requests of the step that ended well.
std::vector<StepFinding> explain_failures(std::string_view engine,
                                          std::span<const wire::FailureCount> failures,
                                          std::uint64_t good);

}  // namespace evenbench::engine
