// Steps grouped by level: what was asked of every system alike. web/src/levels.js groups the same
// way for the charts.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/judged_run.h"

namespace evenbench::report {

// The visits of one system at one level.
class Visits {
 public:
  void add(const judge::JudgedStep& step) { steps_.push_back(&step); }
  [[nodiscard]] bool any() const { return !steps_.empty(); }
  // Some visit says something about the system: neither FAILED nor INVALID_CLIENT.
  [[nodiscard]] bool usable() const;
  // Every usable visit, of which there is one, kept up with the load: STEADY or SUSPECT.
  [[nodiscard]] bool held() const;
  // Median over the usable visits in which the figure was measured. +infinity counts as larger than
  // any number.
  [[nodiscard]] std::optional<double> median(
      const std::function<std::optional<double>(const judge::JudgedStep&)>& figure) const;
  // The labels without repeats, as "STEADY, SATURATED".
  [[nodiscard]] std::string labels() const;

 private:
  std::vector<const judge::JudgedStep*> steps_;
};

struct Level {
  std::string kind;
  double value = 0;             // requests/s, or requests in flight
  std::vector<Visits> systems;  // one per system of the run, in its order
};

// In order of kind (ladder, replay, closed), then value. Points into `run`.
std::vector<Level> levels_of(const judge::JudgedRun& run);

bool is_usable(const judge::JudgedStep& step);
bool is_held(const judge::JudgedStep& step);

}  // namespace evenbench::report
