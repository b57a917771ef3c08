#include "engine/class_remedy.h"

#include <fmt/format.h>

namespace evenbench::engine {
namespace {

std::string key_remedy(const std::string& key_env) {
  if (key_env.empty()) {
    return "the key is missing or not accepted; name the variable that holds it with key_env";
  }
  return fmt::format(
      "the key in {0} is not accepted: wrong, expired, or of another address; put a valid one into "
      "{0}, or name another variable with key_env",
      key_env);
}

std::string whose(const std::string& key_env) {
  return key_env.empty() ? "the key" : "the key in " + key_env;
}

}  // namespace

std::string class_remedy(wire::ErrorClass error, const std::string& key_env) {
  using enum wire::ErrorClass;
  const auto named = [&](const std::string& text) {
    return fmt::format("{}: {}", wire::name_of(error), text);
  };
  switch (error) {
    case kKeyRefused:
      return named(key_remedy(key_env));
    case kPermission:
      return named(whose(key_env) +
                   " is known but may not do this: have the model, the group or this machine's "
                   "address permitted by the provider, or name another key with key_env");
    case kQuota:
      return named("the money or allowance behind " + whose(key_env) +
                   " is used up: top it up at the provider, or name another key with key_env");
    case kThrottled:
      return named(whose(key_env) +
                   " may send so much per time and no more: lower the load, or have its limit "
                   "raised by the provider");
    case kOverloaded:
      return named(
          "the server has more to do than it takes: wait until others have ended, or "
          "raise its limits");
    case kProviderFault:
      return named("the server, or what stands behind it, failed: its own log says why");
    case kUnknownModel:
      return named("correct model.name, or model_name of the system");
    case kTooLong:
      return named("ask for less input or output, or raise the server's length limit");
    case kBadRequest:
    case kUnsupportedField:
    case kOther:
      return "";
  }
  return "";
}

}  // namespace evenbench::engine
