#include "cli/yaml_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/units.h"

namespace evenbench::cli {

int line_of(const YAML::Node& node) {
  return node.Mark().line + 1;
}

std::string kind_of(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Map:
      return "a mapping";
    case YAML::NodeType::Scalar:
      return fmt::format("'{}'", node.Scalar());
    default:
      return "nothing";
  }
}

Fields::Fields(const YAML::Node& node, std::string path, std::vector<std::string> allowed,
               Complaints& complaints)
    : node_(node), path_(std::move(path)), complaints_(complaints) {
  if (!node_.IsMap()) {
    complain(node_, fmt::format("{} must be a mapping of keys and values, not {}",
                                path_.empty() ? "the spec" : path_, kind_of(node_)));
    node_.reset(YAML::Node(YAML::NodeType::Map));
    return;
  }
  std::set<std::string> seen;
  for (const auto& entry : node_) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
    if (!seen.insert(key).second) {
      complain(entry.first, fmt::format("'{}' is given twice", name(key)));
    } else if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) {
      const auto near = nearest(key, allowed);
      complain(entry.first,
               near ? fmt::format("unknown key '{}'; did you mean '{}'?", name(key), *near)
                    : fmt::format("unknown key '{}'; known here: {}", name(key),
                                  fmt::join(allowed, ", ")));
    }
  }
}

bool Fields::has(const std::string& key) const {
  return node(key).IsDefined();
}

YAML::Node Fields::node(const std::string& key) const {
  const YAML::Node& constant = node_;  // operator[] of a non-const node would add the key
  return constant[key];
}

std::string Fields::name(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

void Fields::complain(const YAML::Node& where, std::string text) {
  complaints_.push_back({line_of(where), std::move(text)});
}

void Fields::complain_here(std::string text) {
  complain(node_, std::move(text));
}

std::optional<std::string> Fields::scalar(const std::string& key, std::string_view wanted) {
  const YAML::Node value = node(key);
  if (!value.IsDefined()) return std::nullopt;
  if (!value.IsScalar()) {
    complain(value, fmt::format("{} must be {}, not {}", name(key), wanted, kind_of(value)));
    return std::nullopt;
  }
  return value.Scalar();
}

std::optional<std::string> Fields::text(const std::string& key) {
  auto value = scalar(key, "text");
  if (value && value->empty()) {
    complain(node(key), fmt::format("{} must not be empty", name(key)));
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> Fields::one_of(const std::string& key,
                                          const std::vector<std::string>& words) {
  const auto value = scalar(key, fmt::format("one of {}", fmt::join(words, ", ")));
  if (!value) return std::nullopt;
  if (std::find(words.begin(), words.end(), *value) != words.end()) return value;
  const auto near = nearest(*value, words);
  complain(node(key),
           fmt::format("{} must be one of {}, not '{}'{}", name(key), fmt::join(words, ", "),
                       *value, near ? fmt::format("; did you mean '{}'?", *near) : ""));
  return std::nullopt;
}

std::optional<bool> Fields::boolean(const std::string& key) {
  const auto value = one_of(key, {"true", "false"});
  return value ? std::optional(*value == "true") : std::nullopt;
}

std::optional<double> Fields::number(const std::string& key, double min, double max) {
  const auto value = scalar(key, "a number");
  if (!value) return std::nullopt;
  const auto parsed = parse_number(*value);
  if (parsed && *parsed >= min && *parsed <= max) return parsed;
  complain(node(key),
           fmt::format("{} must be a number from {} to {}, not '{}'", name(key), min, max, *value));
  return std::nullopt;
}

std::optional<std::int64_t> Fields::whole(const std::string& key, std::int64_t min,
                                          std::int64_t max) {
  const auto value = scalar(key, "a whole number");
  if (!value) return std::nullopt;
  const auto parsed = parse_number(*value);
  if (parsed && *parsed == std::floor(*parsed) && *parsed >= static_cast<double>(min) &&
      *parsed <= static_cast<double>(max)) {
    return static_cast<std::int64_t>(*parsed);
  }
  complain(node(key), fmt::format("{} must be a whole number from {} to {}, not '{}'", name(key),
                                  min, max, *value));
  return std::nullopt;
}

std::optional<Nanos> Fields::duration(const std::string& key) {
  const auto value = scalar(key, "a duration such as 30s, 500ms or 5m");
  if (!value) return std::nullopt;
  auto parsed = parse_duration(*value);
  if (!parsed) {
    complain(node(key),
             fmt::format("{} must be a duration with its unit, such as 30s, 500ms or 5m, "
                         "not '{}'",
                         name(key), *value));
  }
  return parsed;
}

std::vector<std::string> Fields::texts(const std::string& key) {
  std::vector<std::string> out;
  const YAML::Node value = node(key);
  if (!value.IsDefined()) return out;
  if (!value.IsSequence()) {
    complain(value, fmt::format("{} must be a list, not {}", name(key), kind_of(value)));
    return out;
  }
  for (const auto& item : value) {
    if (item.IsScalar()) {
      out.push_back(item.Scalar());
    } else {
      complain(item, fmt::format("{} must hold plain values, not {}", name(key), kind_of(item)));
    }
  }
  return out;
}

void Fields::text_map(const std::string& key,
                      const std::function<void(std::string, std::string)>& each) {
  const YAML::Node value = node(key);
  if (!value.IsDefined()) return;
  if (!value.IsMap()) {
    complain(value, fmt::format("{} must be a mapping, not {}", name(key), kind_of(value)));
    return;
  }
  for (const auto& entry : value) {
    if (entry.first.IsScalar() && entry.second.IsScalar()) {
      each(entry.first.Scalar(), entry.second.Scalar());
    } else {
      complain(entry.first, fmt::format("{} must hold plain values", name(key)));
    }
  }
}

}  // namespace evenbench::cli
