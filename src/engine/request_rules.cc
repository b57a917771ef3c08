#include "engine/request_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/adapter.h"

namespace evenbench::engine {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Result<void> takes_fields(const Adapter& adapter, const std::vector<std::string>& fields) {
  const std::vector<std::string>& known = adapter.request.known;
  if (known.empty()) return {};
  for (const std::string& field : fields) {
    if (holds(known, field)) continue;
    return usage_error(
        fmt::format("{} refuses requests with the field \"{}\"; it takes: {}. Leave it out for all "
                    "systems, or compare without this engine",
                    adapter.title, field, fmt::join(known, ", ")));
  }
  return {};
}

std::vector<std::string> fields_without_effect(const Adapter& adapter,
                                               const std::vector<std::string>& fields) {
  std::vector<std::string> out;
  for (const std::string& field : fields) {
    if (!holds(adapter.request.without_effect, field)) continue;
    std::string text = fmt::format("{} reads over the field \"{}\"", adapter.title, field);
    if (!adapter.exact_length.caveat.empty()) text += ": " + adapter.exact_length.caveat;
    out.push_back(std::move(text));
  }
  return out;
}

}  // namespace evenbench::engine
