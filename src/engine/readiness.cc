#include "engine/readiness.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "engine/readiness_machine.h"

namespace evenbench::engine {
namespace {

// How often a probe that hangs looks whether it is still wanted.
constexpr Nanos kLookEvery = std::chrono::milliseconds{100};
constexpr Nanos kTellEvery = std::chrono::seconds{10};
constexpr std::size_t kLogLines = 20;

class OneAnswer final : public wire::TransportListener {
 public:
  void on_done(wire::Tag, Exchanged&& exchanged) override { answer = std::move(exchanged); }
  std::optional<Exchanged> answer;
};

class Waiter {
 public:
  Waiter(const ReadinessOptions& options, const Clock& clock)
      : options_(options), clock_(clock), start_(clock.now()), machine_(options, start_) {}

  Result<Ready> run() {
    while (true) {
      look();
      const Ask ask = machine_.next(clock_.now());
      switch (ask.what) {
        case Ask::What::kGet:
          get(ask);
          break;
        case Ask::What::kProbe:
          probe(ask);
          break;
        case Ask::What::kExplain:
          explain(ask);
          break;
        case Ask::What::kPause:
          tell_sometimes();
          std::this_thread::sleep_for(ask.limit);  // lint-ok(real-time): waiting for a start
          machine_.on_paused();
          break;
        case Ask::What::kReady:
          return machine_.take_ready();
        case Ask::What::kGiveUp:
          return machine_.error();
      }
    }
  }

 private:
  // Whether it still makes sense to wait. false: the machine has been told.
  bool look() {
    if (options_.interrupted && options_.interrupted()) {
      machine_.on_interrupted();
      return false;
    }
    const auto ended = options_.child == nullptr ? std::nullopt : options_.child->poll();
    if (!ended) return true;
    machine_.on_engine_ended(*ended, log_tail(options_.log, kLogLines), log_end(options_.log));
    return false;
  }

  void tell_sometimes() {
    const MonoTime now = clock_.now();
    if (!options_.tell || now < next_tell_) return;
    next_tell_ = now + kTellEvery;
    options_.tell(fmt::format("waiting for the engine, {:.0f} s: {}", to_seconds(now - start_),
                              machine_.last_reason()));
  }

  net::FetchOptions fetch_options(Nanos limit) const { return {options_.transport.tls, limit}; }

  void get(const Ask& ask) {
    const auto answer = net::fetch(options_.transport.endpoint, "GET", ask.path, options_.headers,
                                   "", fetch_options(ask.limit), clock_);
    machine_.on_answer(answer, clock_.now());
  }

  void explain(const Ask& ask) {
    const auto answer = net::fetch(options_.transport.endpoint, "POST", ask.path, options_.headers,
                                   machine_.body(), fetch_options(ask.limit), clock_);
    machine_.on_answer(answer, clock_.now());
  }

  // Over the transport that the run will use, so that it is the same path that is proved.
  void probe(const Ask& ask) {
    net::TransportOptions options = options_.transport;
    options.limits = net::Limits{};
    options.limits.connect = std::min(options_.transport.limits.connect, ask.limit);
    options.limits.total = ask.limit;
    options.retries = net::Retries{};
    options.preopen = 0;
    options.expect_stream = options_.shape.stream;
    auto transport = net::make_http_transport(options, clock_);
    if (!transport) return machine_.on_probe(transport.error(), clock_.now());
    const std::string request =
        wire::http_request("POST", options.endpoint, ask.path, options_.headers, machine_.body());
    OneAnswer done;
    (*transport)->send(0, request);
    while (!done.answer) {
      (*transport)->run_until(clock_.now() + kLookEvery, done);
      if (!done.answer && !look()) return;
    }
    machine_.on_probe(std::move(*done.answer), clock_.now());
  }

  const ReadinessOptions& options_;
  const Clock& clock_;
  const MonoTime start_;
  MonoTime next_tell_ = kNever;
  ReadinessMachine machine_;
};

}  // namespace

Result<Ready> wait_until_ready(const ReadinessOptions& options, const Clock& clock) {
  return Waiter(options, clock).run();
}

}  // namespace evenbench::engine
