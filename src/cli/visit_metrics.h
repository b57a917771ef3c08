// Has an engine's metrics read beside the steps of a visit, where it shows any.
#pragma once

#include <memory>

#include "cli/attachment.h"
#include "cli/visit.h"
#include "engine/metrics_watch.h"

namespace evenbench::cli {

class VisitMetrics {
 public:
  VisitMetrics(const VisitContext& context, const SystemSpec& system, const Attachment& attachment);
  void begin_step(std::int64_t step_id);
  void end_step();

 private:
  const VisitContext& context_;
  const std::string name_;
  std::string how_to_;
  std::unique_ptr<engine::MetricsWatch> watch_;  // nullptr: the engine shows none
  bool told_ = false;
};

}  // namespace evenbench::cli
