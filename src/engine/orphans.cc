#include "engine/orphans.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>

#include "engine/process_table.h"

namespace evenbench::engine {

std::vector<int> marked(std::string_view assignment) {
  std::vector<int> living;
  for (const ProcessEntry& process : processes()) {
    if (process.lives() && process.pid != ::getpid() && started_with(process.pid, assignment))
      living.push_back(process.pid);
  }
  return living;
}

std::vector<int> kill_marked(std::string_view assignment, Nanos limit, const Clock& clock) {
  const MonoTime deadline = clock.now() + limit;
  while (true) {
    std::vector<int> living = marked(assignment);
    for (const int pid : living) ::kill(pid, SIGKILL);
    if (living.empty() || clock.now() >= deadline) return living;
    ::poll(nullptr, 0, 10);  // the kernel needs a moment to take a process down
  }
}

}  // namespace evenbench::engine
