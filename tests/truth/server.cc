#include "server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "answer.h"

namespace truth {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kSpin = 100'000;  // the end of a wait is spun: wake-ups come late
constexpr std::int64_t kLookUp = 50'000'000;

std::int64_t now() {
  timespec ts{};
  ::clock_gettime(CLOCK_MONOTONIC, &ts);
  return ts.tv_sec * kSecond + ts.tv_nsec;
}

}  // namespace

Server::Server(const Options& options) : options_(options) {
  if (!options_.log.empty()) log_.open(options_.log, std::ios::trunc);
}

Server::~Server() {
  for (const auto& [fd, connection] : connections_) ::close(fd);
  if (listener_ >= 0) ::close(listener_);
  if (epoll_ >= 0) ::close(epoll_);
}

std::uint16_t Server::listen(std::string* why) {
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(options_.port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 4096) != 0) {
    *why = fmt::format("port {}: {}", options_.port, std::strerror(errno));
    return 0;
  }
  if (!options_.log.empty() && !log_) {
    *why = fmt::format("the log {} cannot be written", options_.log);
    return 0;
  }
  epoll_event interest{.events = EPOLLIN, .data = {.fd = listener_}};
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, listener_, &interest);
  ::getsockname(listener_, generic, &size);
  return ntohs(address.sin_port);
}

void Server::run(int stop_fd) {
  stop_fd_ = stop_fd;
  epoll_event interest{.events = EPOLLIN, .data = {.fd = stop_fd}};
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, stop_fd, &interest);
  while (wait()) {
    fire_timers();
    stall_if_due();
  }
  for (const auto& [fd, connection] : connections_) {
    if (connection->busy) write_log(connection->stream, false);
  }
}

bool Server::wait() {
  std::int64_t patience = kLookUp;
  if (!timers_.empty()) patience = std::min(patience, timers_.top().at - now() - kSpin);
  patience = std::max<std::int64_t>(patience, 0);
  const timespec timeout{.tv_sec = 0, .tv_nsec = patience};
  epoll_event events[64];
  const int count = ::epoll_pwait2(epoll_, events, 64, &timeout, nullptr);
  for (int i = 0; i < count; ++i) {
    if (events[i].data.fd == stop_fd_) return false;
    if (events[i].data.fd == listener_) {
      accept_all();
    } else if (const auto found = connections_.find(events[i].data.fd);
               found != connections_.end()) {
      on_ready(*found->second, events[i].events);
    }
  }
  return true;
}

void Server::accept_all() {
  while (true) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto connection = std::make_unique<Connection>();
    connection->fd = fd;
    connection->serial = ++serials_;
    epoll_event interest{.events = EPOLLIN, .data = {.fd = fd}};
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &interest);
    ++accepted_;
    set_idle(*connection);
    connections_[fd] = std::move(connection);
  }
}

void Server::on_ready(Connection& connection, std::uint32_t events) {
  if ((events & EPOLLOUT) != 0) write(connection, "");
  if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) read(connection);
}

void Server::read(Connection& connection) {
  char bytes[64 * 1024];
  const ssize_t got = ::recv(connection.fd, bytes, sizeof bytes, 0);
  if (got > 0) {
    connection.input.append(bytes, static_cast<std::size_t>(got));
    take_requests(connection);
  } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
    close(connection.fd);
  }
}

void Server::take_requests(Connection& connection) {
  while (!connection.busy) {
    const auto request = take_request(connection.input);
    if (!request) return;
    answer(connection, *request);
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
    return write(connection, plain(200, "{}")), set_idle(connection);
  } else if (request.path == "/v1/models") {
    return write(connection, models()), set_idle(connection);
  } else {
    said = error(404, "no such route");
  }
  ++refused_;
  write(connection, said);
  set_idle(connection);
}

void Server::generate(Connection& connection, const Request& request) {
  const std::int64_t arrival = now();
  const Asked asked = asked_of(request);
  if (!asked.valid) {
    ++refused_;
    write(connection, error(400, "the body is not a JSON object"));
    return;
  }
  if (first_request_ == 0) first_request_ = arrival;
  Stream stream;
  stream.asked = asked;
  stream.id = request.id.empty() ? std::to_string(generations_) : request.id;
  stream.arrival = arrival;
  stream.tokens = std::max(1, options_.tokens > 0 ? options_.tokens : asked.tokens);
  const int events = (stream.tokens + options_.per_event - 1) / options_.per_event;
  stream.due = arrival + options_.ttft + (asked.stream ? 0 : (events - 1) * options_.interval);
  prepare(stream);
  connection.stream = std::move(stream);
  connection.busy = true;
  timers_.push({connection.stream.due, connection.fd, connection.serial});
}

void Server::fire_timers() {
  while (!timers_.empty() && timers_.top().at <= now()) {
    const Timer timer = timers_.top();
    timers_.pop();
    const auto found = connections_.find(timer.fd);
    if (found == connections_.end() || found->second->serial != timer.serial) continue;
    Connection& connection = *found->second;
    if (connection.busy) {
      if (connection.stream.due <= timer.at) send_due(connection);
    } else if (options_.max_idle > 0 && connection.idle_since + options_.max_idle <= timer.at) {
      ++idle_closed_;
      close(timer.fd);
    }
  }
}

void Server::prepare(Stream& stream) const {
  std::string& bytes = stream.next;
  bytes.clear();
  if (!stream.asked.stream) {
    bytes = whole(stream.asked, stream.tokens);
    stream.prepared_tokens = stream.tokens;
    return;
  }
  if (stream.prepared_tokens == 0) bytes = stream_head();
  for (int i = 0; i < options_.events_per_send && stream.prepared_tokens < stream.tokens; ++i) {
    const int tokens = std::min(options_.per_event, stream.tokens - stream.prepared_tokens);
    bytes += event(stream.asked, tokens);
    stream.prepared_tokens += tokens;
  }
  if (stream.prepared_tokens == stream.tokens) bytes += tail(stream.asked, stream.tokens);
}

void Server::send_due(Connection& connection) {
  Stream& stream = connection.stream;
  const std::int64_t at = now();
  stream.writes.push_back(at);
  if (stream.due >= stall_begin_ && stream.due < stall_end_) {
    ++stalled_sends_;
  } else {
    lateness_.push_back(at - stream.due);
  }
  const bool last = stream.prepared_tokens == stream.tokens;
  write(connection, stream.next);
  if (last) return finish(connection);
  prepare(stream);
  stream.due += options_.interval * options_.events_per_send;
  timers_.push({stream.due, connection.fd, connection.serial});
}

void Server::finish(Connection& connection) {
  ++finished_;
  write_log(connection.stream, true);
  connection.busy = false;
  set_idle(connection);
  take_requests(connection);
}

void Server::write(Connection& connection, std::string_view bytes) {
  const bool waited = !connection.output.empty();
  if (!waited) {
    const ssize_t sent = ::send(connection.fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    connection.output = bytes.substr(sent > 0 ? static_cast<std::size_t>(sent) : 0);
  } else {
    connection.output += bytes;
    const ssize_t sent =
        ::send(connection.fd, connection.output.data(), connection.output.size(), MSG_NOSIGNAL);
    if (sent > 0) connection.output.erase(0, static_cast<std::size_t>(sent));
  }
  const bool waits = !connection.output.empty();
  if (waits == waited) return;
  epoll_event interest{.events = waits ? EPOLLIN | EPOLLOUT : EPOLLIN,
                       .data = {.fd = connection.fd}};
  ::epoll_ctl(epoll_, EPOLL_CTL_MOD, connection.fd, &interest);
}

void Server::write_log(const Stream& stream, bool done) {
  if (!log_.is_open()) return;
  log_ << fmt::format(R"({{"id":{},"arrival_ns":{},"writes_ns":[{}],"tokens":{},"done":{}}})"
                      "\n",
                      nlohmann::json(stream.id).dump(), stream.arrival,
                      fmt::join(stream.writes, ","), stream.prepared_tokens, done);
  log_.flush();
}

void Server::close(int fd) {
  const auto found = connections_.find(fd);
  if (found == connections_.end()) return;
  if (found->second->busy) {
    ++broken_;
    write_log(found->second->stream, false);
  }
  ::close(fd);
  connections_.erase(found);
}

void Server::set_idle(Connection& connection) {
  if (options_.max_idle <= 0) return;
  connection.idle_since = now();
  timers_.push({connection.idle_since + options_.max_idle, connection.fd, connection.serial});
}

// A stall is what a server in trouble does: it neither reads nor writes, and what was due comes
// afterwards.
void Server::stall_if_due() {
  if (options_.stall_at < 0 || first_request_ == 0 || stall_end_ != 0) return;
  const std::int64_t begin = first_request_ + options_.stall_at;
  if (now() < begin) return;
  stall_begin_ = begin;
  stall_end_ = begin + options_.stall_for;
  const timespec until{.tv_sec = stall_end_ / kSecond, .tv_nsec = stall_end_ % kSecond};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

std::string Server::report() const {
  std::vector<std::int64_t> sorted = lateness_;
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double share) {
    if (sorted.empty()) return 0.0;
    const auto index = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1));
    return static_cast<double>(sorted[index]) / 1e3;
  };
  return fmt::format(
      R"({{"connections":{},"requests":{},"finished":{},"broken":{},"refused":{},"idle_closed":{},)"
      R"("sends":{},"stalled_sends":{},"late_us":{{"p50":{:.1f},"p99":{:.1f},"max":{:.1f}}}}})",
      accepted_, generations_, finished_, broken_, refused_, idle_closed_,
      lateness_.size() + static_cast<std::size_t>(stalled_sends_), stalled_sends_, at(0.5),
      at(0.99), at(1.0));
}

}  // namespace truth
