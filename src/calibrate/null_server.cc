#include "calibrate/null_server.h"

#include <fmt/format.h>

#include <fstream>
#include <thread>

namespace evenbench::calibrate {
namespace {

constexpr Nanos kPatience = std::chrono::seconds{10};
constexpr Nanos kBetweenLooks = std::chrono::milliseconds{2};
// Long enough to write what it remembers.
constexpr Nanos kStopGrace = std::chrono::seconds{10};

std::filesystem::path with(std::filesystem::path stem, const char* extension) {
  return stem += extension;
}

// The port once the whole line is there, else "".
std::string port_said_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  const std::string prefix = "listening ";
  if (!std::getline(in, line) || in.eof() || !line.starts_with(prefix)) return "";
  return line.substr(prefix.size());
}

}  // namespace

Result<NullServer> NullServer::start(const std::vector<std::string>& flags,
                                     const std::filesystem::path& stem, const Clock& clock) {
  engine::LaunchCommand command;
  command.argv = {"/proc/self/exe", kNullServerCommand, "--log", with(stem, ".jsonl").string()};
  command.argv.insert(command.argv.end(), flags.begin(), flags.end());
  command.log = with(stem, ".log");
  auto child = engine::ChildProcess::start(command);
  if (!child) return child.error().in("null server");
  NullServer out(std::move(*child), stem);
  if (auto listens = out.wait_until_it_listens(clock); !listens) return listens.error();
  return out;
}

Result<void> NullServer::wait_until_it_listens(const Clock& clock) {
  const MonoTime end = clock.now() + kPatience;
  while (clock.now() < end) {
    port_ = port_said_in(with(stem_, ".log"));
    if (!port_.empty()) return {};
    if (child_->poll()) break;
    std::this_thread::sleep_for(kBetweenLooks);  // lint-ok(real-time): another process starts
  }
  return environment_error(
      fmt::format("the null server does not listen: {}", engine::log_tail(with(stem_, ".log"), 5)));
}

void NullServer::stop() {
  child_->stop(kStopGrace);
}

std::filesystem::path NullServer::log() const {
  return with(stem_, ".jsonl");
}

}  // namespace evenbench::calibrate
