#include "engine/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/adapter.h"
#include "engine/exposition.h"
#include "engine/setting_rules.h"

namespace evenbench::engine {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 33> kKeys = {"model",
                                                    "model_revision",
                                                    "weights_hash",
                                                    "dtype",
                                                    "quantization",
                                                    "kv_cache_dtype",
                                                    "max_model_len",
                                                    "prefix_cache",
                                                    "chunked_prefill",
                                                    "max_running",
                                                    "max_queued",
                                                    "concurrent_limit",
                                                    "prefill_budget",
                                                    "speculative",
                                                    "stream_interval",
                                                    "sampling_defaults",
                                                    "default_temperature",
                                                    "default_top_p",
                                                    "default_top_k",
                                                    "default_repetition_penalty",
                                                    "tokenizer",
                                                    "tokenizer_hash",
                                                    "token_counts",
                                                    "chat_template_hash",
                                                    "truncation",
                                                    "ignore_eos",
                                                    "memory_setting",
                                                    "kv_cache_tokens",
                                                    "tensor_parallel",
                                                    "engine_version",
                                                    "engine_commit",
                                                    "image_digest",
                                                    "converter"};

// Numbers that were 32 bits wide where they come from are written as they were meant: 0.8.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) {
    const auto wide = value.get<double>();
    const auto narrow = static_cast<float>(wide);
    return static_cast<double>(narrow) == wide ? fmt::format("{}", narrow)
                                               : fmt::format("{}", wide);
  }
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void read_routes(const SettingRules& rules, const Evidence& evidence, SettingsBook& book) {
  for (const auto& [route, body] : evidence.bodies) {
    const Json said = Json::parse(body, nullptr, false);
    if (said.is_discarded()) continue;
    const std::string source = route.substr(0, route.find('?'));
    for (const RouteRule& rule : rules.said) {
      const Json::json_pointer where(rule.pointer);
      if (rule.route != route || !said.contains(where)) continue;
      book.learn(rule.key, spelt(rule.form, text_of(said.at(where))), source);
    }
  }
}

void read_labels(const SettingRules& rules, const Evidence& evidence, SettingsBook& book) {
  const auto page = evidence.bodies.find(rules.metrics_route);
  if (page == evidence.bodies.end()) return;
  const auto samples = read_exposition(page->second);
  if (!samples) return;
  for (const LabelRule& rule : rules.labels) {
    for (const Sample& sample : *samples) {
      if (!sample.name.ends_with(rule.metric)) continue;
      const std::string value(sample.label(rule.label));
      if (!value.empty()) book.learn(rule.key, spelt(rule.form, value), rules.metrics_route);
    }
  }
}

// "524,288" is a number.
std::string without_commas(std::string text) {
  const bool number = text.find_first_not_of("0123456789,") == std::string::npos;
  if (number) std::erase(text, ',');
  return text;
}

void read_log(const SettingRules& rules, const Evidence& evidence, SettingsBook& book) {
  const std::string& log = evidence.log;
  for (const LogRule& rule : rules.log) {
    const std::size_t mark = log.find(rule.line);
    if (mark == std::string::npos) continue;
    const std::size_t begin = log.rfind('\n', mark) + 1;  // npos + 1 is 0
    const std::string line = log.substr(begin, log.find('\n', mark) - begin);
    const std::size_t before = line.find(rule.before, mark - begin);
    if (before == std::string::npos) continue;
    const std::size_t from = before + rule.before.size();
    std::string value = line.substr(from, line.find(rule.until, from) - from);
    std::erase(value, '\'');
    book.learn(rule.key, spelt(rule.form, without_commas(value)), "log");
  }
}

std::string dashed(std::string_view option) {
  std::string out(option);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

// What the command line says of an option; nullopt: nothing. The last one counts.
std::optional<std::string> option_value(const std::vector<std::string>& argv,
                                        const OptionRule& rule) {
  std::optional<std::string> out;
  for (std::size_t i = 0; i < argv.size(); ++i) {
    const std::size_t equals = argv[i].find('=');
    const std::string word = dashed(std::string_view(argv[i]).substr(0, equals));
    const bool named = std::any_of(rule.names.begin(), rule.names.end(),
                                   [&](const std::string& name) { return dashed(name) == word; });
    if (!named) continue;
    if (!rule.flag.empty()) {
      out = rule.flag;
    } else if (equals != std::string::npos) {
      out = argv[i].substr(equals + 1);
    } else if (i + 1 < argv.size()) {
      out = argv[i + 1];
    }
  }
  return out;
}

std::string env_name(const std::string& option) {
  std::string out;
  for (const char c : option.substr(option.find_first_not_of('-'))) {
    out += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return out;
}

void read_launch(const SettingRules& rules, const Evidence& evidence, SettingsBook& book) {
  const auto state = [&](const std::string& key, Form form, const std::string& value,
                         const char* source) {
    book.ask(key, spelt(form, value));
    book.learn(key, spelt(form, value), source);
  };
  for (const OptionRule& rule : rules.options) {
    if (const auto value = option_value(evidence.argv, rule)) {
      state(rule.key, rule.form, *value, "command line");
    }
  }
  for (const OptionRule& rule : rules.options) {
    if (!rules.options_in_env) break;
    for (const std::string& name : rule.names) {
      const auto it = evidence.env.find(env_name(name));
      if (it != evidence.env.end()) state(rule.key, rule.form, it->second, "environment");
    }
  }
  for (const NamedRule& rule : rules.env) {
    const auto it = evidence.env.find(rule.name);
    if (it != evidence.env.end()) state(rule.key, rule.form, it->second, "environment");
  }
  for (const NamedRule& rule : rules.config) {
    const auto it = evidence.config_file.find(rule.name);
    if (it != evidence.config_file.end())
      state(rule.key, rule.form, it->second, "configuration file");
  }
}

// Of the files that every engine was given; GGUF facts are under "general.".
void read_files(const Evidence& evidence, SettingsBook& book) {
  const auto learn = [&](const char* key, const char* fact, Form form, const char* source) {
    const auto it = evidence.files.find(fact);
    if (it != evidence.files.end()) book.learn(key, spelt(form, it->second), source);
  };
  learn("dtype", "model_dtype", Form::kDtype, "config.json");
  learn("quantization", "quantization", Form::kAbsentNone, "config.json");
  learn("weights_hash", "weights_hash", Form::kText,
        evidence.weights_source.empty() ? "model files" : evidence.weights_source.c_str());
  learn("tokenizer_hash", "sha256.tokenizer.json", Form::kText, "tokenizer.json");
  learn("chat_template_hash", "chat_template_hash", Form::kText, "model files");
  learn("converter", "converter", Form::kLimit, "model files");
  learn("model_revision", "model_revision", Form::kText, "folder of the snapshot");
}

void read_spec(const Evidence& evidence, SettingsBook& book) {
  book.ask("model", evidence.model);
  book.ask("dtype", spelt(Form::kDtype, evidence.dtype));
  if (!evidence.quantization.empty()) {
    book.ask("quantization", spelt(Form::kAbsentNone, evidence.quantization));
  }
  if (evidence.image_digest != "unknown") {
    book.learn("image_digest", evidence.image_digest, "docker image inspect");
  }
  book.learn("token_counts", evidence.token_counts, "tokenize route");
}

// Without a type of its own the KV cache has that of the model; quantized weights may bring one.
void derive_kv_cache_dtype(SettingsBook& book) {
  if (book.effective("quantization") == "none") {
    book.learn("kv_cache_dtype", book.effective("dtype"), "as the dtype, where not set");
  }
}

// Where requests leave sampling fields out and the engine takes them from the model.
void read_sampling(const Evidence& evidence, SettingsBook& book) {
  if (book.effective("sampling_defaults") != spelt(Form::kSampling, "auto")) return;
  for (const char* name : {"temperature", "top_p", "top_k", "repetition_penalty"}) {
    const auto it = evidence.generation_config.find(name);
    if (it == evidence.generation_config.end()) continue;
    book.learn(std::string("default_") + name, it->second, "generation_config.json");
  }
}

}  // namespace

std::span<const std::string_view> setting_keys() {
  return kKeys;
}

void SettingsBook::ask(const std::string& key, const std::string& value) {
  if (value.empty()) return;
  Setting& setting = at(key);
  if (setting.requested.empty()) setting.requested = value;
}

void SettingsBook::learn(const std::string& key, const std::string& value,
                         const std::string& source) {
  if (value.empty()) return;
  Setting& setting = at(key);
  if (!setting.effective.empty()) return;
  setting.effective = value;
  setting.source = source;
}

std::string SettingsBook::effective(std::string_view key) const {
  const auto it = std::find_if(settings_.begin(), settings_.end(),
                               [&](const Setting& setting) { return setting.key == key; });
  return it == settings_.end() ? "" : it->effective;
}

Setting& SettingsBook::at(std::string_view key) {
  const auto it = std::find_if(settings_.begin(), settings_.end(),
                               [&](const Setting& setting) { return setting.key == key; });
  if (it != settings_.end()) return *it;
  return settings_.emplace_back(Setting{std::string(key), "", "", ""});
}

std::vector<Setting> SettingsBook::take() {
  std::vector<Setting> out;
  for (const std::string_view key : kKeys) out.push_back(at(key));
  return out;
}

std::vector<Setting> settings_of(const Adapter& adapter, const Evidence& evidence) {
  const SettingRules rules = adapter.setting_rules(evidence);
  SettingsBook book;
  read_spec(evidence, book);
  read_routes(rules, evidence, book);
  read_labels(rules, evidence, book);
  read_log(rules, evidence, book);
  read_launch(rules, evidence, book);
  book.learn("engine_version", evidence.version, adapter.version_route);
  if (rules.more != nullptr) rules.more(evidence, book);
  for (const KnownRule& rule : rules.always) {
    book.learn(rule.key, rule.value, "known of " + adapter.title);
  }
  const bool all_is_known = !evidence.has_config_file || !evidence.config_file.empty();
  if (!evidence.argv.empty() && all_is_known) {
    for (const KnownRule& rule : rules.defaults) {
      book.learn(rule.key, rule.value, "default of " + adapter.title);
    }
  }
  read_files(evidence, book);
  derive_kv_cache_dtype(book);
  read_sampling(evidence, book);
  return book.take();
}

}  // namespace evenbench::engine
