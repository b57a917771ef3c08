// The judged run as a JSON value: what summary.json holds and the page carries.
#pragma once

#include <nlohmann/json.hpp>

#include "judge/judged_run.h"

namespace evenbench::report {

// docs/summary.schema.json. What was not measured is left out; only the figures of a distribution
// without samples are null. Infinity is the string "unbounded".
nlohmann::ordered_json summary_of(const judge::JudgedRun& run);

// As text. Strings that are not UTF-8 have their bad bytes replaced.
std::string text_of(const nlohmann::ordered_json& value, int indent);

}  // namespace evenbench::report
