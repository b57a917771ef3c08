// What an engine makes of the fields of a request, and how an exact answer length, an empty prefix
// cache and a share of memory are asked of it: data of each adapter. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace evenbench::engine {

struct Adapter;

struct RequestRules {
  std::vector<std::string> known;           // it refuses every other field; empty: it refuses none
  std::vector<std::string> without_effect;  // it takes them and does as if they were not there
};

// How an answer of exactly the asked length is had.
struct ExactLength {
  std::vector<std::string> fields;  // empty: not possible
  std::string caveat;
};

// POST or GET that empties the prefix cache. No route: only a restart does.
struct CacheReset {
  std::string method, route;
  std::string needs;  // how it has to be started for that; "" = in any way
};

// An option or variable that sets what share of memory it takes, and of what.
struct MemoryKnob {
  std::string name, base;
};

// Error: usage, names the first of `fields` that it refuses.
Result<void> takes_fields(const Adapter& adapter, const std::vector<std::string>& fields);

// One sentence for each of `fields` that does nothing there.
std::vector<std::string> fields_without_effect(const Adapter& adapter,
                                               const std::vector<std::string>& fields);

}  // namespace evenbench::engine
