#include "launched.h"

#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "base/time.h"
#include "engine/process_table.h"

namespace evenbench::process_tests {
namespace {

constexpr const char* kTagVariable = "EVENBENCH_PROCESS_TEST";

}  // namespace

Scratch::Scratch() {
  std::string name = (std::filesystem::temp_directory_path() / "evenbench-process-XXXXXX").string();
  folder_ = ::mkdtemp(name.data());
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Scratch::read(const std::string& name) const {
  std::ifstream in(path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

engine::LaunchCommand shell(const std::string& line, const std::string& tag,
                            const std::filesystem::path& log) {
  engine::LaunchCommand command;
  command.argv = {"sh", "-c", line};
  command.env = {{kTagVariable, tag}};
  command.log = log;
  return command;
}

std::string new_tag() {
  static int count = 0;
  return std::to_string(::getpid()) + "." + std::to_string(++count);
}

TaggedHere::TaggedHere(const std::string& tag) {
  ::setenv(kTagVariable, tag.c_str(), 1);
}

TaggedHere::~TaggedHere() {
  ::unsetenv(kTagVariable);
}

std::vector<int> tagged(const std::string& tag) {
  std::vector<int> out;
  for (const engine::ProcessEntry& process : engine::processes()) {
    if (process.lives() && engine::started_with(process.pid, std::string(kTagVariable) + "=" + tag))
      out.push_back(process.pid);
  }
  return out;
}

bool eventually(const std::function<bool()>& holds, std::chrono::milliseconds limit) {
  const SystemClock clock;
  const MonoTime deadline = clock.now() + limit;
  while (!holds()) {
    if (clock.now() >= deadline) return false;
    ::poll(nullptr, 0, 5);
  }
  return true;
}

int tool_main(int argc, char** argv) {
  if (argc != 5) return 2;
  const auto child = engine::ChildProcess::start(shell(argv[2], argv[3], argv[4]));
  if (!child) return 3;
  while (true) ::pause();
}

}  // namespace evenbench::process_tests
