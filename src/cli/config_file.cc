#include "cli/config_file.h"

#include <yaml-cpp/yaml.h>

#include <fstream>
#include <iterator>

namespace evenbench::cli {
namespace {

void flatten(const YAML::Node& node, const std::string& path,
             std::map<std::string, std::string>& out) {
  if (node.IsScalar()) out[path] = node.Scalar();
  if (!node.IsMap()) return;
  for (const auto& entry : node) {
    if (!entry.first.IsScalar()) continue;
    flatten(entry.second, path.empty() ? entry.first.Scalar() : path + "." + entry.first.Scalar(),
            out);
  }
}

}  // namespace

std::map<std::string, std::string> flat_yaml_text(const std::string& text) {
  std::map<std::string, std::string> out;
  try {
    const YAML::Node root = YAML::Load(text);
    if (root.IsMap()) flatten(root, "", out);
  } catch (const YAML::Exception&) {
    out.clear();
  }
  return out;
}

std::map<std::string, std::string> flat_yaml(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return {};
  return flat_yaml_text({std::istreambuf_iterator<char>(in), {}});
}

}  // namespace evenbench::cli
