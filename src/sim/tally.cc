#include "sim/tally.h"

#include <algorithm>

namespace evenbench::sim {
namespace {

// The bounds of vLLM and TensorRT-LLM.
constexpr std::array kFirstToken{0.001, 0.005, 0.01, 0.02,  0.04,  0.06,  0.08, 0.1,
                                 0.25,  0.5,   0.75, 1.0,   2.5,   5.0,   7.5,  10.0,
                                 20.0,  40.0,  80.0, 160.0, 640.0, 2560.0};
constexpr std::array kPerToken{0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2,  0.3,  0.4, 0.5,
                               0.75, 1.0,   2.5,  5.0,   7.5, 10.0, 20.0, 40.0, 80.0};
constexpr std::array kWhole{0.3,  0.5,  0.8,  1.0,  1.5,   2.0,   2.5,   5.0,   10.0,   15.0,  20.0,
                            30.0, 40.0, 50.0, 60.0, 120.0, 240.0, 480.0, 960.0, 1920.0, 7680.0};
constexpr std::array kTokens{1.0,   2.0,   5.0,    10.0,   20.0,   50.0,    100.0,
                             200.0, 500.0, 1000.0, 2000.0, 5000.0, 10000.0, 20000.0};
constexpr std::size_t kMostIterations = 1000;

}  // namespace

Histogram::Histogram(std::span<const double> bounds)
    : bounds_(bounds), counts_(bounds.size() + 1) {}

void Histogram::add(double value, std::uint64_t times) {
  const auto it = std::ranges::lower_bound(bounds_, value);
  counts_[static_cast<std::size_t>(it - bounds_.begin())] += times;
  count_ += times;
  sum_ += value * static_cast<double>(times);
}

std::uint64_t Histogram::up_to(std::size_t i) const {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k <= i; ++k) sum += counts_[k];
  return sum;
}

Tally::Tally()
    : first_token(kFirstToken),
      between_tokens(kPerToken),
      per_token(kPerToken),
      whole(kWhole),
      prompt(kTokens),
      output(kTokens) {}

void Tally::add(const Served& served) {
  ++(served.natural_end ? stopped : reached_limit);
  prompt.add(served.prompt_tokens);
  output.add(served.output_tokens);
  first_token.add(served.first_token_s);
  whole.add(served.whole_s);
  if (served.output_tokens < 2) return;
  const std::uint64_t gaps = served.output_tokens - 1;
  const double mean = (served.whole_s - served.first_token_s) / static_cast<double>(gaps);
  per_token.add(mean);
  between_tokens.add(mean, gaps);
}

void Tally::add(const Iteration& iteration) {
  iterations.push_back(iteration);
  if (iterations.size() > kMostIterations) iterations.pop_front();
}

}  // namespace evenbench::sim
