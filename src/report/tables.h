// The tables that stand behind the headline: steps, failures, the client's own share, manifests.
#pragma once

#include <initializer_list>

#include "judge/judged_run.h"
#include "report/table.h"

namespace evenbench::report {

// The main figures of every step of one kind; no rows if there is none.
Table steps_table(const judge::JudgedRun& run, std::string_view kind);
Table failure_table(const judge::JudgedRun& run);
// "120 of 9,240 requests failed."
std::string failure_note(const judge::JudgedRun& run);
// What the client saw of itself in every step; a value beyond its limit is marked.
Table client_table(const judge::JudgedRun& run);
// What the engines counted of themselves, beside the client's sums; no rows where none was asked.
Table engine_table(const judge::JudgedRun& run);
// One row per key, one column per system, so that what differs can be seen.
Table manifest_table(const judge::JudgedRun& run);
Table host_table(const judge::JudgedRun& run);

// System, level and block: how every row of a step begins, and its columns.
Row start_row(const judge::JudgedRun& run, std::size_t system, const judge::JudgedStep& step);
std::vector<Column> start_columns();
void add_columns(Table& table, std::initializer_list<const char*> numbers);

}  // namespace evenbench::report
