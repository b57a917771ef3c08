#include "sim/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <cmath>

#include "sim/json_text.h"

namespace evenbench::sim {
namespace {

std::string error_json(std::string_view message, std::string_view type, std::string_view code) {
  return dumped(
      {{"error", {{"message", message}, {"type", type}, {"param", nullptr}, {"code", code}}}});
}

Reply used_up(int status) {
  if (status == 403) {
    return {403, kJsonType,
            error_json("user quota is not enough", "new_api_error", "insufficient_user_quota")};
  }
  return {429, kJsonType,
          error_json("You exceeded your current quota, please check your plan and billing details.",
                     "insufficient_quota", "insufficient_quota")};
}

}  // namespace

bool Gate::key_holds(std::string_view authorization) const {
  const Settings& settings = engine_.settings;
  if (settings.key_after && passed_ >= *settings.key_after) return false;
  const std::string wanted = "Bearer " + settings.key;
  // TGI compares without regard to case.
  return engine_.dialect->name == "tgi" ? boost::algorithm::iequals(wanted, authorization)
                                        : wanted == authorization;
}

std::optional<Reply> Gate::throttle(MonoTime now) {
  const double rate = *engine_.settings.throttle_rate;
  const double most = std::max(1.0, rate);
  if (observed(filled_)) {
    allowance_ = std::min(most, allowance_ + rate * to_seconds(now - filled_));
  } else {
    allowance_ = most;
  }
  filled_ = now;
  if (allowance_ >= 1.0) {
    allowance_ -= 1.0;
    return std::nullopt;
  }
  const double wait = std::ceil((1.0 - allowance_) / rate);
  return Reply{429, kJsonType,
               error_json("Rate limit reached for requests", "requests", "rate_limit_exceeded"),
               fmt::format("retry-after: {}\r\n", static_cast<std::uint64_t>(wait))};
}

std::optional<Reply> Gate::stop(std::string_view path, std::string_view authorization,
                                bool generates, MonoTime now) {
  const Settings& settings = engine_.settings;
  if (!settings.key.empty() && engine_.dialect->asks_key(path) && !key_holds(authorization)) {
    return engine_.dialect->unauthorized();
  }
  if (!generates) return std::nullopt;
  if (settings.quota_after && passed_ >= *settings.quota_after) {
    return used_up(settings.quota_status);
  }
  if (settings.throttle_rate) {
    if (auto slow_down = throttle(now)) return slow_down;
  }
  ++passed_;
  return std::nullopt;
}

}  // namespace evenbench::sim
