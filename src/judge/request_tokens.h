// How many output tokens a request made, and how many of them each of its events carried.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/exchange.h"

namespace evenbench::judge {

// n. Absent when no source gave it, and when the server claims 0 tokens for an answer in which text
// arrived.
std::optional<std::uint32_t> output_count(const Exchanged& exchanged);

// Tokens of each token event. Known counts as they are, scaled to n where they cover every event
// and miss it (an end-of-sequence token counts in n but travels in no event); else n spread evenly
// over the events whose count is not known. Absent when n and some event's count are both unknown.
std::optional<std::vector<double>> tokens_per_event(const Exchanged& exchanged);

// Whether the time between two tokens can be told: two events or more, each known to carry how many
// tokens. An estimated n does not count as knowledge.
bool event_counts_are_known(const Exchanged& exchanged);

}  // namespace evenbench::judge
