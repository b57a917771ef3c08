// The instant of a read: what the program's own clock said right after the system call, and what
// the kernel said when the last byte arrived (mapped to the monotonic clock), if it was asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace evenbench {

struct Stamp {
  MonoTime user = kNever;
  MonoTime kernel = kNever;
  friend bool operator==(const Stamp&, const Stamp&) = default;
};
inline bool observed(const Stamp& s) {
  return observed(s.user);
}

// Which of the two the headline numbers of a run are made of; the same for all its systems. kAuto:
// the kernel's where every system has it.
enum class StampChoice : std::uint8_t { kAuto, kUser, kKernel };
std::string_view name_of(StampChoice choice);  // auto, user, kernel
std::optional<StampChoice> stamp_choice_named(std::string_view name);

// One event of a stream that carried generated text or token ids.
struct TokenEvent {
  Stamp at;
  std::uint32_t tokens = 0;  // tokens it is known to carry; 0 = not known
  bool merged =
      false;  // its read held more than one event: `at` is only an upper bound (interval-censored)
  friend bool operator==(const TokenEvent&, const TokenEvent&) = default;
};
using TokenEvents = std::vector<TokenEvent>;

}  // namespace evenbench
