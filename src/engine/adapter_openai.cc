// Any server that speaks the OpenAI API: nothing is assumed beyond /v1/models and the two
// generation routes, and it is only ever attached to.
#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

Result<LaunchCommand> command_of(const LaunchRequest&) {
  return usage_error(
      "engine 'openai' cannot be launched; start the server yourself and use attach: { url: ... }");
}

std::string version_of(std::string_view) {
  return "";
}

}  // namespace

Adapter openai_adapter() {
  Adapter adapter;
  adapter.name = "openai";
  adapter.title = "OpenAI-compatible server";
  adapter.native_command = command_of;
  adapter.version_of = version_of;
  adapter.setting_rules = openai_setting_rules;
  return adapter;
}

}  // namespace evenbench::engine
