#include "calibrate/store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace evenbench::calibrate {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;

json json_of(const Limit& limit) {
  return {{"holds", limit.holds},
          {"fails_at", limit.fails_at ? json(*limit.fails_at) : json()},
          {"limited_by", name_of(limit.by)},
          {"why", limit.why}};
}

Limit limit_of(const json& from) {
  Limit out;
  out.holds = from.at("holds").get<double>();
  if (!from.at("fails_at").is_null()) out.fails_at = from.at("fails_at").get<double>();
  out.why = from.at("why").get<std::string>();
  const std::string by = from.at("limited_by").get<std::string>();
  for (const LimitedBy each :
       {LimitedBy::kClient, LimitedBy::kServer, LimitedBy::kBound, LimitedBy::kTime}) {
    if (by == name_of(each)) out.by = each;
  }
  return out;
}

}  // namespace

std::string to_json(const Calibration& calibration) {
  const Machine& machine = calibration.machine;
  json out;
  out["evenbench_calibration"] = kVersion;
  out["made"] = calibration.made;
  out["machine"] = {{"cpu_model", machine.cpu_model},
                    {"cores", machine.cores},
                    {"kernel", machine.kernel},
                    {"evenbench", machine.evenbench},
                    {"build", machine.build}};
  out["workers"] = calibration.workers;
  out["error_bound_ms"] = to_millis(kErrorBound);
  for (const Quantity quantity : kQuantities) {
    out["limits"][std::string(name_of(quantity))] = json_of(calibration.limit(quantity));
  }
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<Calibration> from_json(const std::string& text) {
  try {
    const json from = json::parse(text);
    if (from.at("evenbench_calibration") != kVersion) {
      return environment_error("it is of another version");
    }
    const json& machine = from.at("machine");
    Calibration out;
    out.machine = {machine.at("cpu_model"), machine.at("cores"), machine.at("kernel"),
                   machine.at("evenbench"), machine.at("build")};
    out.made = from.at("made");
    out.workers = std::max(from.at("workers").get<std::uint32_t>(), 1U);
    for (const Quantity quantity : kQuantities) {
      out.limit(quantity) = limit_of(from.at("limits").at(std::string(name_of(quantity))));
    }
    return out;
  } catch (const json::exception& e) {
    return environment_error(e.what());
  }
}

Result<void> save(const Calibration& calibration, const std::filesystem::path& file) {
  const auto refused = [&file](const std::string& why) {
    return environment_error(fmt::format(
        "{} cannot be written ({}); set XDG_STATE_HOME to a folder that can", file.string(), why));
  };
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  if (failed) return refused(failed.message());
  const std::filesystem::path next = fmt::format("{}.{}", file.string(), ::getpid());
  std::ofstream out(next, std::ios::trunc);
  out << to_json(calibration);
  out.close();
  if (!out) {
    std::filesystem::remove(next, failed);
    return refused("no room, or no permission");
  }
  std::filesystem::rename(next, file, failed);
  if (failed) return refused(failed.message());
  return {};
}

std::optional<Calibration> load(const std::filesystem::path& file, const Machine& machine,
                                std::string& why) {
  std::ifstream in(file);
  if (!in) {
    why = "evenbench calibrate has not been run here";
    return std::nullopt;
  }
  std::ostringstream text;
  text << in.rdbuf();
  auto stored = from_json(text.str());
  if (!stored) {
    why = fmt::format("{} cannot be read ({}): run evenbench calibrate", file.string(),
                      stored.error().message);
    return std::nullopt;
  }
  if (stored->machine != machine) {
    why = "evenbench calibrate was last run on another machine, kernel or build: run it again";
    return std::nullopt;
  }
  return std::move(*stored);
}

}  // namespace evenbench::calibrate
