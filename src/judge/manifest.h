// What a visit and the host say of themselves, as entries of key, value and source. Takes JSON that
// it does not trust.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "judge/judged_run.h"

namespace evenbench::judge {

// {"key": {"value": …, "source": "…"}} in the order of the file; a plain value has no source.
// Anything else gives one entry "unreadable".
std::vector<ManifestEntry> manifest_from(const std::string& json);

// Appends what visit number `visit` says otherwise, or newly, to what the earlier ones said.
void add_differences(std::vector<ManifestEntry>& entries, const std::vector<ManifestEntry>& later,
                     int visit);

}  // namespace evenbench::judge
