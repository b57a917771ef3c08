#include "cli/system_row.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace evenbench::cli {

record::SystemRow system_row(const SystemSpec& system, std::size_t index) {
  record::SystemRow row;
  row.id = static_cast<std::int64_t>(index) + 1;
  row.name = system.name;
  row.engine = system.engine == "sim" ? "sim:" + system.profile : system.engine;
  row.simulated = system.engine == "sim";
  row.url = system.attach_url.empty() ? fmt::format("http://{}:{}", system.host, system.port)
                                      : system.attach_url;
  return row;
}

bool says_simulated(std::string_view models_body) {
  const auto list = nlohmann::json::parse(models_body, nullptr, false);
  if (!list.is_object() || !list.contains("data") || !list["data"].is_array()) return false;
  for (const auto& model : list["data"]) {
    if (!model.is_object()) continue;
    const auto owner = model.find("owned_by");
    if (owner != model.end() && *owner == "evenbench-simulated") return true;
  }
  return false;
}

}  // namespace evenbench::cli
