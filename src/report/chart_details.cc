#include <cmath>

#include "report/page.h"

namespace evenbench::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 400;  // a screen has no more columns to show

// Four digits: finer than any screen, and a page of a long run stays small.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 3);
  // Dividing by a power of ten that is whole gives the nearest short decimal; multiplying does not.
  return unit >= 1 ? std::round(value / unit) * unit
                   : std::round(value / unit) / std::round(1 / unit);
}

Json curve(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(rounded(value));
  return out;
}

// Means of `width` seconds each.
Json binned(const std::vector<double>& values, std::size_t width) {
  Json out = Json::array();
  for (std::size_t begin = 0; begin < values.size(); begin += width) {
    const std::size_t end = std::min(values.size(), begin + width);
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += values[i];
    out.push_back(rounded(sum / static_cast<double>(end - begin)));
  }
  return out;
}

// The same of what was not seen in every second; a bin without a value is empty.
Json binned(const judge::SparseSeries& values, std::size_t width) {
  Json out = Json::array();
  for (std::size_t begin = 0; begin < values.size(); begin += width) {
    const std::size_t end = std::min(values.size(), begin + width);
    double sum = 0;
    int seen = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (!values[i]) continue;
      sum += *values[i];
      ++seen;
    }
    out.push_back(seen == 0 ? Json(nullptr) : rounded(sum / seen));
  }
  return out;
}

Json details_of(const judge::JudgedStep& step) {
  const judge::Series& series = step.series;
  std::size_t seconds = 0;
  for (const auto* line :
       {&series.in_flight, &series.sent_per_s, &series.completed_per_s, &series.tokens_per_s}) {
    seconds = std::max(seconds, line->size());
  }
  const std::size_t width = std::max<std::size_t>(1, (seconds + kMostPoints - 1) / kMostPoints);
  Json lines = {{"bin_s", width},
                {"in_flight", binned(series.in_flight, width)},
                {"sent_per_s", binned(series.sent_per_s, width)},
                {"completed_per_s", binned(series.completed_per_s, width)},
                {"tokens_per_s", binned(series.tokens_per_s, width)}};
  for (const auto& [name, line] :
       {std::pair{"running", &series.running}, std::pair{"waiting", &series.waiting},
        std::pair{"kv_cache_usage", &series.kv_cache_usage}}) {
    if (!line->empty()) lines[name] = binned(*line, width);
  }
  return {{"cdf",
           {{"ttft", curve(step.ttft_cdf_ms)},
            {"tpot", curve(step.tpot_cdf_ms)},
            {"e2e", curve(step.e2e_cdf_ms)}}},
          {"series", std::move(lines)}};
}

}  // namespace

Json chart_details(const judge::JudgedRun& run) {
  Json out = Json::array();
  for (const judge::JudgedSystem& system : run.systems) {
    Json steps = Json::array();
    for (const judge::JudgedStep& step : system.steps) steps.push_back(details_of(step));
    out.push_back(std::move(steps));
  }
  return out;
}

}  // namespace evenbench::report
