// Whether the terms were even: what must be read before any number. Words for page, Markdown,
// JSON and terminal.
#pragma once

#include <string>
#include <vector>

#include "judge/judged_run.h"
#include "report/table.h"

namespace evenbench::report {

// "NOT_COMPARABLE: what was measured is not the same thing; no system is better or worse by it.";
// "" where nothing was compared.
std::string comparability(const judge::JudgedRun& run);

// "error", "warning" or "note", as of other findings.
std::string severity_of(const audit::Finding& finding);

// No figure of one system may be set against another's.
bool comparing_is_refused(const judge::JudgedRun& run);

// One row per term, one column per system, and whether it is the same for all. No rows where
// nothing is known.
Table terms_table(const judge::JudgedRun& run);

}  // namespace evenbench::report
