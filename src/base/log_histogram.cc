#include "base/log_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace evenbench {
namespace {

constexpr int kSubBits = 10;
constexpr std::uint64_t kSub = std::uint64_t{1} << kSubBits;
constexpr std::uint64_t kLongest = std::uint64_t{10'000'000'000'000};  // ns, some three hours

// Below 2 * kSub every nanosecond has a bucket; each octave above is cut into kSub.
std::size_t bucket_of(std::uint64_t value) {
  const int octave = std::max(0, static_cast<int>(std::bit_width(value)) - (kSubBits + 1));
  return static_cast<std::size_t>((static_cast<std::uint64_t>(octave) << kSubBits) +
                                  (value >> octave));
}

std::int64_t middle_of(std::size_t bucket) {
  const std::uint64_t index = bucket;
  const std::uint64_t octave = index < 2 * kSub ? 0 : (index >> kSubBits) - 1;
  const std::uint64_t low = (index - (octave << kSubBits)) << octave;
  return static_cast<std::int64_t>(low + ((std::uint64_t{1} << octave) >> 1));
}

}  // namespace

void LogHistogram::add(Nanos value, std::uint64_t times) {
  if (times == 0) return;
  value = std::clamp(value, Nanos{0}, Nanos{static_cast<std::int64_t>(kLongest)});
  const std::size_t bucket = bucket_of(static_cast<std::uint64_t>(value.count()));
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
  buckets_[bucket] += times;
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = count_ == 0 ? value : std::max(max_, value);
  count_ += times;
  sum_ += static_cast<double>(value.count()) * static_cast<double>(times);
}

void LogHistogram::add(const LogHistogram& other) {
  if (other.count_ == 0) return;
  if (buckets_.size() < other.buckets_.size()) buckets_.resize(other.buckets_.size());
  for (std::size_t i = 0; i < other.buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = count_ == 0 ? other.max_ : std::max(max_, other.max_);
  count_ += other.count_;
  sum_ += other.sum_;
}

std::optional<Nanos> LogHistogram::quantile(double q) const {
  if (count_ == 0) return std::nullopt;
  if (q <= 0) return min_;
  if (q >= 1) return max_;
  const auto rank = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= rank) return std::clamp(Nanos{middle_of(i)}, min_, max_);
  }
  return max_;
}

std::optional<Nanos> LogHistogram::max() const {
  return count_ == 0 ? std::nullopt : std::optional(max_);
}

std::optional<Nanos> LogHistogram::min() const {
  return count_ == 0 ? std::nullopt : std::optional(min_);
}

std::optional<double> LogHistogram::mean() const {
  return count_ == 0 ? std::nullopt : std::optional(sum_ / static_cast<double>(count_));
}

}  // namespace evenbench
