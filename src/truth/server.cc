#include "truth/server.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "truth/receive.h"

namespace evenbench::truth {
namespace {

constexpr Nanos kLookUp = std::chrono::milliseconds{50};
// Sends between two looks at the sockets: requests must not wait for a burst to end.
constexpr int kPass = 256;
constexpr std::size_t kMostReserved = 1 << 16;

}  // namespace

Server::~Server() {
  for (const auto& connection : connections_) {
    if (connection) ::close(connection->fd);
  }
  if (listener_ >= 0) ::close(listener_);
  if (epoll_ >= 0) ::close(epoll_);
  if (!options_.unix_path.empty() && listener_ >= 0) ::unlink(options_.unix_path.c_str());
}

void Server::run(int stop_fd) {
  ::prctl(PR_SET_TIMERSLACK, 1UL);
  stop_fd_ = stop_fd;
  epoll_event interest{.events = EPOLLIN, .data = {.fd = stop_fd}};
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, stop_fd, &interest);
  while (wait()) {
    fire_timers();
    stall_if_due();
  }
  for (const auto& connection : connections_) {
    if (connection && connection->script != nullptr) keep(*connection, false);
  }
}

bool Server::wait() {
  Nanos patience = kLookUp;
  if (!timers_.empty()) {
    patience = std::min(patience, timers_.top().at - clock_.now() - options_.spin);
  }
  const timespec timeout{.tv_sec = 0, .tv_nsec = std::max<std::int64_t>(patience.count(), 0)};
  epoll_event events[256];
  const int count = ::epoll_pwait2(epoll_, events, 256, &timeout, nullptr);
  for (int i = 0; i < count; ++i) {
    const int fd = events[i].data.fd;
    if (fd == stop_fd_) return false;
    if (fd == listener_) {
      accept_all();
    } else if (Connection* connection = connections_[static_cast<std::size_t>(fd)].get()) {
      on_ready(*connection, events[i].events);
    }
  }
  return true;
}

void Server::accept_all() {
  while (true) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    const int on = 1;  // fails on a Unix socket, which waits for nothing
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto connection = std::make_unique<Connection>();
    connection->fd = fd;
    epoll_event interest{.events = EPOLLIN, .data = {.fd = fd}};
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &interest);
    ++accepted_;
    over(*connection);
    const auto index = static_cast<std::size_t>(fd);
    if (index >= connections_.size()) connections_.resize(index + 1);
    connections_[index] = std::move(connection);
  }
}

void Server::on_ready(Connection& connection, std::uint32_t events) {
  if ((events & EPOLLOUT) != 0) resume(connection);
  if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) read(connection);
}

void Server::read(Connection& connection) {
  char bytes[64 * 1024];
  const Received got = receive(connection.fd, bytes, sizeof bytes, clock_);
  if (got.bytes > 0) {
    connection.received = got.kernel;
    connection.input.append(bytes, static_cast<std::size_t>(got.bytes));
    take_requests(connection);
  } else if (got.bytes == 0 || (errno != EAGAIN && errno != EINTR)) {
    close(connection.fd);
  }
}

void Server::take_requests(Connection& connection) {
  while (!connection.busy) {
    const auto request = find_request(connection.input);
    if (!request) return;
    answer(connection, *request);
    connection.input.erase(0, request->size);
  }
}

void Server::answer(Connection& connection, const Request& request) {
  const bool generation = request.path.ends_with("/completions") && request.method == "POST";
  if (generation) ++generations_;
  const bool expired = options_.key_expires_after >= 0 && generations_ > options_.key_expires_after;
  std::string said;
  if (!options_.key.empty() && (expired || request.authorization != "Bearer " + options_.key)) {
    said = error(401, "the key is not accepted");
  } else if (generation && options_.status != 200) {
    said = error(options_.status, "told to answer so");
  } else if (generation) {
    return generate(connection, request);
  } else if (request.path == "/health") {
    return reply(connection, plain(200, "{}"));
  } else if (request.path == "/v1/models") {
    return reply(connection, models());
  } else {
    said = error(404, "no such route");
  }
  ++refused_;
  reply(connection, std::move(said));
}

void Server::reply(Connection& connection, std::string text) {
  connection.busy = true;
  connection.own = std::move(text);
  connection.pending = connection.own;
  if (flush(connection)) over(connection);
}

const Script& Server::script_for(const Asked& asked) {
  auto& script = scripts_[asked];
  if (!script) {
    script =
        std::make_unique<Script>(asked, asked.tokens, options_.per_event, options_.events_per_send);
  }
  return *script;
}

void Server::generate(Connection& connection, const Request& request) {
  const MonoTime arrival = clock_.now();
  Asked asked = asked_of(request);
  if (!asked.valid) {
    ++refused_;
    return reply(connection, error(400, "the body is not a JSON object"));
  }
  if (!observed(first_request_)) first_request_ = arrival;
  asked.tokens = std::max(1, options_.tokens > 0 ? options_.tokens : asked.tokens);
  const int last_event = (asked.tokens - 1) / options_.per_event;
  connection.busy = true;
  connection.script = &script_for(asked);
  connection.next = 0;
  connection.due =
      arrival + options_.ttft + (asked.stream ? Nanos{0} : last_event * options_.interval);
  connection.free_again = kNever;
  Served& served = connection.served;
  served = {};
  served.id = request.id.empty() ? std::to_string(generations_) : std::string(request.id);
  served.received = connection.received;
  served.arrival = arrival;
  served.first_due = connection.due;
  served.step = options_.interval * options_.events_per_send;
  if (!options_.log.empty()) {
    const auto sends = static_cast<std::size_t>(connection.script->sends());
    served.writes.reserve(std::min(sends, kMostReserved));
  }
  arm(connection, connection.due);
}

void Server::fire_timers() {
  for (int i = 0; i < kPass && !timers_.empty(); ++i) {
    const MonoTime at = clock_.now();
    const Timer timer = timers_.top();
    if (timer.at > at) return;
    timers_.pop();
    Connection* connection = connections_[static_cast<std::size_t>(timer.fd)].get();
    if (connection == nullptr || connection->armed != timer.serial) continue;
    if (connection->busy) {
      send_due(*connection, at);
    } else {
      ++idle_closed_;
      close(timer.fd);
    }
  }
}

void Server::send_due(Connection& connection, MonoTime at) {
  note_send(connection, at);
  connection.pending = connection.script->bytes(connection.next++);
  connection.due += connection.served.step;
  if (!flush(connection)) return;
  if (connection.next == connection.script->sends()) {
    keep(connection, true);
    over(connection);
    return take_requests(connection);
  }
  // Flat out the streams take turns: two sends in a row would be one read, and not one event each.
  arm(connection, options_.flat_out() ? clock_.now() : connection.due);
}

void Server::note_send(Connection& connection, MonoTime at) {
  ++sends_;
  if (!options_.log.empty()) connection.served.writes.push_back(at);
  if (options_.flat_out() && connection.next > 0) return;
  if (connection.due >= stall_begin_ && connection.due < stall_end_) {
    ++stalled_sends_;
  } else if (connection.due < connection.free_again) {
    ++blocked_sends_;
  } else {
    lateness_.add(at - connection.due);
  }
}

bool Server::flush(Connection& connection) {
  const ssize_t sent =
      ::send(connection.fd, connection.pending.data(), connection.pending.size(), MSG_NOSIGNAL);
  // A connection that is gone says so as it is read.
  if (sent < 0 && errno != EAGAIN) return false;
  if (sent > 0) connection.pending.remove_prefix(static_cast<std::size_t>(sent));
  const bool left = !connection.pending.empty();
  if (left != connection.blocked) {
    connection.blocked = left;
    watch(connection, left ? EPOLLIN | EPOLLOUT : EPOLLIN);
    if (left && connection.script != nullptr) ++connection.served.blocked;
  }
  return !left;
}

// There is room again for what was left.
void Server::resume(Connection& connection) {
  const MonoTime at = clock_.now();
  auto& writes = connection.served.writes;
  // Of this send the kernel had taken nothing yet.
  if (connection.script != nullptr && !writes.empty() &&
      connection.pending.size() == connection.script->bytes(connection.next - 1).size()) {
    writes.back() = at;
  }
  if (!flush(connection)) return;
  connection.free_again = at;
  if (connection.script != nullptr && connection.next < connection.script->sends()) {
    return arm(connection, options_.flat_out() ? at : connection.due);
  }
  if (connection.script != nullptr) keep(connection, true);
  over(connection);
  take_requests(connection);
}

void Server::over(Connection& connection) {
  connection.busy = false;
  if (options_.max_idle.count() > 0) arm(connection, clock_.now() + options_.max_idle);
}

void Server::keep(Connection& connection, bool done) {
  if (done) ++finished_;
  connection.served.done = done;
  connection.served.tokens = connection.script->tokens_before(connection.next);
  connection.script = nullptr;
  if (!options_.log.empty()) log_.push_back(std::move(connection.served));
}

void Server::arm(Connection& connection, MonoTime at) {
  connection.armed = ++serials_;
  timers_.push({at, connection.fd, connection.armed});
}

void Server::watch(const Connection& connection, std::uint32_t events) const {
  epoll_event interest{.events = events, .data = {.fd = connection.fd}};
  ::epoll_ctl(epoll_, EPOLL_CTL_MOD, connection.fd, &interest);
}

void Server::close(int fd) {
  auto& connection = connections_[static_cast<std::size_t>(fd)];
  if (connection->script != nullptr) {
    ++broken_;
    keep(*connection, false);
  }
  ::close(fd);
  connection.reset();
}

// A stall is what a server in trouble does: it neither reads nor writes, and what was due comes
// afterwards.
void Server::stall_if_due() {
  if (options_.stall_at.count() < 0 || !observed(first_request_) || observed(stall_end_)) return;
  const MonoTime begin = first_request_ + options_.stall_at;
  if (clock_.now() < begin) return;
  stall_begin_ = begin;
  stall_end_ = begin + options_.stall_for;
  const auto end = stall_end_.time_since_epoch().count();
  const timespec until{.tv_sec = end / 1'000'000'000, .tv_nsec = end % 1'000'000'000};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

Result<void> Server::write_log() const {
  if (options_.log.empty()) return {};
  std::ofstream file(options_.log, std::ios::trunc);
  for (const Served& served : log_) file << log_line(served) << '\n';
  if (file << std::flush) return {};
  return environment_error(
      fmt::format("the log {} cannot be written; give another --log", options_.log));
}

std::string Server::report() const {
  const auto at = [&](double share) {
    return static_cast<double>(lateness_.quantile(share).value_or(Nanos{0}).count()) / 1e3;
  };
  return fmt::format(
      R"({{"connections":{},"requests":{},"finished":{},"broken":{},"refused":{},"idle_closed":{},)"
      R"("sends":{},"stalled_sends":{},"blocked_sends":{},)"
      R"("late_us":{{"p50":{:.1f},"p99":{:.1f},"max":{:.1f}}}}})",
      accepted_, generations_, finished_, broken_, refused_, idle_closed_, sends_, stalled_sends_,
      blocked_sends_, at(0.5), at(0.99), at(1.0));
}

}  // namespace evenbench::truth
