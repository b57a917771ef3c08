// A YAML file as one map from dotted paths to values, as {"kv_cache_config.dtype", "fp8"}: what an
// engine's configuration file sets. Lists are left out.
#pragma once

#include <map>
#include <string>

namespace evenbench::cli {

// Empty: it cannot be read, is no YAML, or sets nothing.
std::map<std::string, std::string> flat_yaml(const std::string& file);
std::map<std::string, std::string> flat_yaml_text(const std::string& text);

}  // namespace evenbench::cli
