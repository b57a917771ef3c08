#include "load/runner.h"

#include <algorithm>

namespace evenbench::load {
namespace {

// How soon a worker notices that it was told to stop, or that another worker ended the cohort.
constexpr Nanos kAttention = std::chrono::milliseconds{20};

}  // namespace

void run_worker(Runner& runner, wire::Transport& transport, MonoTime now, LoopWatch& watch) {
  while (!runner.over()) {
    const MonoTime deadline = std::min(runner.turn(now), now + kAttention);
    if (runner.over()) break;
    const MonoTime got = transport.run_until(deadline, runner);
    watch.note(now, deadline, got);
    now = got;
  }
}

}  // namespace evenbench::load
