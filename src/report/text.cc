#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace evenbench::report {
namespace {

std::string grouped(const std::string& digits) {
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  std::string out;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    if (at > first && at < whole && (whole - at) % 3 == 0) out += ',';
    out += digits[at];
  }
  return out;
}

}  // namespace

std::string number(std::optional<double> value) {
  if (!value || std::isnan(*value)) return std::string(kAbsent);
  if (std::isinf(*value)) return "unbounded";
  const double size = std::fabs(*value);
  const int digits = size < 10 ? 2 : size < 100 ? 1 : 0;
  return grouped(fmt::format("{:.{}f}", *value, digits));
}

std::string count(std::uint64_t value) {
  return grouped(fmt::format("{}", value));
}

std::string compact(double value) {
  std::string text = fmt::format("{:.3f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string percent(std::optional<double> share) {
  if (!share || !std::isfinite(*share)) return std::string(kAbsent);
  return fmt::format("{:.1f} %", *share * 100.0);
}

std::string counted(std::uint64_t value, std::string_view singular) {
  return fmt::format("{} {}{}", count(value), singular, value == 1 ? "" : "s");
}

std::string shown_name(const judge::JudgedSystem& system) {
  return system.simulated ? system.name + " (simulated)" : system.name;
}

std::string level_name(std::string_view kind, std::optional<double> value) {
  if (!value) return std::string(kind);
  if (kind == "closed") return compact(*value) + " in flight (closed loop)";
  return fmt::format("{}{} req/s", kind == "replay" ? "replay " : "", compact(*value));
}

std::optional<double> level_value(const judge::JudgedStep& step) {
  if (step.kind == "closed") return step.concurrency;
  return step.planned_rate ? step.planned_rate : step.sent_rate;
}

std::string level_name(const judge::JudgedStep& step) {
  return level_name(step.kind, level_value(step));
}

}  // namespace evenbench::report
