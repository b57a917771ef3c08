#include "cli/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace evenbench::cli {
namespace {

struct Unit {
  std::string_view name;
  Nanos length;
};
constexpr Unit kUnits[] = {{"us", std::chrono::microseconds{1}},
                           {"ms", std::chrono::milliseconds{1}},
                           {"s", std::chrono::seconds{1}},
                           {"m", std::chrono::minutes{1}},
                           {"h", std::chrono::hours{1}}};

std::optional<Nanos> unit_named(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return unit.length;
  }
  return std::nullopt;
}

// Damerau's distance without transpositions of more than neighbours is not needed: keys are short.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<Nanos> parse_duration(std::string_view text) {
  const std::size_t split = text.find_first_not_of("0123456789.");
  if (split == std::string_view::npos || split == 0) return std::nullopt;
  const auto number = parse_number(text.substr(0, split));
  const auto unit = unit_named(text.substr(split));
  if (!number || !unit) return std::nullopt;
  const double nanos = *number * static_cast<double>(unit->count());
  if (nanos > 9e18) return std::nullopt;
  return Nanos{std::llround(nanos)};
}

std::optional<double> parse_percent(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  const auto number = parse_number(text.substr(0, text.size() - 1));
  return number ? std::optional(*number / 100.0) : std::nullopt;
}

std::optional<double> parse_per_time(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = parse_number(text.substr(0, slash));
  const auto unit = unit_named(text.substr(slash + 1));
  if (!number || !unit) return std::nullopt;
  return *number / to_seconds(*unit);
}

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  constexpr int kMost = 4095;  // more than any machine has
  const auto whole = [](std::string_view part) -> std::optional<int> {
    int value = 0;
    const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    const bool good = error == std::errc{} && stop == part.data() + part.size();
    return good && value >= 0 && value <= kMost ? std::optional(value) : std::nullopt;
  };
  std::vector<int> out;
  while (true) {
    const std::string_view part = text.substr(0, text.find(','));
    const std::size_t dash = part.find('-');
    const auto first = whole(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole(part.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    for (int cpu = *first; cpu <= *last; ++cpu) out.push_back(cpu);
    if (part.size() == text.size()) return out;
    text.remove_prefix(part.size() + 1);
  }
}

std::string print_duration(Nanos d) {
  const auto n = d.count();
  for (auto it = std::rbegin(kUnits); it != std::rend(kUnits); ++it) {
    const auto length = it->length.count();
    if (n >= length && n % length == 0) return fmt::format("{}{}", n / length, it->name);
  }
  return n == 0 ? "0s" : fmt::format("{}us", static_cast<double>(n) / 1000.0);
}

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = &candidate;
    }
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

}  // namespace evenbench::cli
