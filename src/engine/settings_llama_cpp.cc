// Where llama.cpp says what is in force: /props. Weights, tokenizer and template are one file.
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

using enum Form;

std::vector<RouteRule> said() {
  const auto of = [](const char* pointer, const char* key, Form form = kText) {
    return RouteRule{"/props", pointer, key, form};
  };
  const std::string drawn = "/default_generation_settings/params/";
  return {of("/model_path", "model"),
          of("/default_generation_settings/n_ctx", "max_model_len"),
          of("/total_slots", "max_running"),
          of((drawn + "speculative.types").c_str(), "speculative", kAbsentOff),
          of((drawn + "temperature").c_str(), "default_temperature"),
          of((drawn + "top_p").c_str(), "default_top_p"),
          of((drawn + "top_k").c_str(), "default_top_k"),
          of((drawn + "repeat_penalty").c_str(), "default_repetition_penalty")};
}

// A file of plain numbers is not quantized; any other has no type but its quantization.
void learn_type(SettingsBook& book, const std::string& type, const char* source) {
  if (type.empty()) return;
  const std::string plain = spelt(kDtype, type);
  book.learn("dtype", plain, source);
  const bool is_plain = plain == "float16" || plain == "bfloat16" || plain == "float32";
  book.learn("quantization", is_plain ? "none" : plain, source);
}

std::uint64_t number_at(const nlohmann::json& props, const char* pointer) {
  const nlohmann::json::json_pointer where(pointer);
  if (!props.contains(where) || !props.at(where).is_number_unsigned()) return 0;
  return props.at(where).get<std::uint64_t>();
}

// Every slot has its own part of the cache.
void learn_cache(const nlohmann::json& props, SettingsBook& book) {
  const std::uint64_t tokens =
      number_at(props, "/default_generation_settings/n_ctx") * number_at(props, "/total_slots");
  if (tokens > 0) book.learn("kv_cache_tokens", std::to_string(tokens), "/props");
}

void more(const Evidence& evidence, SettingsBook& book) {
  const auto it = evidence.bodies.find("/props");
  if (it != evidence.bodies.end()) {
    learn_type(book, text_member(it->second, "model_ftype"), "/props");
    learn_cache(nlohmann::json::parse(it->second, nullptr, false), book);
  }
  const auto type = evidence.files.find("general.file_type");
  if (type != evidence.files.end()) learn_type(book, type->second, "GGUF header");
}

}  // namespace

SettingRules llama_cpp_setting_rules(const Evidence&) {
  SettingRules rules;
  rules.routes = {"/props"};
  rules.tokenize = {"/tokenize", "content", "\"add_special\":true"};
  rules.said = said();
  rules.options = {{{"-ctk", "--cache-type-k"}, "kv_cache_dtype", kDtype},
                   {{"--no-cache-prompt"}, "prefix_cache", kSwitch, "off"},
                   {{"-np", "--parallel"}, "max_running", kText},
                   {{"-b", "--batch-size"}, "prefill_budget", kText},
                   {{"--context-shift"}, "truncation", kText, "cuts"}};
  rules.defaults = {
      {"kv_cache_dtype", "float16"}, {"prefix_cache", "on"}, {"truncation", "refuses"}};
  rules.always = {{"max_queued", "none"},
                  {"ignore_eos", "honoured"},
                  {"sampling_defaults", "engine"},
                  {"tensor_parallel", "1"},
                  {"memory_setting", "as much as -c and -np ask for"}};
  rules.more = more;
  return rules;
}

}  // namespace evenbench::engine
