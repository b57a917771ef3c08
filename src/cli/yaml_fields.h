// Strict reading of one YAML mapping: every key must be known, every value of the right kind, and
// every complaint names the line and what would be right. Complaints are collected, so that one
// pass shows them all.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace evenbench::cli {

struct Complaint {
  int line = 0;  // from 1; 0 = the whole file
  std::string text;
};
using Complaints = std::vector<Complaint>;

// Line of a node, from 1.
int line_of(const YAML::Node& node);
// "a number", "a list", "text", ...
std::string kind_of(const YAML::Node& node);

class Fields {
 public:
  // `path` names the mapping in messages ("load.ladder"). Complains at once about unknown and
  // repeated keys, and when `node` is no mapping.
  Fields(const YAML::Node& node, std::string path, std::vector<std::string> allowed,
         Complaints& complaints);

  [[nodiscard]] bool has(const std::string& key) const;
  [[nodiscard]] YAML::Node node(const std::string& key) const;  // undefined when absent

  // Each returns nullopt when the key is absent, or present and wrong (then it has complained).
  std::optional<std::string> text(const std::string& key);
  std::optional<std::string> one_of(const std::string& key, const std::vector<std::string>& words);
  std::optional<bool> boolean(const std::string& key);
  std::optional<double> number(const std::string& key, double min, double max);
  std::optional<std::int64_t> whole(const std::string& key, std::int64_t min, std::int64_t max);
  std::optional<Nanos> duration(const std::string& key);
  std::vector<std::string> texts(const std::string& key);  // a list of scalars; empty when absent
  // Calls `each` for every entry of a mapping of texts.
  void text_map(const std::string& key,
                const std::function<void(std::string name, std::string value)>& each);

  void complain(const YAML::Node& where, std::string text);
  // Complains at the mapping's own line.
  void complain_here(std::string text);
  [[nodiscard]] std::string name(const std::string& key) const;  // "load.ladder.rates"
  [[nodiscard]] Complaints& complaints() { return complaints_; }

 private:
  // The scalar under `key`, or nullopt after a complaint if it is something else.
  std::optional<std::string> scalar(const std::string& key, std::string_view wanted);
  YAML::Node node_;
  std::string path_;
  Complaints& complaints_;
};

}  // namespace evenbench::cli
