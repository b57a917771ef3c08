#include "truth/program.h"

#include <fmt/format.h>
#include <sys/signalfd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "truth/server.h"

namespace evenbench::truth {
namespace {

constexpr int kEnvironment = 3;

// SIGTERM and SIGINT as something to read, so that the loop needs no handler.
int stop_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return ::signalfd(-1, &signals, SFD_CLOEXEC);
}

void add_duration(CLI::App& app, const char* name, Nanos& target, double unit_s, const char* text) {
  app.add_option_function<double>(
      name, [&target, unit_s](double value) { target = from_seconds(value * unit_s); }, text);
}

void add_options(CLI::App& app, Options& o) {
  auto* port = app.add_option("--port", o.port, "0: the system chooses; printed as it listens");
  app.add_option("--unix", o.unix_path, "path of a Unix socket to listen on")->excludes(port);
  add_duration(app, "--ttft", o.ttft, 1e-3, "ms from the request to the first event");
  add_duration(app, "--interval", o.interval, 1e-3,
               "ms between two events; 0: flat out, as fast as the client reads");
  app.add_option("--tokens", o.tokens, "tokens of an answer; 0: as many as are asked for");
  app.add_option("--per-event", o.per_event, "tokens in one event")->check(CLI::PositiveNumber);
  app.add_option("--events-per-send", o.events_per_send,
                 "events in one write, which goes out when its first is due")
      ->check(CLI::PositiveNumber);
  add_duration(app, "--stall-at", o.stall_at, 1, "seconds after the first request");
  add_duration(app, "--stall-for", o.stall_for, 1, "seconds without a read or a write");
  add_duration(app, "--spin", o.spin, 1e-6, "us before an instant that are not slept through");
  app.add_option("--log", o.log, "file: one JSON object a line for every request, at the end");
  app.add_option("--key", o.key, "the bearer key that every route asks for");
  app.add_option("--key-expires-after", o.key_expires_after, "generation requests");
  add_duration(app, "--max-idle", o.max_idle, 1,
               "seconds after which an idle connection is closed");
  app.add_option("--status", o.status, "status of every generation request");
}

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());  // lint-ok(printing): a program of its own
  std::fflush(stdout);
}

int refuse(const Error& error) {
  std::fprintf(stderr, "truth_server: %s\n", error.message.c_str());
  return kEnvironment;
}

}  // namespace

int run_program(int argc, char** argv, const Clock& clock) {
  CLI::App app("Streams tokens at known instants and says when it really did.", "truth_server");
  Options options;
  add_options(app, options);
  CLI11_PARSE(app, argc, argv);

  const int stop = stop_signals();
  Server server(options, clock);
  if (auto writable = server.write_log(); !writable) return refuse(writable.error());
  const auto where = server.listen();
  if (!where) return refuse(where.error());
  say("listening " + *where);
  server.run(stop);
  say(server.report());
  const auto written = server.write_log();
  return written ? 0 : refuse(written.error());
}

}  // namespace evenbench::truth
