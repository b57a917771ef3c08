// What is planned against what an engine allows: requests that it would refuse, cut or queue, said
// before the load with the flag to change. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/facts.h"
#include "base/time.h"

namespace evenbench::audit {

struct PlanNeeds {
  std::uint32_t longest_input = 0;    // tokens, of any planned request
  std::uint32_t longest_request = 0;  // tokens, input + output of one request
  std::uint32_t most_at_once = 0;     // requests: users of a closed loop, or the cap; 0 = not known
  double highest_rate = 0;            // requests/s of an open loop; 0 = none
  std::optional<Nanos> tightest_slo;  // of the TTFT limits
  std::optional<Nanos> round_trip;    // to the server; nullopt = not measured yet
};

struct LimitFinding {
  std::string severity;  // error | warning | note
  std::string code;
  std::string text;
};

// `engine`: an adapter's name; its own flags are named. Limits that are not known give nothing.
std::vector<LimitFinding> check_limits(const PlanNeeds& needs, std::string_view engine,
                                       const std::map<std::string, Stated>& settings);

}  // namespace evenbench::audit
