#include "cli/spec_print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include "cli/secret_names.h"
#include "cli/units.h"

namespace evenbench::cli {
namespace {

using YAML::Emitter;

template <typename T>
void put(Emitter& out, const char* key, const T& value) {
  out << YAML::Key << key << YAML::Value << value;
}

void put_number(Emitter& out, const char* key, double value) {
  put(out, key, fmt::format("{:.12g}", value));
}

void put_text(Emitter& out, const char* key, const std::string& value) {
  if (!value.empty()) put(out, key, value);
}

void put_duration(Emitter& out, const char* key, Nanos value) {
  put(out, key, print_duration(value));
}

void put_unless_secret(Emitter& out, const std::string& name, const std::string& value) {
  put(out, name.c_str(), names_secret(name) ? std::string(kHidden) : value);
}

void print_build(Emitter& out, const BuildSpec& build) {
  const auto words = [&](const char* key, const std::vector<std::string>& value) {
    if (!value.empty()) out << YAML::Key << key << YAML::Flow << without_secret_values(value);
  };
  out << YAML::Key << "build" << YAML::BeginMap;
  words("convert", build.convert);
  words("args", build.args);
  put_text(out, "program", build.program);
  put_text(out, "cache", build.cache);
  put_duration(out, "limit", build.limit);
  out << YAML::EndMap;
}

void print_system(Emitter& out, const SystemSpec& system) {
  out << YAML::BeginMap;
  put(out, "name", system.name);
  put(out, "engine", system.engine);
  put_text(out, "profile", system.profile);
  if (!system.launched) {
    out << YAML::Key << "attach" << YAML::Flow << YAML::BeginMap;
    put_text(out, "url", system.attach_url);
    out << YAML::EndMap;
  } else if (!system.docker.empty()) {
    out << YAML::Key << "launch" << YAML::Flow << YAML::BeginMap;
    put(out, "docker", system.docker);
    if (!system.docker_options.empty())
      out << YAML::Key << "options" << YAML::Flow << without_secret_values(system.docker_options);
    out << YAML::EndMap;
  } else if (!system.native.empty()) {
    out << YAML::Key << "launch" << YAML::Flow << YAML::BeginMap;
    put(out, "native", system.native);
    out << YAML::EndMap;
  } else if (system.engine != "sim") {
    out << YAML::Key << "launch" << YAML::Flow << YAML::BeginMap << YAML::EndMap;
  }
  if (system.launched) {
    put(out, "host", system.host);
    put(out, "port", system.port);
  }
  put_text(out, "model_path", system.model_path);
  put_text(out, "model_name", system.model_name);
  put_text(out, "converted_from", system.converted_from);
  put_text(out, "converter", system.converter);
  put_text(out, "key_env", system.key_env);
  if (system.remote) put(out, "remote", *system.remote);
  if (!system.args.empty())
    out << YAML::Key << "args" << YAML::Flow << without_secret_values(system.args);
  if (!system.env.empty()) {
    out << YAML::Key << "env" << YAML::BeginMap;
    for (const auto& [name, value] : system.env) put_unless_secret(out, name, value);
    out << YAML::EndMap;
  }
  if (system.build) print_build(out, *system.build);
  out << YAML::EndMap;
}

void print_length(Emitter& out, const char* key, const workload::LengthSpec& length) {
  using Law = workload::LengthSpec::Law;
  out << YAML::Key << key << YAML::Flow << YAML::BeginMap;
  if (length.law == Law::kFixed) {
    put_number(out, "fixed", length.fixed);
  } else if (length.law == Law::kUniform) {
    out << YAML::Key << "uniform" << YAML::BeginSeq << fmt::format("{}", length.low)
        << fmt::format("{}", length.high) << YAML::EndSeq;
  } else {
    out << YAML::Key << "lognormal" << YAML::BeginMap;
    put_number(out, "median", length.median);
    put_number(out, "sigma", length.sigma);
    put(out, "min", length.min);
    if (length.max < UINT32_MAX) put(out, "max", length.max);
    out << YAML::EndMap;
  }
  out << YAML::EndMap;
}

void print_workload(Emitter& out, const Spec& spec) {
  out << YAML::Key << "workload" << YAML::BeginMap;
  out << YAML::Key << "lengths" << YAML::BeginMap;
  print_length(out, "input", spec.workload.input);
  print_length(out, "output", spec.workload.output);
  out << YAML::EndMap;
  put(out, "unique_prompts", spec.workload.unique_prompts);
  if (!spec.prompts_file.empty()) {
    out << YAML::Key << "prompts" << YAML::Flow << YAML::BeginMap;
    put(out, "file", spec.prompts_file);
    out << YAML::EndMap;
  }
  out << YAML::EndMap;
}

void print_request(Emitter& out, const RequestSpec& request) {
  out << YAML::Key << "request" << YAML::BeginMap;
  put(out, "api", request.api == wire::Api::kChat ? "chat" : "completions");
  put(out, "stream", request.stream);
  if (request.temperature) put_number(out, "temperature", *request.temperature);
  if (request.top_p) put_number(out, "top_p", *request.top_p);
  if (request.seed) put(out, "seed", *request.seed);
  put(out, "ignore_eos", request.ignore_eos);
  put(out, "min_tokens", request.min_tokens);
  put(out, "continuous_usage", request.continuous_usage);
  put(out, "output_field", request.output_field);
  if (!request.droppable.empty()) {
    out << YAML::Key << "allow_dropping" << YAML::Flow << request.droppable;
  }
  if (!request.headers.empty()) {
    out << YAML::Key << "headers" << YAML::BeginMap;
    for (const auto& [name, value] : request.headers) put_unless_secret(out, name, value);
    out << YAML::EndMap;
  }
  out << YAML::EndMap;
}

void print_extent(Emitter& out, const load::StepSpec& step) {
  if (step.warmup.duration) put(out, "warmup", print_duration(*step.warmup.duration));
  if (step.warmup.share) put(out, "warmup", fmt::format("{}%", *step.warmup.share * 100));
  if (step.warmup.count) put(out, "warmup", *step.warmup.count);
  if (step.measure) put_duration(out, "measure", *step.measure);
  if (step.requests) put(out, "requests", *step.requests);
}

void print_think(Emitter& out, const workload::DurationSpec& think) {
  using Law = workload::DurationSpec::Law;
  if (think.law == Law::kFixed) {
    put_duration(out, "think", think.fixed);
    return;
  }
  out << YAML::Key << "think" << YAML::Flow << YAML::BeginMap;
  if (think.law == Law::kUniform) {
    out << YAML::Key << "uniform" << YAML::BeginSeq << print_duration(think.low)
        << print_duration(think.high) << YAML::EndSeq;
  } else {
    put(out, "exponential", print_duration(think.fixed));
  }
  out << YAML::EndMap;
}

// All rungs share everything but the rate, all levels everything but the users: they come from one
// part of the spec.
void print_load(Emitter& out, const Spec& spec) {
  std::vector<std::string> rates;
  std::vector<std::uint32_t> users;
  const load::StepSpec* rung = nullptr;
  const load::StepSpec* level = nullptr;
  for (const load::StepSpec& step : spec.steps) {
    if (step.kind == load::StepKind::kLadder) {
      rates.push_back(fmt::format("{:.12g}", step.rate.per_second()));
      rung = &step;
    } else {
      users.push_back(step.concurrency);
      level = &step;
    }
  }
  out << YAML::Key << "load" << YAML::BeginMap;
  if (rung != nullptr) {
    out << YAML::Key << "ladder" << YAML::BeginMap;
    out << YAML::Key << "rates" << YAML::Flow << rates;
    put(out, "arrivals", arrivals::to_string(rung->arrivals));
    print_extent(out, *rung);
    if (rung->max_in_flight > 0) put(out, "max_in_flight", rung->max_in_flight);
    out << YAML::EndMap;
  }
  if (level != nullptr) {
    out << YAML::Key << "closed" << YAML::BeginMap;
    out << YAML::Key << "concurrency" << YAML::Flow << users;
    if (level->ramp > 0) put(out, "ramp", fmt::format("{}/s", level->ramp));
    print_extent(out, *level);
    print_think(out, level->think);
    out << YAML::EndMap;
  }
  put_duration(out, "settle", spec.settle);
  out << YAML::EndMap;
}

void print_connection(Emitter& out, const Spec& spec) {
  out << YAML::Key << "limits" << YAML::BeginMap;
  put_duration(out, "connect", spec.limits.connect);
  put_duration(out, "total", spec.limits.total);
  put_duration(out, "idle", spec.limits.idle);
  put_duration(out, "first_token", spec.limits.first_token);
  put_duration(out, "start", spec.start_timeout);
  put_duration(out, "stop", spec.stop_grace);
  put_duration(out, "release", spec.release);
  out << YAML::EndMap;
  out << YAML::Key << "tls" << YAML::Flow << YAML::BeginMap;
  put(out, "verify", spec.tls.verify);
  put_text(out, "ca_file", spec.tls.ca_file);
  out << YAML::EndMap;
  if (spec.retries.max > 0) {
    out << YAML::Key << "retries" << YAML::Flow << YAML::BeginMap;
    put(out, "max", spec.retries.max);
    put_duration(out, "wait", spec.retries.wait);
    out << YAML::EndMap;
  }
}

void print_client(Emitter& out, const ClientSpec& client) {
  out << YAML::Key << "client" << YAML::Flow << YAML::BeginMap;
  put(out, "workers", client.workers ? std::to_string(*client.workers) : "auto");
  put(out, "stamp", std::string(name_of(client.stamp)));
  put(out, "realtime", client.realtime);
  if (!client.cpus.empty()) put(out, "cpus", fmt::format("{}", fmt::join(client.cpus, ",")));
  out << YAML::EndMap;
}

void print_model(Emitter& out, const ModelSpec& model) {
  if (model.path.empty() && model.name.empty() && model.dtype.empty() &&
      model.quantization.empty()) {
    return;
  }
  out << YAML::Key << "model" << YAML::BeginMap;
  put_text(out, "path", model.path);
  put_text(out, "name", model.name);
  put_text(out, "dtype", model.dtype);
  put_text(out, "quantization", model.quantization);
  out << YAML::EndMap;
}

void print_credentials(Emitter& out, const CredentialsSpec& credentials) {
  out << YAML::Key << "credentials" << YAML::Flow << YAML::BeginMap;
  put_text(out, "key_env", credentials.key_env);
  put(out, "base_url_env", credentials.base_url_env);
  put_text(out, "env_file", credentials.env_file);
  out << YAML::EndMap;
}

void print_hardware(Emitter& out, const Spec& spec) {
  out << YAML::Key << "hardware" << YAML::Flow << YAML::BeginMap;
  if (!spec.gpus.empty()) out << YAML::Key << "gpus" << YAML::Flow << spec.gpus;
  put_duration(out, "sample_every", spec.sample_gpus_every);
  out << YAML::EndMap;
  put(out, "on_leak", spec.on_leak == OnLeak::kStop ? "stop" : "taint");
}

}  // namespace

std::string print_spec(const Spec& spec) {
  Emitter out;
  out << YAML::BeginMap;
  put(out, "evenbench", 1);
  put(out, "title", spec.title);
  print_model(out, spec.model);
  print_hardware(out, spec);
  print_credentials(out, spec.credentials);
  out << YAML::Key << "systems" << YAML::BeginSeq;
  for (const SystemSpec& system : spec.systems) print_system(out, system);
  out << YAML::EndSeq;
  print_workload(out, spec);
  print_request(out, spec.request);
  print_load(out, spec);
  print_connection(out, spec);
  if (!spec.slo.empty()) out << YAML::Key << "slo" << spec.slo;
  print_client(out, spec.client);
  put(out, "blocks", spec.blocks);
  put(out, "seed", spec.seed);
  put(out, "probe", spec.probe);
  put(out, "agreement", spec.agreement.value_or(spec.systems.size() > 1));
  put(out, "strict", spec.strict);
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

}  // namespace evenbench::cli
