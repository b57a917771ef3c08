// A row of a CSV file by RFC 4180, each column's name and cell side by side, so that a row can
// never shift against the header. Absent is an empty field.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "report/escape.h"

namespace evenbench::report {

class CsvRow {
 public:
  void add(std::string name, std::string_view text) {
    const char* comma = is_first_ ? "" : ",";
    names_ += comma + csv_field(name);
    cells_ += comma + csv_field(text);
    is_first_ = false;
  }
  void add(std::string name, std::optional<double> value) { add(std::move(name), plain(value)); }
  void add_count(std::string name, std::uint64_t value) {
    add(std::move(name), fmt::format("{}", value));
  }
  [[nodiscard]] std::string header() const { return names_ + "\r\n"; }
  [[nodiscard]] std::string cells() const { return cells_ + "\r\n"; }

 private:
  static std::string plain(std::optional<double> value) {
    if (!value || std::isnan(*value)) return "";
    return std::isinf(*value) ? "unbounded" : fmt::format("{}", *value);
  }
  std::string names_, cells_;
  bool is_first_ = true;
};

}  // namespace evenbench::report
