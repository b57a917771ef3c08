// JSON and Prometheus text as the simulated engines write them. Knows no engine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "sim/tally.h"

namespace evenbench::sim {

using Json = nlohmann::ordered_json;  // keys keep the order of the engine

// Broken UTF-8 becomes replacement characters.
std::string dumped(const Json& json);
std::string json_string(std::string_view text);
// As Python's repr() writes what was sent: 'text', True, None, numbers.
std::string python_repr(const Json& json);
std::string python_repr_of(std::string_view json);

struct Label {
  std::string_view name;
  std::string value;
};

class Prometheus {
 public:
  // Labels of every series.
  explicit Prometheus(std::vector<Label> labels) : common_(std::move(labels)) {}

  // Starts a family. Its series follow.
  void family(std::string_view name, std::string_view type, std::string_view help);
  void series(std::string_view name, double value, std::vector<Label> labels = {});
  void gauge(std::string_view name, std::string_view help, double value);
  void counter(std::string_view name, std::string_view help, std::uint64_t value);
  void histogram(std::string_view name, std::string_view help, const Histogram& histogram);
  [[nodiscard]] std::string take() { return std::move(text_); }

  // TGI's exporter writes whole numbers without a point, bounds before sums, and an empty line
  // behind each family; prometheus_client of Python sorts the labels.
  bool rust_style = false;

 private:
  std::string number(double value) const;

  std::vector<Label> common_;
  std::string text_;
};

}  // namespace evenbench::sim
