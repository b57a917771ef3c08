// What the report says about the run beside the numbers: the findings of the run file with the
// names of what they are about, and those that follow from the labels.
#pragma once

#include <vector>

#include "judge/judged_run.h"
#include "record/reader.h"

namespace evenbench::judge {

// "vllm", "vllm, visit 2", "vllm, visit 2, ladder 4/s": the place of a finding, "" for the run.
std::string place_of(const record::Reader& run, const std::string& scope, std::int64_t id);
// Number of a visit among those of its system, from 1.
int visit_number(const record::Reader& run, const record::VisitRow& visit);

// Errors first, then warnings, then notes; in the order of the run file within each.
std::vector<Finding> findings_of(const record::Reader& run,
                                 const std::vector<JudgedSystem>& systems,
                                 const HeadlineStamp& stamp);

}  // namespace evenbench::judge
