#include "sim/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace evenbench::sim {

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_string(std::string_view text) {
  return dumped(Json(std::string(text)));
}

std::string python_repr(const Json& json) {
  if (json.is_null()) return "None";
  if (json.is_boolean()) return json.get<bool>() ? "True" : "False";
  if (json.is_string()) return "'" + json.get<std::string>() + "'";
  if (!json.is_structured()) return dumped(json);
  std::string out;
  for (const auto& [key, value] : json.items()) {
    if (!out.empty()) out += ", ";
    if (json.is_object()) out += "'" + key + "': ";
    out += python_repr(value);
  }
  return json.is_object() ? "{" + out + "}" : "[" + out + "]";
}

std::string python_repr_of(std::string_view json) {
  return python_repr(Json::parse(json, nullptr, false));
}

std::string Prometheus::number(double value) const {
  const bool whole = value == static_cast<double>(static_cast<std::int64_t>(value));
  if (!whole) return fmt::format("{}", value);
  return fmt::format("{}{}", static_cast<std::int64_t>(value), rust_style ? "" : ".0");
}

void Prometheus::family(std::string_view name, std::string_view type, std::string_view help) {
  if (rust_style && !text_.empty()) text_ += "\n";
  if (!help.empty()) fmt::format_to(std::back_inserter(text_), "# HELP {} {}\n", name, help);
  fmt::format_to(std::back_inserter(text_), "# TYPE {} {}\n", name, type);
}

void Prometheus::series(std::string_view name, double value, std::vector<Label> labels) {
  labels.insert(labels.end(), common_.begin(), common_.end());
  if (!rust_style) std::ranges::sort(labels, {}, &Label::name);
  std::string shown;
  for (const Label& label : labels) {
    fmt::format_to(std::back_inserter(shown), "{}{}={}", shown.empty() ? "{" : ",", label.name,
                   json_string(label.value));
  }
  if (!shown.empty()) shown += "}";
  fmt::format_to(std::back_inserter(text_), "{}{} {}\n", name, shown, number(value));
}

void Prometheus::gauge(std::string_view name, std::string_view help, double value) {
  family(name, "gauge", help);
  series(name, value);
}

void Prometheus::counter(std::string_view name, std::string_view help, std::uint64_t value) {
  family(name, "counter", help);
  series(name, static_cast<double>(value));
}

void Prometheus::histogram(std::string_view name, std::string_view help,
                           const Histogram& histogram) {
  family(name, "histogram", help);
  const std::string bucket = fmt::format("{}_bucket", name);
  for (std::size_t i = 0; i < histogram.bounds().size(); ++i) {
    series(bucket, static_cast<double>(histogram.up_to(i)),
           {{"le", number(histogram.bounds()[i])}});
  }
  series(bucket, static_cast<double>(histogram.count()), {{"le", "+Inf"}});
  series(fmt::format("{}_sum", name), histogram.sum());
  series(fmt::format("{}_count", name), static_cast<double>(histogram.count()));
}

}  // namespace evenbench::sim
