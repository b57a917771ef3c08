// Numbers and names as the words of every output that a person reads. What is absent is a dash,
// never 0. web/src/format.js says numbers the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "judge/judged_run.h"

namespace evenbench::report {

inline constexpr std::string_view kAbsent = "–";

// Two digits after the point below 10, one below 100, none above; thousands grouped. Infinity is
// "unbounded".
std::string number(std::optional<double> value);
std::string count(std::uint64_t value);
// A level that somebody chose: 4, 0.5, 1.333.
std::string compact(double value);
// A share of 1 as "12.5 %".
std::string percent(std::optional<double> share);
// "1 request", "2 requests".
std::string counted(std::uint64_t value, std::string_view singular);

std::string shown_name(const judge::JudgedSystem& system);  // says when it is simulated
// The load of a step: "4 req/s", "replay 2 req/s", "64 in flight (closed loop)".
std::string level_name(std::string_view kind, std::optional<double> value);
std::optional<double> level_value(const judge::JudgedStep& step);
std::string level_name(const judge::JudgedStep& step);

}  // namespace evenbench::report
