// What a server's refusal is about, whatever its dialect: the key, money, load, the request, or the
// server itself. Pure; knows nothing of what is done about it. docs/dialects.md has the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/exchange.h"

namespace evenbench::wire {

enum class ErrorClass : std::uint8_t {
  kKeyRefused,        // no key, a wrong one, or one that is no longer valid
  kPermission,        // the key is known, but may not do this
  kQuota,             // the money or the allowance is used up: waiting does not help
  kThrottled,         // too many requests or tokens per time for this key
  kProviderFault,     // the server or what stands behind it failed
  kOverloaded,        // the server itself has too much to do
  kBadRequest,        // a field or a value that it cannot take
  kTooLong,           // prompt and answer do not fit
  kUnknownModel,      // no such model here
  kUnsupportedField,  // a field that it does not know or does not offer
  kOther,
};
inline constexpr int kErrorClassCount = 11;
std::string_view name_of(ErrorClass error);

struct ErrorAnswer {
  int status = 0;                         // HTTP status, or the code of an error event; 0: none
  std::string_view said;                  // the server's words
  std::optional<int> retry_after_s = {};  // the header of that name
};
ErrorClass error_class(const ErrorAnswer& answer);

// nullopt: the server answered no error, whatever else became of the request.
std::optional<ErrorClass> error_class(const Exchanged& exchanged);

// The key or the account behind it does not carry the request, and will not carry the next.
constexpr bool ends_credentials(ErrorClass error) {
  return error == ErrorClass::kKeyRefused || error == ErrorClass::kPermission ||
         error == ErrorClass::kQuota;
}

}  // namespace evenbench::wire
