// What failed in a running step, by how it failed, and whether the key still carries the step: when
// it does not, sending on measures nothing. Told by all workers of the step; knows no clock and
// stops nothing itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/exchange.h"
#include "wire/failure_count.h"

namespace evenbench::load {

// When refusals of the key in a row, with no good answer in between, are no accident: some gateways
// refuse a valid key now and then under load, and then many at once.
inline constexpr std::uint64_t kRefusalsInARow = 5;        // over at least kRefusalsSpan, or
inline constexpr std::uint64_t kManyRefusalsInARow = 100;  // so many sooner
inline constexpr Nanos kRefusalsSpan = std::chrono::seconds{1};

class FailureWatch {
 public:
  // A request of the step is over. Its detail must hold no secret. Whether the key is lost.
  bool on_ended(const Exchanged& exchanged);

  // The row of refusals that showed it; nullopt as long as the key carries the step.
  [[nodiscard]] std::optional<wire::FailureCount> key_lost() const;
  // Most frequent first.
  [[nodiscard]] std::vector<wire::FailureCount> failures() const;

 private:
  void count(const Exchanged& exchanged, std::optional<wire::ErrorClass> error, MonoTime at);
  void refused(const Exchanged& exchanged, wire::ErrorClass error, MonoTime at);

  std::atomic<bool> in_a_row_{false};  // lets good answers pass without the lock
  mutable std::mutex mutex_;
  std::vector<wire::FailureCount> failures_;
  wire::FailureCount row_;
  MonoTime row_last_ = kNever;
  std::optional<wire::FailureCount> lost_;
};

}  // namespace evenbench::load
