// A comparison as the user asks for it, after parsing and with every default filled in.
// docs/spec.md is the prose; spec_yaml.h reads it, spec_print.h writes it back. Knows nothing of
// files or argv.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arrivals/arrivals.h"
#include "base/stamp.h"
#include "base/time.h"
#include "load/plan.h"
#include "net/http_transport.h"
#include "wire/request.h"
#include "workload/workload.h"

namespace evenbench::cli {

struct ModelSpec {
  std::string path;  // folder or file of the weights
  std::string name;  // the name in requests; "" = what the server lists
  std::string dtype;
  std::string quantization;
};

// An engine is built of the checkpoint before the launch (engine/engine_build.h).
struct BuildSpec {
  std::vector<std::string> convert;
  std::vector<std::string> args;
  std::string program;  // "" = the engine's usual one
  std::string cache;    // folder of built engines; "" = this user's
  Nanos limit = std::chrono::hours{2};
};

struct SystemSpec {
  std::string name;
  std::string engine;             // an adapter's name
  std::string attach_url;         // set when attached
  bool address_from_env = false;  // attached: attach_url is that of credentials.base_url_env
  std::optional<bool> remote;     // attached: stated; nullopt = told by the address
  std::string native;             // program of a native launch; "" = the engine's usual one
  std::string docker;             // image of a launch in a container; "" = native
  std::vector<std::string> docker_options;  // further ones of `docker run`
  std::string profile;                      // engine sim: which simulated engine
  bool launched = false;
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::string model_path;      // "" = model.path
  std::string model_name;      // "" = model.name
  std::string converted_from;  // folder that the weights were made of; "" = they are the original
  std::string converter;       // tool and version that made them
  std::string key_env;         // "" = credentials.key_env
  std::vector<std::string> args;
  std::map<std::string, std::string> env;
  std::optional<BuildSpec> build;
};

// What follows when an engine has left something behind that the next one would meet.
enum class OnLeak : std::uint8_t { kTaint, kStop };

struct CredentialsSpec {
  std::string key_env;  // variable that holds the key; "" = the usual one, of remote systems
  std::string base_url_env = "TAOTOKEN_BASE_URL";  // of systems that state no address
  std::string env_file;  // "" = .env of the working directory, if it is there
};

// How this program itself runs while it sends.
struct ClientSpec {
  std::optional<std::uint32_t> workers = 1;  // nullopt = auto: from this machine's calibration
  StampChoice stamp = StampChoice::kAuto;
  bool realtime = false;  // workers under SCHED_FIFO, where permitted
  std::vector<int> cpus;  // worker i runs on cpus[i % size] alone; empty: wherever
};

// What every request carries, for all systems alike.
struct RequestSpec {
  wire::Api api = wire::Api::kChat;
  bool stream = true;
  std::optional<double> temperature;  // nullopt: not sent, the server's default applies
  std::optional<double> top_p;
  std::optional<std::int64_t> seed;
  bool ignore_eos = false;
  bool min_tokens = false;
  bool continuous_usage = false;
  std::string output_field = "max_tokens";
  std::vector<std::string>
      droppable;  // optional fields that may be left out where a server refuses them
  std::vector<std::pair<std::string, std::string>> headers;
};

struct Spec {
  std::string title = "evenbench run";
  ModelSpec model;
  CredentialsSpec credentials;
  std::vector<int> gpus;  // of launched systems, numbers as of nvidia-smi; empty: all
  Nanos sample_gpus_every = std::chrono::milliseconds{100};
  OnLeak on_leak = OnLeak::kTaint;
  std::vector<SystemSpec> systems;
  workload::WorkloadSpec workload;
  std::string prompts_file;  // "" = generated prompts; absolute once it has been read
  std::vector<std::string> prompts_skipped;  // rows of it that could not be used, and why
  RequestSpec request;
  std::vector<load::StepSpec> steps;  // in spec order: ladder rungs, then closed levels
  net::Limits limits;
  net::Tls tls;
  net::Retries retries;
  std::map<std::string, std::string> slo;  // recorded, as written
  std::uint32_t blocks = 1;
  std::uint64_t seed = 42;
  ClientSpec client;
  Nanos start_timeout = std::chrono::minutes{10};
  Nanos settle{0};  // rest between two steps
  Nanos stop_grace = std::chrono::seconds{20};
  Nanos release = std::chrono::seconds{30};  // for port, processes and GPU memory after a stop
  bool probe = true;                         // one real request before the load
  std::optional<bool> agreement;  // the fixed prompts; nullopt: where systems are compared
  bool strict = false;            // a run of systems that are not comparable is refused
};

}  // namespace evenbench::cli
