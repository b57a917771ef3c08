// The loop: one thread, one epoll, every send planned from the instant at which its request was
// read. Remembers when it really sent, and how late that was; it tells of it only afterwards.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "base/log_histogram.h"
#include "base/result.h"
#include "truth/answer.h"
#include "truth/options.h"
#include "truth/server_log.h"

namespace evenbench::truth {

class Server {
 public:
  Server(const Options& options, const Clock& clock) : options_(options), clock_(clock) {}
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Where it listens: a port, or the path of its Unix socket. Error: environment.
  Result<std::string> listen();
  // Until `stop_fd` is readable.
  void run(int stop_fd);
  // A line of JSON for every generation request, in the order in which they ended; nothing without
  // Options::log. Error: environment.
  Result<void> write_log() const;
  // How many requests came and how late the sends were, as one line of JSON.
  [[nodiscard]] std::string report() const;

 private:
  struct Connection {
    int fd = -1;
    std::uint64_t armed = 0;  // the timer it waits for
    std::string input;
    MonoTime received = kNever;      // by the kernel: the last byte of the input
    bool busy = false;               // an answer is under way
    std::string own;                 // bytes of an answer that is no script
    std::string_view pending;        // not taken by the kernel yet
    bool blocked = false;            // the kernel has no room for them
    const Script* script = nullptr;  // of a stream
    int next = 0;                    // its next send
    MonoTime due = kNever;           // and when
    MonoTime free_again = kNever;    // when it was last blocked no more
    Served served;
  };
  struct Timer {
    MonoTime at;
    int fd;
    std::uint64_t serial;
    bool operator<(const Timer& other) const { return at > other.at; }
  };

  Result<std::string> listen_port();
  Result<std::string> listen_unix();
  bool wait();  // false: it is time to stop
  void accept_all();
  void on_ready(Connection& connection, std::uint32_t events);
  void read(Connection& connection);
  void take_requests(Connection& connection);
  void answer(Connection& connection, const Request& request);
  void reply(Connection& connection, std::string text);
  void generate(Connection& connection, const Request& request);
  void fire_timers();
  void send_due(Connection& connection, MonoTime at);
  void note_send(Connection& connection, MonoTime at);
  bool flush(Connection& connection);  // false: something is left
  void resume(Connection& connection);
  void over(Connection& connection);
  void keep(Connection& connection, bool done);
  void arm(Connection& connection, MonoTime at);
  void watch(const Connection& connection, std::uint32_t events) const;
  void close(int fd);
  void stall_if_due();
  const Script& script_for(const Asked& asked);

  const Options options_;
  const Clock& clock_;
  int epoll_ = -1;
  int listener_ = -1;
  int stop_fd_ = -1;
  std::vector<std::unique_ptr<Connection>> connections_;  // by descriptor
  std::priority_queue<Timer> timers_;
  std::uint64_t serials_ = 0;
  std::map<Asked, std::unique_ptr<Script>> scripts_;
  std::deque<Served> log_;
  MonoTime first_request_ = kNever;
  MonoTime stall_begin_ = kNever, stall_end_ = kNever;  // once it has happened
  int generations_ = 0, accepted_ = 0, finished_ = 0, broken_ = 0, refused_ = 0, idle_closed_ = 0;
  std::uint64_t sends_ = 0;
  std::uint64_t stalled_sends_ = 0, blocked_sends_ = 0;  // not late by the server's own fault
  LogHistogram lateness_;                                // of the others that had an instant
};

}  // namespace evenbench::truth
