// What a call that the environment can make fail returns: a value, or an Error that says what is
// wrong and what to do. std::expected is not in C++20; the member names are the standard's. A bug
// is not an Error: see base/check.h.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace evenbench {

// Why it failed, as far as the exit code of the program depends on it.
enum class ErrorCode {
  kUsage,           // bad command line or spec: exit 2
  kEnvironment,     // an engine, port, key, file or host did not do what was needed: exit 3
  kNotPublishable,  // the run is done but must not be published: exit 4
  kInterrupted,     // stopped by a signal, run file kept: exit 130 (143 for SIGTERM)
};

struct Error {
  ErrorCode code = ErrorCode::kEnvironment;
  std::string message;  // names the thing and the remedy; one paragraph, no trailing newline

  // The same error with `context` and ": " put before the message.
  [[nodiscard]] Error in(const std::string& context) const {
    return {code, context + ": " + message};
  }
};

inline Error usage_error(std::string message) {
  return {ErrorCode::kUsage, std::move(message)};
}
inline Error environment_error(std::string message) {
  return {ErrorCode::kEnvironment, std::move(message)};
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  // The value. Calling it on an error is a bug and aborts with the error's message.
  T& value() & {
    check_value();
    return std::get<0>(state_);
  }
  const T& value() const& {
    check_value();
    return std::get<0>(state_);
  }
  // By value: a loop over a part of it keeps the whole alive, which a reference into the dying
  // Result would not.
  T value() && {
    check_value();
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  [[nodiscard]] const Error& error() const {
    EVENBENCH_CHECK(!has_value(), "error() of a Result that holds a value");
    return std::get<1>(state_);
  }

 private:
  void check_value() const {
    EVENBENCH_CHECK(has_value(), "value() of a failed Result: {}", std::get<1>(state_).message);
  }
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}
  [[nodiscard]] bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] const Error& error() const {
    EVENBENCH_CHECK(error_.has_value(), "error() of a Result that holds a value");
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace evenbench
