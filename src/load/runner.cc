#include "load/runner.h"

#include <algorithm>

namespace evenbench::load {
namespace {

// How soon a worker notices that it was told to stop, or that another worker ended the cohort. It
// need not be exact: spinning for it would cost a worker of a quiet step much of its CPU time.
constexpr Nanos kAttention = std::chrono::milliseconds{20};

}  // namespace

void run_worker(Runner& runner, wire::Transport& transport, MonoTime now, LoopWatch& watch) {
  while (!runner.over()) {
    const wire::Until until(runner.turn(now), now + kAttention);
    if (runner.over()) break;
    const MonoTime got = transport.run_until(until, runner);
    watch.note(now, until.first(), got);
    now = got;
  }
}

}  // namespace evenbench::load
