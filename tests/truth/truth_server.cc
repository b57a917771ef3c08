// A server that streams tokens at instants known in advance and writes down when it really did:
// what evenbench measures is held against it.
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "server.h"

namespace {

// SIGTERM and SIGINT as something to read, so that the loop needs no handler.
int stop_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return ::signalfd(-1, &signals, SFD_CLOEXEC);
}

std::int64_t nanos(double value, double unit) {
  return static_cast<std::int64_t>(value * unit);
}

void add_options(CLI::App& app, truth::Options& o) {
  const auto duration = [&app](const char* name, std::int64_t& target, double unit,
                               const char* text) {
    app.add_option_function<double>(
        name, [&target, unit](double value) { target = nanos(value, unit); }, text);
  };
  app.add_option("--port", o.port, "0: the system chooses; printed as \"listening PORT\"");
  duration("--ttft", o.ttft, 1e6, "ms from the request to the first event");
  duration("--interval", o.interval, 1e6, "ms between two events");
  app.add_option("--tokens", o.tokens, "tokens of an answer; 0: as many as are asked for");
  app.add_option("--per-event", o.per_event, "tokens in one event")->check(CLI::PositiveNumber);
  app.add_option("--events-per-send", o.events_per_send,
                 "events in one write, which goes out when its first is due")
      ->check(CLI::PositiveNumber);
  duration("--stall-at", o.stall_at, 1e9, "seconds after the first request");
  duration("--stall-for", o.stall_for, 1e9, "seconds without a read or a write");
  app.add_option("--log", o.log, "file: one JSON object a line for every request");
  app.add_option("--key", o.key, "the bearer key that every route asks for");
  app.add_option("--key-expires-after", o.key_expires_after, "generation requests");
  duration("--max-idle", o.max_idle, 1e9, "seconds after which an idle connection is closed");
  app.add_option("--status", o.status, "status of every generation request");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("truth_server");
  truth::Options options;
  add_options(app, options);
  CLI11_PARSE(app, argc, argv);
  ::prctl(PR_SET_TIMERSLACK, 1UL);

  const int stop = stop_signals();
  truth::Server server(options);
  std::string why;
  const std::uint16_t port = server.listen(&why);
  if (port == 0) {
    std::fprintf(stderr, "truth_server: %s\n", why.c_str());
    return 3;
  }
  std::printf("listening %d\n", static_cast<int>(port));
  std::fflush(stdout);
  server.run(stop);
  std::printf("%s\n", server.report().c_str());
  return 0;
}
