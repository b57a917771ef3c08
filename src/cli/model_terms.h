// What the files of a model say that even terms depend on. Each model is read once for a run: its
// weights may be many gigabytes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/spec.h"
#include "probe/host.h"

namespace evenbench::cli {

struct ModelTerms {
  std::vector<probe::HostFact> facts;        // for the manifest
  std::map<std::string, std::string> files;  // as engine::Evidence has them
  std::string weights_source;
  std::map<std::string, std::string> generation_config;
};

// Of one system. Weights, tokenizer and template of converted files are those of the folder that
// they were made of. Nothing where there are no files here.
ModelTerms read_model_terms(const std::string& model, const std::string& converted_from,
                            const std::string& converter);

// "refs" of a snapshot folder: .../snapshots/<commit>/...; "" = it is none.
std::string revision_in(const std::string& path);

class ModelShelf {
 public:
  const ModelTerms& of(const Spec& spec, const SystemSpec& system);

 private:
  std::map<std::string, ModelTerms> read_;
};

}  // namespace evenbench::cli
