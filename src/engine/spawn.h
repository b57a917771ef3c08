// Starting a program in a session of its own, with a clean signal mask: what both the warden and a
// brief command need. Knows nothing of what the program is.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

namespace evenbench::engine {

// Open descriptor `fd` of this process is descriptor `as` of the new one.
struct Inherited {
  int fd = -1;
  int as = -1;
};

// `program`: looked up in PATH unless it holds a '/'. `environment`: "NAME=value" each. Ctrl-C on
// this terminal does not reach the new process, which leads a session and a group. Returns 0 and
// sets `pid`, or an error number.
int spawn_in_session(const std::string& program, std::vector<std::string> argv,
                     std::vector<std::string> environment, std::span<const Inherited> descriptors,
                     pid_t& pid);

// Of this process.
std::vector<std::string> own_environment();

}  // namespace evenbench::engine
