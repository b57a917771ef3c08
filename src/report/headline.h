// What a reader wants first: what each system held at most, how they stand at a level that all of
// them held, and by how much they differ. It draws no verdict.
#pragma once

#include <string>
#include <vector>

#include "judge/judged_run.h"
#include "report/levels.h"
#include "report/table.h"

namespace evenbench::report {

// When, with what and how big: short pieces of one line.
std::vector<std::string> facts(const judge::JudgedRun& run);
// What must be known before any number: a run that is not complete, systems that are simulated.
std::vector<std::string> reservations(const judge::JudgedRun& run);

// The highest rung (else replay level) that every system held; nullptr when there is none.
const Level* shared_level(const std::vector<Level>& levels);

// One row per system. Latencies are at the shared level, with failures counted as infinitely slow.
Table glance_table(const judge::JudgedRun& run);
// Sentences about how to read the glance table.
std::vector<std::string> glance_notes(const judge::JudgedRun& run);

// Change of every system against the first, level by level; no rows with fewer than two systems,
// and none where they are not comparable.
Table change_table(const judge::JudgedRun& run);

// "6 steps: 4 STEADY, 2 SATURATED".
std::string label_counts(const judge::JudgedRun& run);

}  // namespace evenbench::report
