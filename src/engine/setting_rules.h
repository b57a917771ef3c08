// Where an engine says what a setting is, as data: one set of rules per engine, in its
// settings_*.cc. Applied by settings.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/settings.h"

namespace evenbench::engine {

// How a value is spelt alike for all engines.
enum class Form {
  kText,        // as it stands; nothing said: unknown
  kLimit,       // nothing said means that there is none: "none"
  kDtype,       // bfloat16, float16, float32, fp8 ...; "auto" is no answer
  kSwitch,      // on | off
  kNotSwitch,   // the setting is named for what it switches off
  kAbsentOff,   // nothing said: "off"
  kAbsentNone,  // nothing said: "none"; "auto" is no answer
  kOfTotal,     // share of the GPU's memory
  kOfFree,      // share of what is free once the weights are loaded
  kOfCache,     // bytes of the KV cache alone
  kChunkSize,   // a size of at most 0 means off, any other on
  kSampling,    // where sampling defaults come from: engine | model's generation_config.json
};
// "" = that says nothing.
std::string spelt(Form form, std::string_view value);

struct RouteRule {  // a member of a JSON answer
  std::string route, pointer, key;
  Form form = Form::kText;
};
struct LabelRule {  // a label of a metric that stands for a setting; the end of the metric's name
  std::string metric, label, key;
  Form form = Form::kText;
};
struct LogRule {  // what stands between two texts of the first line with `line` in it
  std::string line, before, until, key;
  Form form = Form::kText;
};
struct OptionRule {  // of the command line; `flag`: it takes no value and means this
  std::vector<std::string> names;
  std::string key;
  Form form = Form::kText;
  std::string flag = {};
};
struct NamedRule {  // of the environment, or of the configuration file
  std::string name, key;
  Form form = Form::kText;
};
struct KnownRule {
  std::string key, value;
};

// How an engine counts the tokens of a text; its answer has a count or a list.
struct TokenizeRoute {
  std::string route;       // "" = none; "/v1/..." is an OpenAI route
  std::string text_field;  // of the request
  std::string more = {};   // further members of it, as JSON: "\"add_special\":true"
};

// What the rules found so far. The first value that is learnt for a key stays.
class SettingsBook {
 public:
  void ask(const std::string& key, const std::string& value);
  void learn(const std::string& key, const std::string& value, const std::string& source);
  [[nodiscard]] std::string effective(std::string_view key) const;
  [[nodiscard]] std::vector<Setting> take();

 private:
  Setting& at(std::string_view key);
  std::vector<Setting> settings_;
};

struct SettingRules {
  std::vector<std::string> routes;  // to be asked once it is ready; "/v1/..." are OpenAI routes
  std::string metrics_route;        // of these, the one of exposition text; "" = none
  TokenizeRoute tokenize;
  std::vector<RouteRule> said;
  std::vector<LabelRule> labels;
  std::vector<LogRule> log;
  std::vector<OptionRule> options;
  bool options_in_env = false;  // every option is a variable too: --max-batch-size, MAX_BATCH_SIZE
  std::vector<NamedRule> env;
  std::vector<std::string> config_options;  // options that name a configuration file
  std::vector<NamedRule> config;
  std::vector<KnownRule> defaults;  // of a command line that does not say otherwise
  std::vector<KnownRule> always;    // of every version, whatever it is told
  // What no rule can say; runs before the defaults.
  void (*more)(const Evidence& evidence, SettingsBook& book) = nullptr;
};

}  // namespace evenbench::engine
