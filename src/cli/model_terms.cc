#include "cli/model_terms.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/launch.h"
#include "probe/sha256.h"
#include "probe/weights.h"

namespace evenbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Json json_of(const fs::path& file) {
  return Json::parse(text_of(file), nullptr, false);
}

std::string member(const Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name) || object[name].is_null()) return "";
  const Json& value = object[name];
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Newer models keep it in a file of its own.
std::string chat_template_of(const fs::path& folder) {
  const std::string own = text_of(folder / "chat_template.jinja");
  return own.empty() ? member(json_of(folder / "tokenizer_config.json"), "chat_template") : own;
}

// Who quantized them: its own file (ModelOpt), or the configuration's part.
std::string producer_of(const fs::path& folder) {
  const auto named = [](const Json& producer) {
    const std::string name = member(producer, "name");
    const std::string version = member(producer, "version");
    return version.empty() ? name : name + " " + version;
  };
  const Json own = json_of(folder / "hf_quant_config.json");
  if (own.is_object() && own.contains("producer")) return named(own["producer"]);
  const Json config = json_of(folder / "config.json");
  if (!config.is_object()) return "";
  if (!config.contains("quantization_config")) return "none";
  const Json& part = config["quantization_config"];
  if (part.is_object() && part.contains("producer")) return named(part["producer"]);
  return "";
}

std::string gguf_converter(const std::map<std::string, std::string>& facts) {
  for (const char* key : {"general.quantized_by", "general.converted_by"}) {
    const auto it = facts.find(key);
    if (it != facts.end()) return it->second;
  }
  return "";
}

}  // namespace

std::string revision_in(const std::string& path) {
  constexpr std::string_view kSnapshots = "/snapshots/";
  constexpr std::size_t kCommit = 40;
  const std::size_t at = path.find(kSnapshots);
  if (at == std::string::npos) return "";
  const std::string commit = path.substr(at + kSnapshots.size(), kCommit);
  const bool hex = std::all_of(commit.begin(), commit.end(),
                               [](unsigned char c) { return std::isxdigit(c) != 0; });
  return commit.size() == kCommit && hex ? commit : "";
}

ModelTerms read_model_terms(const std::string& model, const std::string& converted_from,
                            const std::string& converter) {
  ModelTerms out;
  std::error_code error;
  if (model.empty() || !fs::exists(model, error)) return out;
  out.facts = probe::model_facts(model);
  for (const auto& fact : out.facts) out.files[fact.key] = fact.value;
  const std::string origin = converted_from.empty() ? model : converted_from;
  const auto put = [&](const char* key, const std::string& value) {
    if (!value.empty()) out.files[key] = value;
  };
  const auto weights = probe::weights_identity(origin);
  put("weights_hash", weights.hash);
  out.weights_source = weights.source;
  if (!converted_from.empty()) {
    out.weights_source += " of what it was converted from, as the spec says";
    put("sha256.tokenizer.json", probe::sha256_of(fs::path(origin) / "tokenizer.json"));
  }
  const std::string chat_template = chat_template_of(origin);
  if (!chat_template.empty()) put("chat_template_hash", probe::sha256_of_text(chat_template));
  const std::string stated =
      fs::is_directory(model, error) ? producer_of(model) : gguf_converter(out.files);
  put("converter", converter.empty() ? stated : converter);
  put("model_revision", revision_in(fs::weakly_canonical(origin, error).string() + "/"));
  const Json drawn = json_of(fs::path(origin) / "generation_config.json");
  for (const char* name : {"temperature", "top_p", "top_k", "repetition_penalty"}) {
    if (const std::string value = member(drawn, name); !value.empty()) {
      out.generation_config[name] = value;
    }
  }
  return out;
}

const ModelTerms& ModelShelf::of(const Spec& spec, const SystemSpec& system) {
  const std::string& path = model_path_of(spec, system);
  const std::string key = path + '\n' + system.converted_from + '\n' + system.converter;
  const auto it = read_.find(key);
  if (it != read_.end()) return it->second;
  return read_.emplace(key, read_model_terms(path, system.converted_from, system.converter))
      .first->second;
}

}  // namespace evenbench::cli
