#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "probe/gguf.h"
#include "probe/host.h"
#include "probe/sha256.h"

namespace evenbench::probe {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Larger files take too long to hash while an engine waits to be measured.
constexpr std::uintmax_t kLargestHashed = std::uintmax_t{4} << 30;

std::string shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "";
  if (value.is_array()) {
    std::string out;
    for (const Json& item : value) out += (out.empty() ? "" : ", ") + shown(item);
    return out;
  }
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class ModelFacts {
 public:
  void add(const std::string& key, const std::string& value, const std::string& source) {
    if (!value.empty()) all.push_back({key, value, source});
  }
  void add_hash(const fs::path& file) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error || size >= kLargestHashed) return;
    const std::string name = file.filename().string();
    add("sha256." + name, sha256_of(file), name);
  }

  std::vector<HostFact> all;
};

void add_config(ModelFacts& facts, const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const Json config = Json::parse(in, nullptr, false);
  if (!config.is_object()) return;
  const auto get = [&](const char* name) {
    return config.contains(name) ? shown(config[name]) : std::string();
  };
  facts.add("architectures", get("architectures"), "config.json");
  // Newer files say dtype, older ones torch_dtype.
  facts.add("model_dtype", config.contains("dtype") ? get("dtype") : get("torch_dtype"),
            "config.json");
  facts.add("max_position_embeddings", get("max_position_embeddings"), "config.json");
  facts.add("num_hidden_layers", get("num_hidden_layers"), "config.json");
  facts.add("vocab_size", get("vocab_size"), "config.json");
  const bool quantized =
      config.contains("quantization_config") && config["quantization_config"].is_object();
  const Json& settings = quantized ? config["quantization_config"] : config;
  const std::string method =
      settings.contains("quant_method") ? shown(settings["quant_method"]) : "stated, but not how";
  facts.add("quantization", quantized ? method : "none", "config.json");
  if (quantized && settings.contains("bits"))
    facts.add("quantization_bits", shown(settings["bits"]), "config.json");
}

// How many bytes of weights there are, and what they are: the index, or the one file there is.
void add_weights(ModelFacts& facts, const fs::path& folder) {
  std::uintmax_t bytes = 0;
  int files = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() != ".safetensors") continue;
    std::error_code no_size;
    const auto size = fs::file_size(it->path(), no_size);
    if (no_size) continue;
    bytes += size;
    ++files;
  }
  if (files > 0)
    facts.add("weights", fmt::format("{} bytes in {} file(s)", bytes, files), "*.safetensors");
  const fs::path index = folder / "model.safetensors.index.json";
  facts.add_hash(fs::exists(index, error) ? index : folder / "model.safetensors");
}

void add_gguf(ModelFacts& facts, const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  for (const auto& [key, value] : gguf_facts(in)) facts.add(key, value, "GGUF header");
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (!error) facts.add("weights", fmt::format("{} bytes in 1 file(s)", size), "file size");
  facts.add_hash(file);
}

}  // namespace

std::vector<HostFact> model_facts(const std::string& path) {
  ModelFacts facts;
  std::error_code error;
  const fs::path place(path);
  if (path.empty() || !fs::exists(place, error)) return {};
  facts.add("model_path", path, "spec");
  if (fs::is_directory(place, error)) {
    add_config(facts, place / "config.json");
    for (const char* name : {"config.json", "tokenizer.json"}) facts.add_hash(place / name);
    add_weights(facts, place);
  } else {
    add_gguf(facts, place);
  }
  return facts.all;
}

}  // namespace evenbench::probe
