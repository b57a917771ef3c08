#include "cli/launch_evidence.h"

#include "cli/config_file.h"
#include "cli/launch.h"
#include "engine/setting_rules.h"

namespace evenbench::cli {
namespace {

void read_config_file(const engine::SettingRules& rules, engine::Evidence& evidence) {
  for (std::size_t i = 0; i < evidence.argv.size(); ++i) {
    const std::string& word = evidence.argv[i];
    for (const std::string& option : rules.config_options) {
      std::string file;
      if (word == option && i + 1 < evidence.argv.size()) file = evidence.argv[i + 1];
      if (word.starts_with(option + "=")) file = word.substr(option.size() + 1);
      if (file.empty()) continue;
      evidence.has_config_file = true;
      evidence.config_file.merge(flat_yaml(file));
    }
  }
}

}  // namespace

engine::Evidence launch_evidence(const Spec& spec, const SystemSpec& system,
                                 const engine::Adapter& adapter,
                                 const std::filesystem::path& built) {
  engine::Evidence evidence;
  evidence.model = model_path_of(spec, system);
  evidence.dtype = spec.model.dtype;
  evidence.quantization = spec.model.quantization;
  evidence.env = system.env;
  if (!system.launched) return evidence;
  // The name of a container is in it, and no setting.
  const auto command = launch_of(spec, system, "settings", built);
  if (command) evidence.argv = command->argv;
  read_config_file(adapter.setting_rules(evidence), evidence);
  return evidence;
}

}  // namespace evenbench::cli
