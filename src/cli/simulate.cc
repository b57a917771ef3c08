#include "cli/simulate.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "cli/exit_code.h"
#include "cli/print.h"
#include "cli/signals.h"

namespace evenbench::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  evenbench simulate --profile tgi --port 8002
  evenbench simulate --profile vllm --dtype float16 --dev-mode      (shown on /server_info)
  evenbench simulate --profile trtllm --quantization fp8            (shown on /prometheus/metrics)
  evenbench simulate --profile sglang --prefix-caching off          (shown on /server_info)
  evenbench simulate --answers other                                (other weights: other greedy texts)
  KEY=secret evenbench simulate --api-key-env KEY --key-after 50    (a key that expires)
  evenbench simulate --path-prefix /gateway/v1 --quota-after 20     (a gateway whose quota ends)
)";

void add_server(CLI::App& command, SimulateArgs& args) {
  command.add_option("--profile", args.profile, "vllm | trtllm | tgi | sglang");
  command.add_option("--host", args.server.host);
  command.add_option("--port", args.server.port, "0 = the system chooses");
  command.add_option("--seed", args.server.seed);
  command.add_option("--model", args.server.model);
  command.add_option("--speed", args.server.speed, "divides every modelled duration");
  command.add_option("--start-delay", args.start_delay_s, "seconds until it is ready");
}

void add_engine_settings(CLI::App& command, SimulateArgs& args) {
  sim::Settings& s = args.server.settings;
  const char* group = "Settings, shown where the real engine shows them";
  const auto on_off = CLI::IsMember({"on", "off"});
  command.add_option("--dtype", s.dtype, "such as bfloat16, float16")->group(group);
  command.add_option("--quantization", s.quantization, "such as awq, fp8")->group(group);
  command.add_option("--kv-cache-dtype", s.kv_cache_dtype, "such as fp8")->group(group);
  command.add_option("--max-model-len", s.max_model_len, "longest context in tokens (8192)")
      ->group(group);
  command.add_option("--max-num-seqs", s.max_num_seqs, "sequences in a batch")->group(group);
  command.add_option("--prefix-caching", args.prefix_caching, "on | off; shown, not modelled")
      ->check(on_off)
      ->group(group);
  command.add_option("--chunked-prefill", args.chunked_prefill, "on | off")
      ->check(on_off)
      ->group(group);
  command
      .add_option("--speculative", s.speculative,
                  "method of speculative decoding, such as ngram: 3 tokens in an event")
      ->group(group);
  command.add_option("--stream-interval", s.stream_interval, "tokens in an event")->group(group);
  command
      .add_option("--sampling-defaults", args.sampling_defaults,
                  "of what a request leaves out: model | engine")
      ->check(CLI::IsMember({"model", "engine"}))
      ->group(group);
  command.add_flag("--dev-mode", s.dev_mode, "vLLM: opens /server_info and /reset_prefix_cache")
      ->group(group);
}

void add_answers(CLI::App& command, SimulateArgs& args) {
  sim::Settings& s = args.server.settings;
  const char* group = "Answers";
  command
      .add_option("--answers", s.answers,
                  "the weights, as any word: another word gives other greedy texts")
      ->group(group);
  command
      .add_option("--tokens-per-word", s.tokens_per_word,
                  "of the tokenizer: prompts and /tokenize count otherwise (1)")
      ->group(group);
  command
      .add_option("--natural-end", s.natural_end,
                  "tokens after which a text ends by itself, unless ignore_eos holds")
      ->group(group);
  command.add_flag("--truncate", s.truncate, "cut prompts that are too long without a word")
      ->group(group);
  command.add_flag("--gibberish", s.gibberish, "texts without a word in them")->group(group);
  command.add_flag("--empty-answers", s.empty_answers, "every answer ends with its first token")
      ->group(group);
}

void add_gate(CLI::App& command, SimulateArgs& args) {
  sim::Settings& s = args.server.settings;
  const char* group = "Keys and limits";
  auto* key = command
                  .add_option("--api-key-env", args.key_env,
                              "name of the variable with the key that is asked for")
                  ->group(group);
  command.add_option("--key-after", s.key_after, "generations after which the key has expired")
      ->needs(key)
      ->group(group);
  command
      .add_option("--quota-after", s.quota_after, "generations after which the quota is used up")
      ->group(group);
  command.add_option("--quota-status", s.quota_status, "429 (OpenAI) or 403 (new-api)")
      ->check(CLI::IsMember({429, 403}))
      ->group(group);
  command
      .add_option("--throttle-rate", s.throttle_rate,
                  "generations per second; more get 429 with Retry-After")
      ->group(group);
  command.add_option("--path-prefix", s.path_prefix, "such as /gateway/v1, instead of /v1")
      ->group(group);
}

std::optional<bool> switched(const std::string& word) {
  if (word.empty()) return std::nullopt;
  return word == "on";
}

Result<sim::ServerOptions> options_of(const SimulateArgs& args) {
  sim::ServerOptions options = args.server;
  const auto profile = sim::profile_named(args.profile);
  if (!profile) return Error{ErrorCode::kUsage, profile.error().message};
  options.profile = *profile;
  options.start_delay = from_seconds(args.start_delay_s);
  options.settings.prefix_caching = switched(args.prefix_caching);
  options.settings.chunked_prefill = switched(args.chunked_prefill);
  options.settings.engine_sampling = args.sampling_defaults == "engine";
  if (!args.key_env.empty()) {
    const char* key =
        std::getenv(args.key_env.c_str());  // lint-ok(environment): keys come this way
    if (key == nullptr || *key == '\0') {
      return usage_error(
          fmt::format("--api-key-env: {} is not set; set it to the key that "
                      "clients must send",
                      args.key_env));
    }
    options.settings.key = key;
  }
  return options;
}

int refuse(const Error& error) {
  print_err(fmt::format("evenbench: {}\n", error.message));
  return exit_code(error.code, 0);
}

}  // namespace

void add_simulate_options(CLI::App& command, SimulateArgs& args) {
  add_server(command, args);
  add_engine_settings(command, args);
  add_answers(command, args);
  add_gate(command, args);
  command.footer(kExamples);
}

int simulate(const SimulateArgs& args, const Clock& clock) {
  const auto options = options_of(args);
  if (!options) return refuse(options.error());
  std::atomic<bool> stop{false};
  std::atomic<bool> over{false};
  std::thread watcher([&] {  // lint-ok(thread): signals become the server's stop flag
    while (!over && interrupts() == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds{20});  // lint-ok(real-time): polling
    }
    stop = true;
  });
  const auto served = sim::serve(*options, clock, stop, [&](std::uint16_t port) {
    const auto log = sim::start_log(*options, port, clock.wall());
    if (log) print_err(fmt::format("{}\n", fmt::join(*log, "\n")));
    print_out(
        fmt::format("simulated {} listening on http://{}:{}\n", args.profile, options->host, port));
  });
  over = true;
  watcher.join();
  return served ? kExitOk : refuse(served.error());
}

}  // namespace evenbench::cli
