#include "engine/brief_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "engine/owned_fd.h"
#include "engine/spawn.h"

namespace evenbench::engine {
namespace {

constexpr std::size_t kMostOutput = std::size_t{64} << 10;
constexpr std::size_t kMostSaid = 300;

// Its two outputs, read together: a program that fills one pipe must not wait for the other.
struct Outputs {
  OwnedFd out, err;
  std::string said_out, said_err;

  [[nodiscard]] bool open() const { return out.get() >= 0 || err.get() >= 0; }
  static void take(OwnedFd& fd, std::string& text) {
    std::array<char, 4096> bytes{};
    const auto size = ::read(fd.get(), bytes.data(), bytes.size());
    if (size <= 0) return fd.reset();
    text.append(bytes.data(), std::min(static_cast<std::size_t>(size), kMostOutput - text.size()));
  }
  void read_until(MonoTime deadline, const Clock& clock) {
    while (open() && clock.now() < deadline) {
      std::array<pollfd, 2> news{pollfd{out.get(), POLLIN, 0}, pollfd{err.get(), POLLIN, 0}};
      ::poll(news.data(), news.size(), static_cast<int>(to_millis(deadline - clock.now())) + 1);
      if (news[0].revents != 0) take(out, said_out);
      if (news[1].revents != 0) take(err, said_err);
    }
  }
};

// false: it had not ended by then, and was killed.
bool ended_by(MonoTime deadline, const Clock& clock, pid_t pid, int& status) {
  while (::waitpid(pid, &status, WNOHANG) == 0) {
    if (clock.now() >= deadline) {
      ::kill(-pid, SIGKILL);
      ::waitpid(pid, &status, 0);
      return false;
    }
    ::poll(nullptr, 0, 5);
  }
  return true;
}

}  // namespace

Result<std::string> output_of(const std::vector<std::string>& argv, Nanos limit,
                              const Clock& clock) {
  const std::string& program = argv.front();
  const auto trouble = [&](int error) {
    return environment_error(fmt::format("{}: {}", program, std::strerror(error)));
  };
  std::array<int, 2> out{-1, -1};
  std::array<int, 2> err{-1, -1};
  Outputs outputs;
  if (::pipe2(out.data(), O_CLOEXEC) != 0) return trouble(errno);
  outputs.out = OwnedFd(out[0]);
  OwnedFd out_end(out[1]);
  if (::pipe2(err.data(), O_CLOEXEC) != 0) return trouble(errno);
  outputs.err = OwnedFd(err[0]);
  OwnedFd err_end(err[1]);
  const OwnedFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (null.get() < 0) return trouble(errno);
  const std::array<Inherited, 3> inherited{
      {{null.get(), 0}, {out_end.get(), 1}, {err_end.get(), 2}}};
  pid_t pid = -1;
  if (const int error = spawn_in_session(program, argv, own_environment(), inherited, pid);
      error != 0) {
    return trouble(error);
  }
  out_end.reset();
  err_end.reset();
  const MonoTime deadline = clock.now() + limit;
  outputs.read_until(deadline, clock);
  int status = 0;
  if (!ended_by(deadline, clock, pid, status)) {
    return environment_error(
        fmt::format("{} was not done after {:.0f} s and was killed", program, to_seconds(limit)));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    const std::string how = WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status))
                                              : fmt::format("signal {}", WTERMSIG(status));
    return environment_error(
        fmt::format("{} ended with {}: {}", program, how, outputs.said_err.substr(0, kMostSaid)));
  }
  return std::move(outputs.said_out);
}

}  // namespace evenbench::engine
