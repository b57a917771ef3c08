// Adds up what an engine counted of itself during one step, one sample at a time, and what the
// client counted of the same requests. Knows metrics only under evenbench's names.
#pragma once

#include <array>
#include <optional>

#include "base/engine_metric.h"
#include "judge/engine_side.h"
#include "judge/step_span.h"
#include "record/evidence_rows.h"
#include "record/rows.h"

namespace evenbench::judge {

class EngineTally {
 public:
  explicit EngineTally(const StepSpan& span);
  void add(const record::RequestRow& row);
  void add(const record::EngineSampleRow& row);

  [[nodiscard]] EngineSide side() const;
  // Empty where nothing was seen.
  [[nodiscard]] SparseSeries series(EngineMetric metric) const;

 private:
  struct Seen {
    std::optional<double> before, after, most;
    SparseSeries series;
  };
  [[nodiscard]] const Seen& of(EngineMetric metric) const;
  [[nodiscard]] std::optional<double> growth(EngineMetric metric) const;
  [[nodiscard]] std::optional<double> mean_ms(EngineMetric sum, EngineMetric count) const;
  [[nodiscard]] std::optional<double> hit_rate() const;

  StepSpan span_;
  std::array<Seen, kEngineMetricCount> seen_;
  bool looked_before_ = false;
  MonoTime last_look_ = kNever;
  EngineSide client_;  // only what the client counted, and the looks
};

}  // namespace evenbench::judge
