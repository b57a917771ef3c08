#include "engine/spawn.h"

#include <spawn.h>
#include <unistd.h>

#include <csignal>

extern char** environ;

namespace evenbench::engine {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

int spawn_in_session(const std::string& program, std::vector<std::string> argv,
                     std::vector<std::string> environment, std::span<const Inherited> descriptors,
                     pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const Inherited& one : descriptors) {
    posix_spawn_file_actions_adddup2(&actions, one.fd, one.as);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t set;
  sigemptyset(&set);
  posix_spawnattr_setsigmask(&attributes, &set);
  sigfillset(&set);
  posix_spawnattr_setsigdefault(&attributes, &set);
  const int error = ::posix_spawnp(&pid, program.c_str(), &actions, &attributes,
                                   pointers_to(argv).data(), pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) out.emplace_back(*entry);
  return out;
}

}  // namespace evenbench::engine
