// Whether systems were measured on even terms. Facts in, label and reasons out; draws nothing from
// any measured figure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/facts.h"
#include "audit/terms.h"

namespace evenbench::audit {

enum class Comparability : std::uint8_t { kLikeForLike, kWithReservations, kNotComparable };
// LIKE_FOR_LIKE, WITH_RESERVATIONS, NOT_COMPARABLE
std::string_view name_of(Comparability label);

enum class Outcome : std::uint8_t {
  kSame,      // known for all, and equal
  kDiffers,   // at least two known values
  kUnknown,   // unknown for some, and no difference among the known
  kNotKnown,  // unknown for all
};
// same | differs | unknown for some | unknown
std::string_view name_of(Outcome outcome);

// One term over all systems.
struct Line {
  std::string key, title;
  Outcome outcome = Outcome::kNotKnown;
  std::vector<Stated> values;  // in the order of the systems
};

struct Finding {
  Weight weight = Weight::kReserve;
  std::string key;   // the term, or remote, simulated, answers, changed, ...
  std::string text;  // one sentence with the values, and the remedy
};

struct Audit {
  // nullopt with fewer than two systems: there is nothing to compare.
  std::optional<Comparability> label;
  std::vector<Finding> findings;  // the gravest first
  std::vector<Line> lines;        // terms that are known for some system
};

Audit audit(const std::vector<SystemFacts>& systems);

}  // namespace evenbench::audit
