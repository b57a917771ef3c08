#include "cli/visit_metrics.h"

#include <fmt/format.h>

#include "engine/adapter.h"

namespace evenbench::cli {

VisitMetrics::VisitMetrics(const VisitContext& context, const SystemSpec& system,
                           const Attachment& attachment)
    : context_(context), name_(system.name) {
  const auto adapter = engine::adapter_named(system.engine);
  if (!adapter || (*adapter)->metrics.routes.empty()) return;
  how_to_ = (*adapter)->metrics.how_to;
  engine::MetricsWatch::Options options;
  options.source = &(*adapter)->metrics;
  options.endpoint = attachment.endpoint;
  options.tls = attachment.transport.tls;
  options.headers = attachment.headers;
  options.writer = context.writer;
  options.clock = context.clock;
  options.visit_id = context.visit_id;
  watch_ = std::make_unique<engine::MetricsWatch>(std::move(options));
}

void VisitMetrics::begin_step(std::int64_t step_id) {
  if (watch_) watch_->begin_step(step_id);
}

void VisitMetrics::end_step() {
  if (!watch_) return;
  watch_->end_step();
  if (told_ || watch_->trouble().empty()) return;
  told_ = true;
  std::string text = fmt::format("{}: what the engine counts of itself could not be read ({})",
                                 name_, watch_->trouble());
  if (!how_to_.empty()) text += "; " + how_to_;
  context_.writer->put(
      record::FindingRow{"visit", context_.visit_id, "note", "engine_metrics_absent", text});
}

}  // namespace evenbench::cli
