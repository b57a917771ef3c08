// The report page: a frame with named holes, filled with what C++ renders (headline and tables,
// which read without JavaScript) and with what the build made from web/ (script, style, licences).
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "judge/judged_run.h"

namespace evenbench::report {

struct PageAssets {
  std::string_view frame, style, script, licences;
};
// Those that the build put into the program.
PageAssets built_in_assets();

std::string page_of(const judge::JudgedRun& run, const PageAssets& assets);

// What the charts draw beyond the summary, by system and step: curves and time lines.
nlohmann::ordered_json chart_details(const judge::JudgedRun& run);

// The table of all steps of one kind, "" if there is none.
std::string steps_html(const judge::JudgedRun& run, std::string_view kind);

}  // namespace evenbench::report
