#include "engine/metrics.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/exposition.h"

namespace evenbench::engine {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kTotal = "_total";

bool is_called(const Sample& sample, const std::string& name, EngineMetric metric) {
  if (sample.name == name) return true;
  return is_counter(metric) && sample.name.size() == name.size() + kTotal.size() &&
         sample.name.starts_with(name) && sample.name.ends_with(kTotal);
}

// The series of one term put together; nullopt: the page has none that is a number.
std::optional<Reading> read_term(const std::vector<Sample>& page, const std::string& prefix,
                                 const MetricTerm& term, EngineMetric metric) {
  std::optional<Reading> out;
  const std::string name = prefix + term.name;
  for (const Sample& sample : page) {
    // One of the two spellings only: a page that shows both means the same by them.
    const bool is_it = out ? sample.name == out->series : is_called(sample, name, metric);
    if (!is_it || !std::isfinite(sample.value)) continue;
    if (!term.label.empty() && sample.label(term.label) != term.value) continue;
    if (!out) {
      out = {metric, sample.value, sample.name};
    } else {
      out->value =
          is_share(metric) ? std::max(out->value, sample.value) : out->value + sample.value;
    }
  }
  return out;
}

std::optional<Reading> read_source(const std::vector<Sample>& page, const std::string& prefix,
                                   const MetricSource& source) {
  std::optional<Reading> out;
  for (const MetricTerm& term : source.terms) {
    const auto part = read_term(page, prefix, term, source.metric);
    if (!part) return std::nullopt;
    if (!out) {
      out = part;
    } else {
      out->value += part->value;
      out->series += " + " + part->series;
    }
  }
  return out;
}

std::vector<Reading> read_table(const std::vector<Sample>& page, const MetricTable& table) {
  std::vector<Reading> out;
  for (const MetricSource& source : table.sources) {
    const auto known = [&](const Reading& reading) { return reading.metric == source.metric; };
    if (std::any_of(out.begin(), out.end(), known)) continue;
    for (const std::string& prefix : table.prefixes) {
      auto reading = read_source(page, prefix, source);
      if (!reading) continue;
      out.push_back(std::move(*reading));
      break;
    }
  }
  return out;
}

std::optional<double> number_at(const Json& iteration, const std::string& pointer) {
  const Json::json_pointer where(pointer);
  if (!iteration.contains(where) || !iteration.at(where).is_number()) return std::nullopt;
  return iteration.at(where).get<double>();
}

std::optional<double> value_of(const Json& iteration, const StatsField& field) {
  auto value = number_at(iteration, field.pointer);
  if (field.over.empty() || !value) return value;
  const auto whole = number_at(iteration, field.over);
  if (!whole || *whole <= 0) return std::nullopt;
  return *value / *whole;
}

// A gauge is that of the last iteration; a counter is what all the iterations added.
std::optional<Reading> read_stats_field(const Json& iterations, const StatsField& field) {
  std::optional<Reading> out;
  for (const Json& iteration : iterations) {
    const auto value = value_of(iteration, field);
    if (!value) continue;
    const bool adds = out && is_counter(field.metric);
    out = {field.metric, adds ? out->value + *value : *value, field.pointer,
           is_counter(field.metric)};
  }
  return out;
}

Result<std::vector<Reading>> read_stats(std::string_view page,
                                        const std::vector<MetricTable>& tables) {
  const Json iterations = Json::parse(page, nullptr, false);
  if (!iterations.is_array()) {
    return environment_error("the metrics are neither exposition text nor a list of iterations");
  }
  std::vector<Reading> out;
  for (const MetricTable& table : tables) {
    for (const StatsField& field : table.stats) {
      if (auto reading = read_stats_field(iterations, field)) out.push_back(std::move(*reading));
    }
    if (!out.empty()) break;
  }
  return out;
}

}  // namespace

Result<std::vector<Reading>> read_metrics(std::string_view page,
                                          const std::vector<MetricTable>& tables) {
  const std::size_t begin = page.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos && (page[begin] == '[' || page[begin] == '{')) {
    return read_stats(page, tables);
  }
  const auto samples = read_exposition(page);
  if (!samples) return samples.error();
  for (const MetricTable& table : tables) {
    if (auto readings = read_table(*samples, table); !readings.empty()) return readings;
  }
  return std::vector<Reading>{};
}

}  // namespace evenbench::engine
