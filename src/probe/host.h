// What is known of this machine: for the manifest.
#pragma once

#include <string>
#include <vector>

namespace evenbench::probe {

struct HostFact {
  std::string key, value, source;
};
// CPU model, cores, memory, kernel, OS, clock source, governor, cgroup CPU limit, open-file limit.
// Facts that cannot be read are absent.
std::vector<HostFact> host_facts();

// Facts of a model folder or file: path, architectures, dtype, quantization from config.json,
// SHA-256 of config.json, tokenizer.json and (files under 4 GiB) of a GGUF or the safetensors
// index. Reads only.
std::vector<HostFact> model_facts(const std::string& path);

}  // namespace evenbench::probe
