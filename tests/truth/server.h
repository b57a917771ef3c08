// The loop: one thread, one epoll, every send planned from the instant at which its request was
// read. Writes down when it really sent, and how late that was.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "options.h"
#include "request.h"

namespace truth {

class Server {
 public:
  explicit Server(const Options& options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // The port, or 0 with the reason in `why`.
  std::uint16_t listen(std::string* why);
  // Until `stop_fd` is readable.
  void run(int stop_fd);
  // How many requests came and how late the sends were, as one line of JSON.
  [[nodiscard]] std::string report() const;

 private:
  struct Stream {
    Asked asked;
    std::string id;
    std::int64_t arrival = 0;
    int tokens = 0;
    int prepared_tokens = 0;  // sent, and in `next`
    std::int64_t due = 0;     // of the next send
    std::string next;         // its bytes, made ahead so that making them delays nothing
    std::vector<std::int64_t> writes;
  };
  struct Connection {
    int fd = -1;
    std::uint64_t serial = 0;
    std::string input, output;
    bool busy = false;  // a stream is under way
    Stream stream;
    std::int64_t idle_since = 0;
  };
  struct Timer {
    std::int64_t at;
    int fd;
    std::uint64_t serial;
    bool operator<(const Timer& other) const { return at > other.at; }
  };

  bool wait();  // false: it is time to stop
  void accept_all();
  void on_ready(Connection& connection, std::uint32_t events);
  void read(Connection& connection);
  void take_requests(Connection& connection);
  void answer(Connection& connection, const Request& request);
  void generate(Connection& connection, const Request& request);
  void prepare(Stream& stream) const;
  void fire_timers();
  void send_due(Connection& connection);
  void finish(Connection& connection);
  void write(Connection& connection, std::string_view bytes);
  void write_log(const Stream& stream, bool done);
  void close(int fd);
  void set_idle(Connection& connection);
  void stall_if_due();

  const Options options_;
  int epoll_ = -1;
  int listener_ = -1;
  int stop_fd_ = -1;
  std::ofstream log_;
  std::unordered_map<int, std::unique_ptr<Connection>> connections_;
  std::priority_queue<Timer> timers_;
  std::uint64_t serials_ = 0;
  std::int64_t first_request_ = 0;
  std::int64_t stall_begin_ = 0, stall_end_ = 0;  // once it has happened
  int generations_ = 0, accepted_ = 0, finished_ = 0, broken_ = 0, refused_ = 0, idle_closed_ = 0;
  int stalled_sends_ = 0;
  std::vector<std::int64_t> lateness_;  // of sends that no stall held up
};

}  // namespace truth
