// The terms that are audited, as data: what each is called, how much a difference in it weighs,
// and what to do about one. docs/even-terms.md is the same in prose.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace evenbench::audit {

enum class Weight : std::uint8_t {
  kNote,     // engines differ here by nature: shown, never judged
  kReserve,  // the comparison stands with a reservation
  kDecide,   // another thing was measured: nothing may be concluded
};

struct Term {
  std::string_view key;
  std::string_view title;
  Weight weight = Weight::kReserve;
  // Not knowing it for a system is itself a reservation.
  bool must_be_known = false;
  std::string_view remedy;
};

// In the order of the report.
std::span<const Term> terms();

}  // namespace evenbench::audit
