#include "engine/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "engine/brief_command.h"
#include "engine/orphans.h"
#include "engine/owned_fd.h"
#include "engine/process_table.h"
#include "engine/spawn.h"
#include "engine/warden.h"

namespace evenbench::engine {
namespace {

// How long the warden may take from its start to its first word: an exec and a fork, on a host that
// may be very busy.
constexpr Nanos kStartLimit = std::chrono::seconds{30};
// What stop() allows on top of the grace and the warden's own limit.
constexpr Nanos kStopSlack = std::chrono::seconds{2};

std::string system_text(int error) {
  return std::strerror(error);
}

// A value that no other launch of this boot has.
std::string new_mark(const Clock& clock) {
  static std::atomic<int> count{0};
  return fmt::format("{}={}-{}-{}", kMarkVariable, ::getpid(), ++count,
                     clock.now().time_since_epoch().count());
}

std::vector<std::string> environment_of(const LaunchCommand& command, const std::string& mark) {
  const std::string mark_prefix = fmt::format("{}=", kMarkVariable);
  std::vector<std::string> out;
  for (std::string& text : own_environment()) {
    if (!text.starts_with(mark_prefix) && !text.starts_with(kEnvironmentPrefix) &&
        !text.starts_with(kAfterwardsPrefix))
      out.push_back(std::move(text));
  }
  out.push_back(mark);
  int number = 0;
  for (const auto& [name, value] : command.env)
    out.push_back(fmt::format("{}{}={}={}", kEnvironmentPrefix, number++, name, value));
  for (std::size_t i = 0; i < command.afterwards.size(); ++i)
    out.push_back(fmt::format("{}{}={}", kAfterwardsPrefix, i, command.afterwards[i]));
  return out;
}

struct Descriptors {
  OwnedFd null, log;
  OwnedFd control, warden_control;  // a socket pair: a write to a dead warden is no SIGPIPE
  OwnedFd status, warden_status;
};

// High numbers, so that none of them is in the way of the numbers the warden gets.
OwnedFd high(int fd) {
  const OwnedFd low(fd);
  return OwnedFd(fd < 0 ? -1 : ::fcntl(fd, F_DUPFD_CLOEXEC, 10));
}

Result<Descriptors> open_descriptors(const std::filesystem::path& log) {
  Descriptors out;
  std::error_code ignored;  // if the folder is missing, the open below says so
  if (log.has_parent_path()) std::filesystem::create_directories(log.parent_path(), ignored);
  out.log = high(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (out.log.get() < 0) {
    return environment_error(
        fmt::format("the engine's log {} cannot be written ({}); choose an output folder that can",
                    log.string(), system_text(errno)));
  }
  out.null = high(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::array<int, 2> pair{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) == 0) {
    out.control = high(pair[0]);
    out.warden_control = high(pair[1]);
  }
  if (::pipe2(pair.data(), O_CLOEXEC) == 0) {
    out.status = high(pair[0]);
    out.warden_status = high(pair[1]);
    ::fcntl(out.status.get(), F_SETFL, O_NONBLOCK);
  }
  for (const OwnedFd* fd :
       {&out.null, &out.control, &out.warden_control, &out.status, &out.warden_status}) {
    if (fd->get() < 0)
      return environment_error(
          fmt::format("no file descriptor to start an engine with ({}); raise `ulimit -n`",
                      system_text(errno)));
  }
  return out;
}

Error start_error(const LaunchCommand& command, const WardenMessage& message) {
  const std::string& program = command.argv.front();
  if (message.news == WardenNews::kNoWorkingDir) {
    return environment_error(fmt::format("{}: its working directory {} cannot be entered ({})",
                                         program, command.working_dir, system_text(message.value)));
  }
  if (message.value == ENOENT) {
    const bool is_path = program.find('/') != std::string::npos;
    return environment_error(is_path ? fmt::format("{}: no such program; check the path", program)
                                     : fmt::format("{}: not found in PATH; install it (`native` "
                                                   "may name a program by its full path)",
                                                   program));
  }
  return environment_error(
      fmt::format("{}: cannot be executed ({})", program, system_text(message.value)));
}

class WardedProcess final : public ChildProcess {
 public:
  WardedProcess(pid_t warden, OwnedFd control, OwnedFd status, std::string mark,
                std::vector<std::string> afterwards)
      : warden_(warden),
        control_(std::move(control)),
        status_(std::move(status)),
        mark_(std::move(mark)),
        afterwards_(std::move(afterwards)) {}
  ~WardedProcess() override { finish(kOrphanGrace); }

  // The first word of the warden: the engine runs, or why it does not.
  Result<void> wait_for_start(const LaunchCommand& command);
  [[nodiscard]] int pid() const override { return engine_; }
  std::optional<ExitStatus> poll() override;
  [[nodiscard]] std::vector<int> living() const override;
  ExitStatus stop(Nanos grace) override { return finish(grace); }

 private:
  // Waits for one message, at most until `deadline`. nullopt: none came, or the warden is gone.
  std::optional<WardenMessage> read_message(MonoTime deadline);
  void take(const WardenMessage& message);
  ExitStatus finish(Nanos grace);
  void clean_up_after_warden();

  pid_t warden_;
  pid_t engine_ = -1;
  OwnedFd control_;
  OwnedFd status_;
  std::string mark_;
  std::vector<std::string> afterwards_;
  SystemClock clock_;
  bool warden_done_ = false;  // it has said that nothing is left
  bool warden_lost_ = false;  // its pipe has closed
  bool reaped_ = false;
  bool ended_ = false;
  ExitStatus ended_with_;
};

std::optional<WardenMessage> WardedProcess::read_message(MonoTime deadline) {
  while (!warden_lost_) {
    WardenMessage message;
    const auto size = ::read(status_.get(), &message, sizeof message);
    if (size == static_cast<ssize_t>(sizeof message)) return message;
    if (size >= 0) {
      warden_lost_ = true;
      break;
    }
    const MonoTime now = clock_.now();
    if (now >= deadline) break;
    pollfd news{status_.get(), POLLIN, 0};
    ::poll(&news, 1, static_cast<int>(to_millis(deadline - now)) + 1);
  }
  return std::nullopt;
}

void WardedProcess::take(const WardenMessage& message) {
  switch (message.news) {
    case WardenNews::kStarted:
      engine_ = message.value;
      break;
    case WardenNews::kEnded:
      ended_ = true;
      ended_with_.by_signal = message.flag != 0;
      ended_with_.code = message.value;
      break;
    case WardenNews::kSurvivor:
      ended_with_.survivors.push_back(message.value);
      break;
    case WardenNews::kGone:
      warden_done_ = true;
      ended_with_.needed_kill = message.flag != 0;
      break;
    case WardenNews::kNoWorkingDir:
    case WardenNews::kNotExecuted:
      break;  // only ever the first message, which wait_for_start() reads
  }
}

Result<void> WardedProcess::wait_for_start(const LaunchCommand& command) {
  const auto message = read_message(clock_.now() + kStartLimit);
  if (!message) {
    return environment_error(fmt::format(
        "{}: the process that was to start it {}; its log may say why: {}", command.argv.front(),
        warden_lost_ ? "ended at once" : "did not answer", command.log.string()));
  }
  take(*message);
  if (message->news == WardenNews::kStarted) return {};
  warden_done_ = true;  // there is no engine to end
  return start_error(command, *message);
}

std::optional<ExitStatus> WardedProcess::poll() {
  while (const auto message = read_message(kNever)) take(*message);
  if (warden_lost_) clean_up_after_warden();
  return ended_ ? std::optional(ended_with_) : std::nullopt;
}

// The warden was killed: the kernel has killed the engine's first process with it, the rest is ours
// to find.
void WardedProcess::clean_up_after_warden() {
  if (!reaped_) {
    ::waitpid(warden_, nullptr, 0);
    reaped_ = true;
  }
  if (warden_done_) return;
  warden_done_ = true;
  ended_with_.survivors = kill_marked(mark_, kKillLimit, clock_);
  if (!afterwards_.empty()) {
    [[maybe_unused]] const auto told = output_of(afterwards_, kAfterwardsLimit, clock_);
  }
  ended_with_.needed_kill = true;
  if (ended_) return;
  ended_ = true;
  ended_with_.by_signal = true;
  ended_with_.code = SIGKILL;
}

std::vector<int> WardedProcess::living() const {
  std::vector<int> out = marked(mark_);
  std::erase(out, static_cast<int>(warden_));
  for (const ProcessEntry& process : processes()) {
    const bool survivor =
        std::count(ended_with_.survivors.begin(), ended_with_.survivors.end(), process.pid) > 0;
    if (survivor && process.lives() && std::count(out.begin(), out.end(), process.pid) == 0)
      out.push_back(process.pid);
  }
  return out;
}

ExitStatus WardedProcess::finish(Nanos grace) {
  if (reaped_) return ended_with_;
  const StopOrder order{std::max(grace, Nanos{0}).count()};
  ::send(control_.get(), &order, sizeof order, MSG_NOSIGNAL);
  const Nanos afterwards = afterwards_.empty() ? Nanos{0} : kAfterwardsLimit;
  const MonoTime deadline =
      clock_.now() + std::max(grace, Nanos{0}) + kKillLimit + afterwards + kStopSlack;
  while (const auto message = read_message(deadline)) take(*message);
  if (!warden_lost_) ::kill(warden_, SIGKILL);
  clean_up_after_warden();
  return ended_with_;
}

}  // namespace

std::string ExitStatus::text() const {
  std::string out;
  if (by_signal) {
    const char* name = ::sigabbrev_np(code);
    out = name == nullptr ? fmt::format("signal {}", code)
                          : fmt::format("signal {} (SIG{})", code, name);
  } else {
    out = fmt::format("exit code {}", code);
  }
  if (!survivors.empty())
    out += fmt::format("; still there after SIGKILL: process {}", fmt::join(survivors, ", "));
  return out;
}

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const LaunchCommand& command) {
  EVENBENCH_CHECK(!command.argv.empty(), "a launch without a program");
  auto fds = open_descriptors(command.log);
  if (!fds) return fds.error();
  const std::string mark = new_mark(SystemClock());
  std::vector<std::string> argv{"evenbench", kWardenCommand, "3", "4", command.working_dir};
  argv.insert(argv.end(), command.argv.begin(), command.argv.end());
  pid_t warden = -1;
  const std::array<Inherited, 5> inherited{{{fds->null.get(), 0},
                                            {fds->log.get(), 1},
                                            {fds->log.get(), 2},
                                            {fds->warden_control.get(), 3},
                                            {fds->warden_status.get(), 4}}};
  // This program again. Its own session from its first instant: Ctrl-C on the tool's terminal is
  // not for the engine.
  if (const int error = spawn_in_session("/proc/self/exe", std::move(argv),
                                         environment_of(command, mark), inherited, warden);
      error != 0) {
    return environment_error(fmt::format("{}: no process could be started for it ({})",
                                         command.argv.front(), system_text(error)));
  }
  fds->warden_control.reset();
  fds->warden_status.reset();
  auto child = std::make_unique<WardedProcess>(warden, std::move(fds->control),
                                               std::move(fds->status), mark, command.afterwards);
  if (auto started = child->wait_for_start(command); !started) return started.error();
  return std::unique_ptr<ChildProcess>(std::move(child));
}

}  // namespace evenbench::engine
