#include "cli/commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/calibrate.h"
#include "cli/capacity.h"
#include "cli/demo.h"
#include "cli/exit_code.h"
#include "cli/launch.h"
#include "cli/plan_limits.h"
#include "cli/preflight.h"
#include "cli/print.h"
#include "cli/quick.h"
#include "cli/request_shape.h"
#include "cli/run.h"
#include "cli/run_plan.h"
#include "cli/signals.h"
#include "cli/simulate.h"
#include "cli/spec_print.h"
#include "cli/spec_yaml.h"
#include "cli/units.h"
#include "cli/version.h"
#include "probe/limits.h"

namespace evenbench::cli {
namespace {

int refuse(const Error& error) {
  print_err(fmt::format("evenbench: {}\n", error.message));
  return exit_code(error.code, 0);
}

void add_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("--out", options.out, "the run folder to make (default: runs/<time>-<title>)");
  command.add_flag("--json", options.json, "print summary.json on stdout");
  command.add_flag("--quiet", options.quiet, "only warnings and errors on stderr");
  command.add_option("--workers", options.client.workers, "sending threads: a number or auto");
  command.add_option(
      "--stamp", options.client.stamp,
      "which instant counts: user | kernel | auto (kernel where every system has it)");
  command.add_flag("--realtime", options.client.realtime,
                   "sending threads under SCHED_FIFO, where permitted");
  command.add_option("--cpus", options.client.cpus, "CPUs of the sending threads, such as 2-3");
}

void add_quick_load(CLI::App& command, QuickArgs& args) {
  command.add_option("urls", args.urls, "base addresses, such as http://127.0.0.1:8000")
      ->required();
  command.add_option("--rate", args.rates, "open loop: requests per second, one step each")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--concurrency", args.concurrency, "closed loop: users, one step each")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--requests", args.requests, "measure exactly this many requests per step");
  command.add_option("--duration", args.duration_s, "or measure for so many seconds (default 30)");
  command.add_option("--warmup", args.warmup_s, "seconds at the step's load before measuring");
  command.add_option("--arrivals", args.arrivals, "poisson | constant | gamma:K");
  command.add_option("--max-in-flight", args.max_in_flight, "cap for open loop (marks the step)");
  command.add_option("--seed", args.seed, "of the plan, lengths and prompts");
}

void add_quick_request(CLI::App& command, QuickArgs& args) {
  command.add_option("--model", args.model, "model name (default: the only one listed)");
  command.add_option("--api", args.api)->check(CLI::IsMember({"chat", "completions"}));
  command.add_option("--input-tokens", args.input_tokens, "prompt length asked for");
  command.add_option("--output-tokens", args.output_tokens, "answer length asked for; 0 = none");
  command.add_option("--prompts", args.prompts_file, "data set: text lines or JSON Lines");
  command.add_option("--output-field", args.output_field)
      ->check(CLI::IsMember({"max_tokens", "max_completion_tokens"}));
  command.add_flag("--ignore-eos", args.ignore_eos, "ask for exactly the output length");
  command.add_flag("--no-stream", args.no_stream, "whole answers: no TTFT, TPOT or ITL");
  command
      .add_option("--allow-dropping", args.allow_dropping,
                  "optional fields to leave out where a server refuses them")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_quick_connection(CLI::App& command, QuickArgs& args) {
  command.add_option("--key-env", args.key_env, "name of the variable that holds the API key");
  command.add_option("--header", args.headers, "\"Name: value\" sent with every request")
      ->allow_extra_args(false);
  command.add_option("--timeout", args.timeout_s, "seconds for a whole request (default: none)");
  command.add_option("--idle-timeout", args.idle_timeout_s,
                     "seconds without a byte (default: none)");
  auto* ca = command.add_option("--cacert", args.ca_file, "certificate file to trust");
  command.add_flag("--insecure", args.insecure, "do not verify certificates (marks the run)")
      ->excludes(ca);
  command.add_option("--retries", args.retries, "extra attempts after 429 or 503 (counted)");
  command.add_option("--retry-wait", args.retry_wait_s, "seconds before an extra attempt");
  command.add_flag("--no-probe", args.no_probe, "send no request before the load (needs --model)");
}

int check_spec(const std::string& file, bool print, bool ask, const Clock& clock) {
  auto spec = load_spec(file);
  if (!spec) return refuse(spec.error());
  const auto credentials = Credentials::read(*spec);
  if (!credentials) return refuse(credentials.error());
  if (const auto filled = fill_addresses(*spec, *credentials); !filled) {
    return refuse(filled.error());
  }
  const auto plan = plan_run(*spec);
  if (!plan) return refuse(plan.error());
  const auto launches = print_launches(*spec);
  if (!launches) return refuse(launches.error());
  const auto fields = print_fields(*spec);
  if (!fields) return refuse(fields.error());
  const auto limits = print_limits(*spec, *plan);
  if (!limits) return refuse(limits.error());
  std::string text = print_plan(*spec, *plan) + *launches + *fields + *limits;
  const std::vector<int> cpus = probe::allowed_cpus();
  text += print_capacity(capacity_of(*spec, *plan, known_calibration(), cpus));
  // A plan may be checked on another machine than the one it is for.
  if (const auto had = cpus_can_be_had(spec->client, cpus); !had) {
    text += "warning: " + had.error().message + "\n";
  }
  for (const std::string& warning : credentials->warnings()) text += "warning: " + warning + "\n";
  if (ask) {
    const auto passed = preflight(*spec, *credentials, Progress(false), clock, true);
    if (!passed) return refuse(passed.error());
  }
  if (print) text += "\nresolved spec:\n" + print_spec(*spec);
  if (print_out(text)) return kExitOk;
  return refuse(environment_error("stdout could not be written"));
}

int run_text(Result<Spec> spec, const RunOptions& options, const Clock& clock) {
  if (!spec) return refuse(spec.error());
  if (auto applied = apply(options.client, spec->client); !applied) return refuse(applied.error());
  return run_spec(*spec, options, clock);
}

// 0 when the first word is a command or a flag.
int refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return 0;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
    if (names.back() == argv[1]) return 0;
  }
  const auto meant = nearest(argv[1], names);
  return refuse(usage_error(fmt::format("unknown command '{}'{}; the commands are {}", argv[1],
                                        meant ? fmt::format("; did you mean '{}'?", *meant) : "",
                                        fmt::join(names, ", "))));
}

}  // namespace

int run_command_line(int argc, char** argv) {
  install_signals();
  const SystemClock clock;
  CLI::App app("Compares LLM inference engines on even terms.", "evenbench");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string(kVersion));
  int code = kExitOk;
  RunOptions options;
  std::string spec_file;
  std::string run_folder;
  QuickArgs quick;
  SimulateArgs sim_args;
  CalibrateArgs calibrate_args;
  bool json = false;

  auto* run = app.add_subcommand("run", "run the comparison of a spec");
  run->add_option("spec", spec_file, "spec file (YAML)")->required();
  add_run_options(*run, options);
  run->callback([&] { code = run_text(load_spec(spec_file), options, clock); });

  auto* check = app.add_subcommand("check", "print the plan of a spec; sends no load");
  check->add_option("spec", spec_file, "spec file (YAML)")->required();
  bool ask = false;
  check->add_flag("--preflight", ask, "ask every attached system for its models and one token");
  check->callback([&] { code = check_spec(spec_file, true, ask, clock); });

  auto* quick_command = app.add_subcommand("quick", "measure running servers, no spec needed");
  add_quick_load(*quick_command, quick);
  add_quick_request(*quick_command, quick);
  add_quick_connection(*quick_command, quick);
  add_run_options(*quick_command, options);
  quick_command->callback([&] { code = run_text(quick_spec(quick), options, clock); });

  auto* demo = app.add_subcommand("demo", "compare three simulated engines; no GPU needed");
  add_run_options(*demo, options);
  demo->callback([&] {
    options.demo = true;
    code = run_text(parse_spec(demo_spec(), "demo"), options, clock);
  });

  auto* simulate_command = app.add_subcommand("simulate", "serve a simulated engine");
  add_simulate_options(*simulate_command, sim_args);
  simulate_command->callback([&] { code = simulate(sim_args, clock); });

  auto* calibrate_command =
      app.add_subcommand("calibrate", "find what the client can do on this machine");
  calibrate_command->add_flag("--quick", calibrate_args.quick, "roughly, in at most 15 s");
  calibrate_command->add_flag("--json", calibrate_args.json, "print the stored file on stdout");
  calibrate_command->add_option("--workers", calibrate_args.workers,
                                "sending threads: a number or auto (one less than CPUs)");
  calibrate_command->add_option("--duration", calibrate_args.duration_s,
                                "seconds for all of it (default 60)");
  calibrate_command->callback([&] { code = run_calibrate(calibrate_args, clock); });

  auto* report = app.add_subcommand("report", "make the report of a stored run again");
  report->add_option("run", run_folder, "run folder or run.sqlite")->required();
  report->add_flag("--json", json, "print summary.json on stdout");
  report->callback([&] { code = report_run(run_folder, json); });

  if (const int refused = refuse_unknown_command(app, argc, argv); refused != 0) return refused;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int parsed = app.exit(e);
    return parsed == 0 ? kExitOk : kExitUsage;
  }
  return code;
}

}  // namespace evenbench::cli
