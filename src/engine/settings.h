// The settings of a running engine on which even terms depend, each with what was asked for, what
// is in force and how that was learnt. Pure: what was learnt of the engine is handed in as
// Evidence; knows no socket and no run.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evenbench::engine {

struct Adapter;

struct Setting {
  std::string key;
  std::string requested;  // by the spec or the command line; "" = not stated
  std::string effective;  // in force, spelt alike for all engines; "" = unknown
  std::string source;     // how `effective` was learnt: "/info", "log", "default of vLLM" ...
};

// The keys of docs/even-terms.md that are an engine's, in their order. Every visit has all of them.
std::span<const std::string_view> setting_keys();

// What was learnt of one running engine. Everything may be missing.
struct Evidence {
  std::map<std::string, std::string> bodies;  // answers with status 200, by the adapter's route
  std::string log;
  std::vector<std::string> argv;           // as launched; empty: attached
  std::map<std::string, std::string> env;  // set for it by the spec
  // Of the file that its command line names as its configuration, by dotted path.
  std::map<std::string, std::string> config_file;
  bool has_config_file = false;  // named, whether or not it could be read

  std::string model, dtype, quantization;  // as the spec asks
  std::string version;                     // as its version route says
  std::string image_digest;
  std::string token_counts;                  // of the probe texts by its own tokenizer: "5,12,31"
  std::map<std::string, std::string> files;  // facts of the model's files, by key
  std::string weights_source;                // how its weights_hash was made
  std::map<std::string, std::string> generation_config;  // the model's own, by key
};

// In order of trust: the engine's own statement by a route, its log, its command line and
// environment, its documented default (only where the command line is known), else unknown.
std::vector<Setting> settings_of(const Adapter& adapter, const Evidence& evidence);

}  // namespace evenbench::engine
