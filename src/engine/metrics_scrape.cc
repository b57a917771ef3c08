#include "engine/metrics_scrape.h"

#include <fmt/format.h>

#include <algorithm>

namespace evenbench::engine {
namespace {

Result<std::vector<Reading>> readings_of(const Result<net::Fetched>& answer,
                                         const std::string& route,
                                         const std::vector<MetricTable>& tables) {
  if (!answer) return answer.error();
  constexpr int kOk = 200;
  if (answer->status != kOk) {
    return environment_error(fmt::format("{} answered {}", route, answer->status));
  }
  auto readings = read_metrics(answer->body, tables);
  if (!readings) return readings.error().in(route);
  return readings;
}

}  // namespace

const std::string* MetricsScrape::route() const {
  return next_ < source_.routes.size() ? &source_.routes[next_] : nullptr;
}

std::vector<Reading> MetricsScrape::on_answer(const Result<net::Fetched>& answer) {
  if (route() == nullptr) return {};
  auto readings = readings_of(answer, *route(), source_.tables);
  if (!readings) {
    if (found_) return {};
    if (!trouble_.empty()) trouble_ += "; ";
    trouble_ += readings.error().message;
    ++next_;
    return {};
  }
  found_ = true;
  std::vector<Reading> out = *std::move(readings);
  for (Reading& reading : out) {
    if (!reading.is_growth) continue;
    reading.value = sums_[reading.metric] += reading.value;
    reading.is_growth = false;
  }
  return out;
}

bool is_idle(const std::vector<Reading>& readings) {
  return std::none_of(readings.begin(), readings.end(), [](const Reading& reading) {
    const bool busy = reading.metric == EngineMetric::kRequestsRunning ||
                      reading.metric == EngineMetric::kRequestsWaiting;
    return busy && reading.value > 0;
  });
}

}  // namespace evenbench::engine
