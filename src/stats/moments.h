// Mean and variance in one pass that stay exact for samples far from 0.
#pragma once

#include <cstdint>
#include <optional>

namespace evenbench::stats {

// Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products", Technometrics
// 4(3), 1962.
class Moments {
 public:
  void add(double x) {
    ++count_;
    const double delta = x - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (x - mean_);
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  // nullopt without samples.
  [[nodiscard]] std::optional<double> mean() const {
    return count_ == 0 ? std::nullopt : std::optional(mean_);
  }
  // Of a sample (n - 1 below the line); nullopt for fewer than two.
  [[nodiscard]] std::optional<double> variance() const {
    return count_ < 2 ? std::nullopt : std::optional(squares_ / static_cast<double>(count_ - 1));
  }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0.0;
  double squares_ = 0.0;
};

}  // namespace evenbench::stats
