#include "judge/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace evenbench::judge {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::vector<ManifestEntry> manifest_from(const std::string& json) {
  if (json.empty()) return {};
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return {{"unreadable", json, "run file"}};
  std::vector<ManifestEntry> out;
  for (const auto& [key, fact] : object.items()) {
    const bool whole = fact.is_object() && fact.contains("value");
    const bool sourced = whole && fact.contains("source");
    out.push_back({key, text_of(whole ? fact["value"] : fact),
                   sourced ? text_of(fact["source"]) : std::string()});
  }
  return out;
}

void add_differences(std::vector<ManifestEntry>& entries, const std::vector<ManifestEntry>& later,
                     int visit) {
  for (const ManifestEntry& entry : later) {
    const bool known = std::any_of(entries.begin(), entries.end(), [&](const ManifestEntry& e) {
      return e.key == entry.key && e.value == entry.value;
    });
    if (known) continue;
    entries.push_back({entry.key, entry.value, fmt::format("{} (visit {})", entry.source, visit)});
  }
}

}  // namespace evenbench::judge
