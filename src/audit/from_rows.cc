#include "audit/from_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace evenbench::audit {
namespace {

using Json = nlohmann::json;

// {"key": {"value": "..."}}; "" where there is none.
std::string fact_of(const Json& facts, const std::string& key) {
  if (!facts.is_object()) return "";
  const auto fact = facts.find(key);
  if (fact == facts.end() || !fact->is_object()) return "";
  const auto value = fact->find("value");
  return value != fact->end() && value->is_string() ? value->get<std::string>() : "";
}

// The facts of a GPU that are terms, under the names that the audit has for them.
constexpr std::pair<const char*, const char*> kGpuTerms[] = {
    {"driver", "driver"}, {"power_limit_watts", "power_limit"}, {"clocks", "clocks"}};

void add_gpus(const Rows& rows, std::int64_t visit, std::map<std::string, Stated>& settings) {
  std::map<std::string, int> names;
  for (const record::GpuRow& gpu : rows.gpus) {
    if (gpu.visit_id != visit || gpu.name.empty()) continue;
    ++names[gpu.name];
    const Json facts = Json::parse(gpu.facts_json, nullptr, false);
    for (const auto& [fact, key] : kGpuTerms) {
      const std::string value = fact_of(facts, fact);
      if (!value.empty()) settings[key] = {"", value, gpu.source};
    }
    std::string all;
    for (const auto& [name, count] : names) {
      all += fmt::format("{}{} x {}", all.empty() ? "" : ", ", count, name);
    }
    settings["gpu"] = {"", all, gpu.source};
  }
}

std::map<std::string, Stated> settings_of(const Rows& rows, const record::VisitRow& visit) {
  std::map<std::string, Stated> out;
  add_gpus(rows, visit.id, out);
  for (const record::SettingRow& row : rows.settings) {
    if (row.visit_id == visit.id) out[row.key] = {row.requested, row.effective, row.source};
  }
  return out;
}

void add_changes(SystemFacts& system, const std::map<std::string, Stated>& later, int visit) {
  for (const auto& [key, value] : later) {
    const auto first = system.settings.find(key);
    if (first == system.settings.end()) {
      system.settings[key] = value;  // learnt later than in the first visit
    } else if (first->second.effective.empty()) {
      first->second = value;
    } else if (!value.effective.empty() && value.effective != first->second.effective) {
      system.changed.push_back({key, first->second.effective, value.effective, visit});
    }
  }
}

SystemFacts facts_of(const Rows& rows, const record::SystemRow& row) {
  SystemFacts out;
  out.name = row.name;
  out.simulated = row.simulated;
  int number = 0;
  for (const record::VisitRow& visit : rows.visits) {
    if (visit.system_id != row.id) continue;
    const auto settings = settings_of(rows, visit);
    if (++number == 1) {
      out.settings = settings;
    } else {
      add_changes(out, settings, number);
    }
    const Json manifest = Json::parse(visit.manifest_json, nullptr, false);
    out.remote = out.remote || fact_of(manifest, "remote") == "yes";
    if (!out.answers.empty()) continue;
    for (const record::AgreementRow& answer : rows.agreement) {
      if (answer.visit_id != visit.id) continue;
      out.answers.push_back({answer.prompt, answer.repeat, answer.ending, answer.text});
    }
  }
  return out;
}

}  // namespace

std::vector<SystemFacts> facts_of(const Rows& rows) {
  std::vector<SystemFacts> out;
  for (const record::SystemRow& row : rows.systems) out.push_back(facts_of(rows, row));
  return out;
}

}  // namespace evenbench::audit
