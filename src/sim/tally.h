// What a simulated engine counts for its metrics, beside the gauges of its model.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "sim/engine_model.h"

namespace evenbench::sim {

class Histogram {
 public:
  explicit Histogram(std::span<const double> bounds);
  void add(double value, std::uint64_t times = 1);

  [[nodiscard]] std::span<const double> bounds() const { return bounds_; }
  // How many were at most bounds()[i].
  [[nodiscard]] std::uint64_t up_to(std::size_t i) const;
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double sum() const { return sum_; }

 private:
  std::span<const double> bounds_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  double sum_ = 0.0;
};

// One request that was generated to its end. Times in seconds.
struct Served {
  std::uint32_t prompt_tokens = 0, output_tokens = 0;
  bool natural_end = false;
  double first_token_s = 0.0, whole_s = 0.0;
};

struct Iteration {
  std::int64_t at_s = 0;
  std::uint64_t number = 0;
  EngineGauges gauges;
};

struct Tally {
  Tally();
  void add(const Served& served);
  // Keeps the last thousand.
  void add(const Iteration& iteration);

  std::uint64_t stopped = 0, reached_limit = 0, refused_as_invalid = 0, generations = 0;
  Histogram first_token, between_tokens, per_token, whole;
  Histogram prompt, output;  // tokens
  std::deque<Iteration> iterations;
};

}  // namespace evenbench::sim
