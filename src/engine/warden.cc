#include "engine/warden.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/brief_command.h"
#include "engine/child_process.h"
#include "engine/owned_fd.h"
#include "engine/process_table.h"

extern char** environ;

namespace evenbench::engine {
namespace {

constexpr int kControl = 3;
constexpr int kStatus = 4;

// Puts the two descriptors on fixed numbers and closes all others, ours or inherited.
bool settle_descriptors(int control, int status) {
  const int high_control = ::fcntl(control, F_DUPFD_CLOEXEC, 10);
  const int high_status = ::fcntl(status, F_DUPFD_CLOEXEC, 10);
  if (high_control < 0 || high_status < 0) return false;
  ::dup3(high_control, kControl, O_CLOEXEC);
  ::dup3(high_status, kStatus, O_CLOEXEC);
  ::closefrom(kStatus + 1);
  return true;
}

// Undoes the prefix of the engine's additional variables.
void apply_environment() {
  std::vector<std::string> prefixed;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, kEnvironmentPrefix, std::strlen(kEnvironmentPrefix)) == 0)
      prefixed.emplace_back(*entry);
  }
  for (const std::string& entry : prefixed) {
    const auto name_end = entry.find('=');
    const std::string assignment = entry.substr(name_end + 1);
    const auto equals = assignment.find('=');
    ::unsetenv(entry.substr(0, name_end).c_str());
    ::setenv(assignment.substr(0, equals).c_str(), assignment.substr(equals + 1).c_str(), 1);
  }
}

// The command to run at the end, taken out of the environment: it is no business of the engine.
std::vector<std::string> take_afterwards() {
  std::vector<std::string> words;
  while (true) {
    const std::string name = kAfterwardsPrefix + std::to_string(words.size());
    const char* word = std::getenv(name.c_str());  // lint-ok(environment): orders of the tool
    if (word == nullptr) return words;
    words.emplace_back(word);
    ::unsetenv(name.c_str());
  }
}

class Warden {
 public:
  Warden(const char* working_dir, char** engine_argv)
      : working_dir_(working_dir), engine_argv_(engine_argv) {}

  int run() {
    prepare();
    if (!start_engine()) return 1;
    end_all(wait_for_order());
    return 0;
  }

 private:
  void prepare();
  bool start_engine();
  [[noreturn]] void become_engine(pid_t warden, int failure);
  Nanos wait_for_order();
  void end_all(Nanos grace);
  void run_afterwards() const;
  void terminate_group() const;
  [[nodiscard]] bool group_lives() const;
  bool reap();
  void wait_for_news(Nanos at_most);
  static void say(WardenNews news, int value, bool flag) {
    const WardenMessage message{news, value, flag ? 1 : 0};
    // Whether the tool still listens does not matter.
    [[maybe_unused]] const auto written = ::write(kStatus, &message, sizeof message);
  }

  const char* working_dir_;
  char** engine_argv_;
  std::vector<std::string> afterwards_ = take_afterwards();
  OwnedFd signals_;
  pid_t engine_ = -1;
  bool ended_ = false;  // and reaped: from then on its number may name a stranger
  SystemClock clock_;
};

void Warden::prepare() {
  ::setsid();  // fails when already a session leader, which is as good
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = OwnedFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

// Runs in the engine's process, still with this program's image.
void Warden::become_engine(pid_t warden, int failure) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != warden) ::_exit(1);  // it died before the line above took effect
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  apply_environment();
  ::dup3(failure, kControl, O_CLOEXEC);
  ::closefrom(kControl + 1);
  WardenMessage message{WardenNews::kNoWorkingDir, 0, 0};
  if (*working_dir_ == '\0' || ::chdir(working_dir_) == 0) {
    message.news = WardenNews::kNotExecuted;
    ::execvp(engine_argv_[0], engine_argv_);
  }
  message.value = errno;
  [[maybe_unused]] const auto written = ::write(kControl, &message, sizeof message);
  ::_exit(127);
}

bool Warden::start_engine() {
  std::array<int, 2> failure{};
  if (::pipe2(failure.data(), O_CLOEXEC) != 0) {
    say(WardenNews::kNotExecuted, errno, false);
    return false;
  }
  OwnedFd read_end(failure[0]);
  OwnedFd write_end(failure[1]);
  const pid_t self = ::getpid();
  engine_ = ::fork();
  if (engine_ == 0) become_engine(self, write_end.get());
  if (engine_ < 0) {
    say(WardenNews::kNotExecuted, errno, false);
    return false;
  }
  ::setpgid(engine_, engine_);  // both sides, so that neither can come too late
  write_end.reset();
  WardenMessage message;
  // The pipe closes without a word when the exec has worked.
  if (::read(read_end.get(), &message, sizeof message) == static_cast<ssize_t>(sizeof message)) {
    ::waitpid(engine_, nullptr, 0);
    say(message.news, message.value, false);
    return false;
  }
  say(WardenNews::kStarted, engine_, false);
  return true;
}

// Takes every ended child. false: there is no child left, and so, as the subreaper, no descendant.
bool Warden::reap() {
  while (true) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid == 0) return true;
    if (pid < 0) return errno != ECHILD;
    if (pid != engine_ || ended_) continue;
    ended_ = true;
    const bool by_signal = WIFSIGNALED(status);
    say(WardenNews::kEnded, by_signal ? WTERMSIG(status) : WEXITSTATUS(status), by_signal);
  }
}

void Warden::wait_for_news(Nanos at_most) {
  pollfd news{signals_.get(), POLLIN, 0};
  ::poll(&news, 1, static_cast<int>(to_millis(at_most)));
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) > 0) {
  }
}

Nanos Warden::wait_for_order() {
  while (true) {
    std::array<pollfd, 2> news{pollfd{kControl, POLLIN, 0}, pollfd{signals_.get(), POLLIN, 0}};
    if (::poll(news.data(), news.size(), -1) < 0) continue;
    signalfd_siginfo info{};
    bool told_to_end = false;
    while (::read(signals_.get(), &info, sizeof info) > 0)
      told_to_end = told_to_end || info.ssi_signo != SIGCHLD;
    reap();
    if (told_to_end) return kOrphanGrace;
    if (news[0].revents == 0) continue;
    StopOrder order;
    const bool whole = ::read(kControl, &order, sizeof order) == static_cast<ssize_t>(sizeof order);
    return whole ? Nanos{order.grace_ns} : kOrphanGrace;
  }
}

void Warden::terminate_group() const {
  if (!ended_) {
    ::kill(-engine_, SIGTERM);
    return;
  }
  for (const ProcessEntry& process : descendants_of(::getpid(), processes()))
    if (process.group == engine_) ::kill(process.pid, SIGTERM);
}

bool Warden::group_lives() const {
  if (!ended_) return true;
  const auto family = descendants_of(::getpid(), processes());
  return std::any_of(family.begin(), family.end(), [this](const ProcessEntry& process) {
    return process.group == engine_ && process.lives();
  });
}

void Warden::end_all(Nanos grace) {
  terminate_group();
  const MonoTime deadline = clock_.now() + grace;
  while (reap() && group_lives() && clock_.now() < deadline)
    wait_for_news(std::min(deadline - clock_.now(), Nanos(std::chrono::milliseconds{50})));

  bool needed_kill = false;
  const MonoTime limit = clock_.now() + kKillLimit;
  // Killing a parent hands its children to this process, and a process may fork between the look
  // and the shot: repeat until there is no child.
  while (reap()) {
    const bool over = clock_.now() >= limit;
    for (const ProcessEntry& process : descendants_of(::getpid(), processes())) {
      if (!process.lives()) continue;
      needed_kill = true;
      ::kill(process.pid, SIGKILL);
      if (over) say(WardenNews::kSurvivor, process.pid, false);
    }
    if (over) break;
    wait_for_news(std::chrono::milliseconds{10});
  }
  run_afterwards();
  say(WardenNews::kGone, 0, needed_kill);
}

void Warden::run_afterwards() const {
  if (afterwards_.empty()) return;
  const auto output = output_of(afterwards_, kAfterwardsLimit, clock_);
  // Into the engine's log, which is where one looks when something is left.
  if (!output) std::fprintf(stderr, "evenbench: %s\n", output.error().message.c_str());
}

}  // namespace

int warden_main(int argc, char** argv) {
  constexpr int kFirstEngineArgument = 5;
  if (argc <= kFirstEngineArgument) return 2;
  if (!settle_descriptors(std::atoi(argv[2]), std::atoi(argv[3]))) return 2;
  return Warden(argv[4], argv + kFirstEngineArgument).run();
}

}  // namespace evenbench::engine
