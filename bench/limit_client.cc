// The measuring stick of ./dev bench: what reading a stream costs when nothing else is done. Opens
// its connections ahead, sends a request made before, looks for the ends of events ("\n\n") and
// stamps every read. Parses no JSON, checks nothing, knows how many events an answer has: no client
// can do with less, and none would be of use.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/time.h"
#include "net/wake_delay.h"

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::uint32_t kClosingEvents = 3;  // finish reason, usage, [DONE]

struct Options {
  std::uint16_t port = 8100;
  std::uint32_t connections = 1;
  std::uint32_t requests = 1;
  double rate = 0;  // requests/s; 0: closed loop
  std::uint32_t tokens = 16;
  std::string log;
};

// The log: "EVLIMIT1", two counts, then these; all little-endian. Nanoseconds, monotonic.
struct RequestLog {
  std::int64_t planned = 0;
  std::int64_t sent = 0;
};
struct EventLog {
  std::uint32_t request = 0;
  std::uint32_t merged = 0;  // 1: its read held more than one token event
  std::int64_t user = 0;
  std::int64_t kernel = 0;  // 0: none
};

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "limit_client: %s\n", what.c_str());
  std::exit(3);
}

std::int64_t read_clock(clockid_t id) {
  timespec ts{};
  ::clock_gettime(id, &ts);
  return ts.tv_sec * kSecond + ts.tv_nsec;
}

std::int64_t now() {
  return read_clock(CLOCK_MONOTONIC);
}

// Wall time minus monotonic time, from the narrowest of three brackets, renewed every second.
class WallOffset {
 public:
  std::int64_t at(std::int64_t instant) {
    if (instant - measured_ > kSecond) measure(instant);
    return offset_;
  }

 private:
  void measure(std::int64_t instant) {
    measured_ = instant;
    std::int64_t narrowest = kSecond;
    for (int i = 0; i < 3; ++i) {
      const std::int64_t before = now();
      const std::int64_t wall = read_clock(CLOCK_REALTIME);
      const std::int64_t width = now() - before;
      if (width >= narrowest) continue;
      narrowest = width;
      offset_ = wall - before - width / 2;
    }
  }
  std::int64_t measured_ = -2 * kSecond;
  std::int64_t offset_ = 0;
};

struct Connection {
  int fd = -1;
  std::uint32_t request = 0;
  std::uint32_t events = 0;  // ends of events seen in this answer
  char last = 0;             // byte of the read before: a boundary may be split
};

class Client {
 public:
  explicit Client(const Options& options)
      : options_(options), requests_(options.requests), buffer_(64 * 1024) {
    events_.resize(std::size_t{options.requests} * options.tokens);
    const std::string body = fmt::format(
        R"({{"model":"truth","messages":[{{"role":"user","content":"one two three four five six"}}],)"
        R"("max_tokens":{},"stream":true,"stream_options":{{"include_usage":true}}}})",
        options.tokens);
    message_ =
        "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Evenbench-Request: limit-";
    number_at_ = message_.size();
    message_ +=
        fmt::format("00000000\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                    body.size(), body);
  }

  void connect_all() {
    epoll_ = ::epoll_create1(0);
    connections_.resize(options_.connections);
    for (std::uint32_t i = 0; i < options_.connections; ++i) {
      connections_[i].fd = open_connection();
      epoll_event interest{.events = EPOLLIN, .data = {.u32 = i}};
      ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connections_[i].fd, &interest);
    }
    for (std::uint32_t i = options_.connections; i > 0; --i) free_.push_back(i - 1);
  }

  void run() {
    begin_ = now() + (options_.rate > 0 ? kSecond / 10 : 0);
    cpu_begin_ = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    while (done_ < options_.requests) {
      send_due();
      wait();
    }
    cpu_ = read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin_;
    end_ = now();
  }

  void write_log() const {
    std::FILE* file = std::fopen(options_.log.c_str(), "wb");
    if (file == nullptr) die(options_.log + ": " + std::strerror(errno));
    const std::uint64_t counts[2] = {requests_.size(), event_count_};
    bool whole = std::fwrite("EVLIMIT1", 8, 1, file) == 1;
    whole = std::fwrite(counts, sizeof counts, 1, file) == 1 && whole;
    whole = std::fwrite(requests_.data(), sizeof(RequestLog), requests_.size(), file) ==
                requests_.size() &&
            whole;
    whole =
        std::fwrite(events_.data(), sizeof(EventLog), event_count_, file) == event_count_ && whole;
    if (std::fclose(file) != 0 || !whole) die(options_.log + ": not written in full");
  }

  [[nodiscard]] std::string report() const {
    std::vector<std::int64_t> late;
    for (const RequestLog& r : requests_) late.push_back(r.sent - r.planned);
    std::sort(late.begin(), late.end());
    const auto at = [&](double q) {
      return static_cast<double>(
                 late[static_cast<std::size_t>(q * static_cast<double>(late.size() - 1))]) /
             1e3;
    };
    return fmt::format(
        R"({{"requests":{},"events":{},"reads":{},"merged_reads":{},"begin_ns":{},"end_ns":{},)"
        R"("cpu_s":{:.6f},"late_us":{{"p50":{:.1f},"p99":{:.1f},"max":{:.1f}}}}})",
        requests_.size(), event_count_, reads_, merged_reads_, begin_, end_,
        static_cast<double>(cpu_) / 1e9, at(0.5), at(0.99), at(1));
  }

 private:
  [[nodiscard]] int open_connection() const {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(options_.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      die(fmt::format("port {}: {}", options_.port, std::strerror(errno)));
    }
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const int stamps = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    ::setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof stamps);
    return fd;
  }

  [[nodiscard]] std::int64_t planned(std::uint32_t number) const {
    if (options_.rate <= 0) return 0;
    return begin_ + static_cast<std::int64_t>(static_cast<double>(number) * 1e9 / options_.rate);
  }

  // An open loop sends what is due; a closed one whatever has a free connection.
  void send_due() {
    while (next_ < options_.requests && !free_.empty() && planned(next_) <= now()) {
      Connection& connection = connections_[free_.back()];
      free_.pop_back();
      connection.request = next_;
      connection.events = 0;
      std::snprintf(message_.data() + number_at_, 9, "%08u", next_);
      message_[number_at_ + 8] = '\r';
      RequestLog& log = requests_[next_];
      log.sent = now();
      log.planned = options_.rate > 0 ? planned(next_) : log.sent;
      if (::send(connection.fd, message_.data(), message_.size(), MSG_NOSIGNAL) !=
          static_cast<ssize_t>(message_.size())) {
        die(fmt::format("a request was not taken: {}", std::strerror(errno)));
      }
      ++next_;
    }
  }

  // Until something can be read, or shortly before the next request is due: the rest is spun.
  void wait() {
    const bool aims = options_.rate > 0 && next_ < options_.requests && !free_.empty();
    const std::int64_t when = aims ? planned(next_) - delay_.spin().count() : 0;
    const std::int64_t patience = std::max<std::int64_t>(when - now(), 0);
    const timespec timeout{.tv_sec = patience / kSecond, .tv_nsec = patience % kSecond};
    epoll_event ready[256];
    const int count = ::epoll_pwait2(epoll_, ready, 256, aims ? &timeout : nullptr, nullptr);
    if (count == 0 && patience > 0) delay_.note(evenbench::Nanos{now() - when});
    for (int i = 0; i < count; ++i) read(ready[i].data.u32);
  }

  void read(std::uint32_t index) {
    Connection& connection = connections_[index];
    iovec part{.iov_base = buffer_.data(), .iov_len = buffer_.size()};
    alignas(cmsghdr) char control[256];
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t got = ::recvmsg(connection.fd, &message, MSG_DONTWAIT);
    const std::int64_t user = now();
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) die("the server closed a connection");
    ++reads_;
    note_events(connection, {buffer_.data(), static_cast<std::size_t>(got)}, user,
                kernel_stamp(message, user));
    if (connection.events < options_.tokens + kClosingEvents) return;
    ++done_;
    free_.push_back(index);
    if (options_.rate <= 0) send_due();
  }

  std::int64_t kernel_stamp(msghdr& message, std::int64_t user) {
    for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPING) continue;
      timespec software{};
      std::memcpy(&software, CMSG_DATA(c), sizeof software);
      return software.tv_sec * kSecond + software.tv_nsec - wall_.at(user);
    }
    return 0;
  }

  void note_events(Connection& connection, std::string_view bytes, std::int64_t user,
                   std::int64_t kernel) {
    const std::size_t first = event_count_;
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
    char before = connection.last;
    while ((at = static_cast<const char*>(
                std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) != nullptr) {
      if (at > bytes.data()) before = at[-1];
      if (before == '\n' && connection.events++ < options_.tokens) {
        events_[event_count_++] = {connection.request, 0, user, kernel};
      }
      ++at;
    }
    connection.last = end[-1];
    if (event_count_ < first + 2) return;
    ++merged_reads_;
    for (std::size_t i = first; i < event_count_; ++i) events_[i].merged = 1;
  }

  const Options options_;
  int epoll_ = -1;
  std::vector<Connection> connections_;
  std::vector<std::uint32_t> free_;  // indices of connections
  std::string message_;
  std::size_t number_at_ = 0;
  std::uint32_t next_ = 0, done_ = 0;
  std::vector<RequestLog> requests_;
  std::vector<EventLog> events_;
  std::size_t event_count_ = 0;
  std::vector<char> buffer_;
  WallOffset wall_;
  evenbench::net::WakeDelay delay_;
  std::uint64_t reads_ = 0, merged_reads_ = 0;
  std::int64_t begin_ = 0, end_ = 0, cpu_begin_ = 0, cpu_ = 0;
};

void allow_open_files() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Reads the truth server's answers and does nothing with them.", "limit_client");
  Options options;
  app.add_option("--port", options.port, "of 127.0.0.1");
  app.add_option("--connections", options.connections, "opened ahead; the streams of a closed loop")
      ->check(CLI::PositiveNumber);
  app.add_option("--requests", options.requests, "in all")->check(CLI::Range(1, 99'999'999));
  app.add_option("--rate", options.rate, "requests/s of an open loop, evenly spaced");
  app.add_option("--tokens", options.tokens, "of an answer")->check(CLI::PositiveNumber);
  app.add_option("--log", options.log, "file for every instant");
  CLI11_PARSE(app, argc, argv);
  ::prctl(PR_SET_TIMERSLACK, 1UL);
  allow_open_files();

  Client client(options);
  client.connect_all();
  client.run();
  std::printf("%s\n", client.report().c_str());
  if (!options.log.empty()) client.write_log();
  return 0;
}
