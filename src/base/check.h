// EVENBENCH_CHECK(condition, format, args...): a broken assumption of ours is a bug; it ends the
// program with the values. Never for bad input or a failing environment: those are a Result.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace evenbench::check_detail {
[[noreturn]] void fail(const char* file, int line, const char* condition, std::string_view message);
}  // namespace evenbench::check_detail

#define EVENBENCH_CHECK(condition, ...)                                                          \
  do {                                                                                           \
    if (!(condition)) [[unlikely]] {                                                             \
      ::evenbench::check_detail::fail(__FILE__, __LINE__, #condition, fmt::format(__VA_ARGS__)); \
    }                                                                                            \
  } while (false)
