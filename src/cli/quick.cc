#include "cli/quick.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/env_file.h"
#include "workload/dataset.h"

namespace evenbench::cli {
namespace {

// "127.0.0.1:8000", made unique by a number when the same server stands twice on the command line.
std::string system_name(const wire::Endpoint& endpoint, std::set<std::string>& taken) {
  const std::string address =
      endpoint.unix_socket.empty() ? endpoint.authority() : "unix:" + endpoint.unix_socket;
  std::string name = address;
  for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{} ({})", address, i);
  return name;
}

Result<void> add_systems(const QuickArgs& args, Spec& spec) {
  if (args.urls.empty()) return usage_error("give at least one URL, such as http://127.0.0.1:8000");
  std::set<std::string> taken;
  for (const std::string& url : args.urls) {
    const auto endpoint = wire::parse_endpoint(url);
    if (!endpoint) return endpoint.error();
    SystemSpec system;
    system.name = system_name(*endpoint, taken);
    system.engine = "openai";
    system.attach_url = url;
    spec.systems.push_back(system);
  }
  return {};
}

Result<void> add_request(const QuickArgs& args, Spec& spec) {
  RequestSpec& request = spec.request;
  request.api = args.api == "completions" ? wire::Api::kCompletions : wire::Api::kChat;
  request.stream = !args.no_stream;
  request.ignore_eos = args.ignore_eos;
  request.output_field = args.output_field;
  request.droppable = args.allow_dropping;
  for (const std::string& header : args.headers) {
    const std::size_t colon = header.find(':');
    if (colon == std::string::npos) return usage_error("--header must be \"Name: value\"");
    const std::size_t begin = std::min(header.find_first_not_of(' ', colon + 1), header.size());
    const std::string name = header.substr(0, colon);
    const std::string value = header.substr(begin);
    if (const auto bad = wire::header_trouble(name, value)) {
      return usage_error(fmt::format("--header must be \"Name: value\": {}", *bad));
    }
    request.headers.emplace_back(name, value);
  }
  return {};
}

Result<void> add_workload(const QuickArgs& args, Spec& spec) {
  spec.workload.input.fixed = args.input_tokens;
  spec.workload.output.fixed = args.output_tokens;
  if (args.prompts_file.empty()) return {};
  auto data = workload::load_dataset(args.prompts_file);
  if (!data) return data.error().in("--prompts");
  spec.prompts_file = std::filesystem::absolute(args.prompts_file).lexically_normal().string();
  spec.workload.prompts = std::move(data->prompts);
  spec.prompts_skipped = std::move(data->skipped);
  return {};
}

Result<load::StepSpec> extent(const QuickArgs& args) {
  if (args.requests && args.duration_s) {
    return usage_error("--requests and --duration exclude each other");
  }
  load::StepSpec step;
  if (args.warmup_s > 0) step.warmup.duration = from_seconds(args.warmup_s);
  if (args.requests) {
    step.requests = args.requests;
  } else {
    step.measure = from_seconds(args.duration_s.value_or(30.0));
  }
  return step;
}

Result<void> add_steps(const QuickArgs& args, Spec& spec) {
  auto base = extent(args);
  if (!base) return base.error();
  const auto process = arrivals::parse_process(args.arrivals);
  if (!process) return process.error().in("--arrivals");
  load::StepSpec rung = *base;
  rung.kind = load::StepKind::kLadder;
  rung.arrivals = *process;
  rung.max_in_flight = args.max_in_flight;
  std::vector<double> rates = args.rates;
  if (rates.empty() && args.concurrency.empty()) rates.push_back(1.0);
  for (const double rate : rates) {
    rung.rate = Rate::per_second(rate);
    spec.steps.push_back(rung);
  }
  load::StepSpec level = *base;
  level.kind = load::StepKind::kClosed;
  for (const std::uint32_t users : args.concurrency) {
    level.concurrency = users;
    spec.steps.push_back(level);
  }
  return {};
}

// The same bounds that a spec has; written so that what is no number is refused too.
Result<void> check_numbers(const QuickArgs& args) {
  struct Bound {
    const char* flag;
    double value, least, most;
  };
  std::vector<Bound> bounds = {
      {"--duration", args.duration_s.value_or(30), 1e-3, 1e6},
      {"--requests", static_cast<double>(args.requests.value_or(1)), 1, 1e8},
      {"--warmup", args.warmup_s, 0, 1e6},
      {"--timeout", args.timeout_s, 0, 1e6},
      {"--idle-timeout", args.idle_timeout_s, 0, 1e6},
      {"--retry-wait", args.retry_wait_s, 0, 1e6},
      {"--retries", static_cast<double>(args.retries), 0, 100},
      {"--input-tokens", static_cast<double>(args.input_tokens), 1, 1e7},
      {"--output-tokens", static_cast<double>(args.output_tokens), 0, 1e7},
      {"--seed", static_cast<double>(args.seed), 0, 9007199254740992.0},
  };
  for (const double rate : args.rates) bounds.push_back({"--rate", rate, 1e-6, 1e6});
  for (const std::uint32_t users : args.concurrency) {
    bounds.push_back({"--concurrency", static_cast<double>(users), 1, 1e6});
  }
  for (const Bound& bound : bounds) {
    if (bound.value >= bound.least && bound.value <= bound.most) continue;
    return usage_error(fmt::format("{} must be from {:g} to {:g}, not {:g}", bound.flag,
                                   bound.least, bound.most, bound.value));
  }
  return {};
}

}  // namespace

Result<Spec> quick_spec(const QuickArgs& args) {
  if (args.no_probe && args.model.empty()) {
    return usage_error("--no-probe needs --model: without a probe the server's list is not read");
  }
  if (!args.key_env.empty() && !is_variable_name(args.key_env)) {
    return usage_error("--key-env must be the name of an environment variable, never a key itself");
  }
  if (auto checked = check_numbers(args); !checked) return checked.error();
  Spec spec;
  spec.title = "quick";
  spec.model.name = args.model;
  spec.credentials.key_env = args.key_env;
  for (const auto& part : {add_systems, add_request, add_workload, add_steps}) {
    if (auto done = part(args, spec); !done) return done.error();
  }
  spec.limits.total = from_seconds(args.timeout_s);
  spec.limits.idle = from_seconds(args.idle_timeout_s);
  spec.tls.verify = !args.insecure;
  spec.tls.ca_file = args.ca_file;
  spec.retries.max = args.retries;
  spec.retries.wait = from_seconds(args.retry_wait_s);
  spec.seed = args.seed;
  spec.probe = !args.no_probe;
  return spec;
}

}  // namespace evenbench::cli
