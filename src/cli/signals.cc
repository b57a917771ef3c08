#include "cli/signals.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace evenbench::cli {
namespace {

std::atomic<int> count{0};
std::atomic<int> first{0};
static_assert(std::atomic<int>::is_always_lock_free,
              "the handler may only touch lock-free atomics");

void on_signal(int number) {
  int none = 0;
  first.compare_exchange_strong(none, number);
  // Engines cannot outlive us: their warden sees our end of the pipe close.
  if (count.fetch_add(1) >= 2) ::_exit(128 + number);
}

}  // namespace

void install_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

int interrupts() {
  return count.load();
}
int interrupt_signal() {
  return first.load();
}

}  // namespace evenbench::cli
