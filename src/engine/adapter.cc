#include "engine/adapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

const std::array<Adapter, 7>& adapters() {
  static const std::array<Adapter, 7> all{vllm_adapter(),   trtllm_adapter(),    tgi_adapter(),
                                          sglang_adapter(), llama_cpp_adapter(), openai_adapter(),
                                          sim_adapter()};
  return all;
}

}  // namespace

std::string text_member(std::string_view json, std::string_view name) {
  const auto document = nlohmann::json::parse(json, nullptr, false);
  if (!document.is_object()) return "";
  const auto member = document.find(name);
  return member != document.end() && member->is_string() ? member->get<std::string>() : "";
}

std::string version_member(std::string_view json) {
  return text_member(json, "version");
}

void add_stated(std::vector<std::string>& argv, std::string_view option, const std::string& value) {
  if (value.empty()) return;
  argv.emplace_back(option);
  argv.push_back(value);
}

Result<LaunchCommand> with_args(std::vector<std::string> argv,
                                const std::vector<std::string>& args) {
  for (const std::string& arg : args) {
    const std::string_view option = std::string_view(arg).substr(0, arg.find('='));
    if (!option.starts_with('-')) continue;
    if (std::find(argv.begin(), argv.end(), option) == argv.end()) continue;
    return usage_error(fmt::format(
        "args: {} is set by evenbench itself; take it out and use the system's own keys (host, "
        "port, model_path, model_name, model.dtype)",
        option));
  }
  argv.insert(argv.end(), args.begin(), args.end());
  LaunchCommand command;
  command.argv = std::move(argv);
  return command;
}

Result<void> needs_model_folder(std::string_view engine, const LaunchRequest& request) {
  if (!request.model_path.empty()) return {};
  return usage_error(fmt::format(
      "{} needs a model; set model.path (a folder) or model_path of the system", engine));
}

Result<const Adapter*> adapter_named(std::string_view name) {
  for (const Adapter& adapter : adapters())
    if (adapter.name == name) return &adapter;
  return usage_error(fmt::format("no engine is called \"{}\"; there are: {}", name,
                                 fmt::join(adapter_names(), ", ")));
}

std::vector<std::string> adapter_names() {
  std::vector<std::string> names;
  for (const Adapter& adapter : adapters()) names.push_back(adapter.name);
  return names;
}

}  // namespace evenbench::engine
