// The last resort when a warden was killed itself: finds what its engine has left by the mark in
// its environment. Knows nothing of pipes and orders.
#pragma once

#include <string_view>
#include <vector>

#include "base/time.h"

namespace evenbench::engine {

// Living processes that were started with `assignment` ("NAME=value"), this one aside.
std::vector<int> marked(std::string_view assignment);

// SIGKILL to every process that was started with `assignment`, again and again until
// none lives or `limit` has passed. Returns those that still live.
std::vector<int> kill_marked(std::string_view assignment, Nanos limit, const Clock& clock);

}  // namespace evenbench::engine
