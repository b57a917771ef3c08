// Compares a whole output with its checked-in copy in tests/golden/report. With
// EVENBENCH_UPDATE_GOLDEN=1 in the environment the copy is written anew, to be read in the diff.
#pragma once

#include <string>

namespace evenbench::report::testing {

void expect_golden(const std::string& file, const std::string& text);

}  // namespace evenbench::report::testing
