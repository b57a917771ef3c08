#include "report/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "report/text.h"

namespace evenbench::report {
namespace {

using judge::JudgedStep;
using judge::Label;

int place_of(const std::string& kind) {
  return kind == "ladder" ? 0 : kind == "replay" ? 1 : 2;
}

}  // namespace

bool is_usable(const JudgedStep& step) {
  return step.label != Label::kInvalidClient && step.label != Label::kFailed;
}

bool is_held(const JudgedStep& step) {
  // A server that answers quickly with refusals holds no rate, nor does one that ends nothing in
  // the window.
  if (!step.completed_rate || *step.completed_rate <= 0) return false;
  if (step.failed * 100 > step.good + step.failed) return false;
  return step.label == Label::kSteady || step.label == Label::kSuspect;
}

bool Visits::usable() const {
  return std::any_of(steps_.begin(), steps_.end(),
                     [](const auto* step) { return is_usable(*step); });
}

bool Visits::held() const {
  return usable() && std::all_of(steps_.begin(), steps_.end(), [](const auto* step) {
           return is_held(*step) || !is_usable(*step);
         });
}

std::optional<double> Visits::median(
    const std::function<std::optional<double>(const JudgedStep&)>& figure) const {
  std::vector<double> values;
  for (const JudgedStep* step : steps_) {
    if (!is_usable(*step)) continue;
    const std::optional<double> value = figure(*step);
    if (value && !std::isnan(*value)) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const double low = values[(values.size() - 1) / 2];
  const double high = values[values.size() / 2];
  return std::isinf(high) ? high : low + (high - low) / 2;
}

std::string Visits::labels() const {
  std::string out;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Label label = steps_[i]->label;
    const auto end = steps_.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(steps_.begin(), end, [&](const auto* s) { return s->label == label; }))
      continue;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", judge::name_of(label));
  }
  return out;
}

std::vector<Level> levels_of(const judge::JudgedRun& run) {
  // Rates that differ by rounding alone are one level: nine digits decide.
  std::map<std::tuple<int, std::string, double>, Level> found;
  for (std::size_t i = 0; i < run.systems.size(); ++i) {
    for (const JudgedStep& step : run.systems[i].steps) {
      const std::optional<double> value = level_value(step);
      if (!value || !std::isfinite(*value)) continue;
      const double rounded = std::stod(fmt::format("{:.9g}", *value));
      Level& level = found[{place_of(step.kind), step.kind, rounded}];
      level.kind = step.kind;
      level.value = rounded;
      level.systems.resize(run.systems.size());
      level.systems[i].add(step);
    }
  }
  std::vector<Level> out;
  for (auto& [key, level] : found) out.push_back(std::move(level));
  return out;
}

}  // namespace evenbench::report
