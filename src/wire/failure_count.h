// How often requests of one step failed in one way: what a running step counts, and what its
// failures are explained from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/exchange.h"
#include "wire/error_class.h"

namespace evenbench::wire {

struct FailureCount {
  Ending ending = Ending::kHttpError;
  std::optional<ErrorClass> error;  // nullopt: the server answered no error
  int status = 0;                   // HTTP status; 0: none was read
  std::uint64_t count = 0;
  MonoTime first = kNever;  // when the first of them ended
  std::string detail;       // of the first of them
};

}  // namespace evenbench::wire
