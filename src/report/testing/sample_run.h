// Judged runs made by hand for the tests of this room.
#pragma once

#include "judge/judged_run.h"

namespace evenbench::report::testing {

// Two systems, one simulated; a ladder in two blocks with a saturated rung, a closed-loop step, and
// failures.
judge::JudgedRun sample_run();

// Three requests, all answered HTTP 500 with a message that every format has to quote.
judge::JudgedRun failed_run();

// Nothing was started.
judge::JudgedRun empty_run();

// Every string of the sample holds `text`.
judge::JudgedRun run_full_of(const std::string& text);

}  // namespace evenbench::report::testing
