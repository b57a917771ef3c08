#include "cli/step_monitor.h"

#include <fmt/format.h>

#include "cli/signals.h"

namespace evenbench::cli {
namespace {

constexpr auto kWatchEvery = std::chrono::milliseconds{50};
constexpr auto kLineEvery = std::chrono::seconds{5};

}  // namespace

StepMonitor::StepMonitor(Watched watched)
    : watched_(std::move(watched)),
      begin_(watched_.clock->now()),
      next_line_(begin_ + kLineEvery),
      thread_([this] { watch(); }) {}

StepMonitor::~StepMonitor() {
  stop();
}

void StepMonitor::stop() {
  done_ = true;
  if (thread_.joinable()) thread_.join();
}

void StepMonitor::watch() {
  while (!done_) {
    check_signals();
    check_engine();
    check_disk();
    show(watched_.clock->now());
    std::this_thread::sleep_for(kWatchEvery);  // lint-ok(real-time): a watcher beside the load
  }
}

void StepMonitor::check_signals() {
  const int count = interrupts();
  if (count >= 2) {
    watched_.control->stop = load::StepControl::kCutNow;
  } else if (count == 1 && watched_.control->stop == load::StepControl::kRun) {
    watched_.control->stop = load::StepControl::kFinishOpen;
    watched_.progress->warning(fmt::format(
        "interrupted: no new requests; open ones get {:.0f} s (interrupt again to cut them)",
        to_seconds(watched_.control->grace)));
  }
}

void StepMonitor::check_engine() {
  if (watched_.child == nullptr || ended_) return;
  ended_ = watched_.child->poll();
  // What is still open will break by itself; nothing new must be sent to a dead engine.
  if (ended_) watched_.control->stop = load::StepControl::kFinishOpen;
}

void StepMonitor::check_disk() {
  if (watched_.writer->failure()) watched_.control->stop = load::StepControl::kCutNow;
}

void StepMonitor::show(MonoTime now) {
  if (now < next_line_) return;
  next_line_ = now + kLineEvery;
  const load::StepControl& c = *watched_.control;
  watched_.progress->line(fmt::format("  {}: {:.0f} s, sent {}, good {}, failed {}, in flight {}",
                                      watched_.what, to_seconds(now - begin_), c.sent.load(),
                                      c.good.load(), c.failed.load(), c.in_flight.load()));
}

}  // namespace evenbench::cli
