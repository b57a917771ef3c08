// Which of an engine's metrics routes is asked, and what its answers add up to over a visit.
// Decides without I/O; metrics_watch.h does the asking.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/metrics.h"
#include "net/fetch.h"

namespace evenbench::engine {

class MetricsScrape {
 public:
  // `source` must outlive it.
  explicit MetricsScrape(const MetricsSource& source) : source_(source) {}

  // Path beside /v1; nullptr: there is none left to ask.
  [[nodiscard]] const std::string* route() const;
  // Growths are given as sums since the first answer. Until a route has answered, each failure
  // moves on to the next; afterwards it is a gap in the series.
  std::vector<Reading> on_answer(const Result<net::Fetched>& answer);
  // Why nothing is read: no route has answered. "" otherwise.
  [[nodiscard]] std::string trouble() const { return found_ ? "" : trouble_; }

 private:
  const MetricsSource& source_;
  std::size_t next_ = 0;
  bool found_ = false;
  std::string trouble_;
  std::map<EngineMetric, double> sums_;
};

// Nothing runs and nothing waits, as far as the readings tell.
bool is_idle(const std::vector<Reading>& readings);

}  // namespace evenbench::engine
