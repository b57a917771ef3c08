// Who may ask a simulated engine, and how much: its key, and what a gateway before it says when the
// key has expired, the account is used up or the requests come too fast. Knows no clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "sim/dialect.h"

namespace evenbench::sim {

class Gate {
 public:
  explicit Gate(const Engine& engine) : engine_(engine) {}
  // Why a call may not pass; nullopt: it may. `authorization`: the header, "" = none.
  std::optional<Reply> stop(std::string_view path, std::string_view authorization, bool generates,
                            MonoTime now);

 private:
  [[nodiscard]] bool key_holds(std::string_view authorization) const;
  std::optional<Reply> throttle(MonoTime now);

  const Engine& engine_;
  std::uint64_t passed_ = 0;  // generations
  double allowance_ = 1.0;    // of the rate; one second's worth at the most
  MonoTime filled_ = kNever;
};

}  // namespace evenbench::sim
