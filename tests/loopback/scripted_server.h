// A server inside the test that does what a script says on each connection, at the level of bytes:
// the tests decide where a chunk is cut and when a connection is reset. One thread per connection.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "certificate.h"

struct ssl_st;
struct ssl_ctx_st;

namespace evenbench::loopback {

// One accepted connection, from the server's side.
class Peer {
 public:
  Peer(int fd, int index, const std::atomic<bool>& stopping, ssl_st* tls)
      : fd_(fd), index_(index), stopping_(stopping), tls_(tls) {}
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] int index() const { return index_; }  // order of acceptance, from 0
  // Head and body of the next request; nothing when the client has closed.
  std::optional<std::string> read_request();
  void send(std::string_view bytes);
  void sleep(std::chrono::milliseconds duration) const;  // ends early when the server stops
  void wait_for_stop() const { sleep(std::chrono::minutes{5}); }
  // The connection ends with a reset in place of a proper close.
  void reset();
  // TLS handshake; false when the client refused.
  bool accept_tls();

 private:
  std::ptrdiff_t read_some(char* bytes, std::size_t size);
  int fd_;
  int index_;
  const std::atomic<bool>& stopping_;
  ssl_st* tls_;
  std::string unread_;
};

using Script = std::function<void(Peer&)>;

class ScriptedServer {
 public:
  struct Options {
    std::string host = "127.0.0.1";
    std::optional<Certificate> tls;
  };
  explicit ScriptedServer(Script script) : ScriptedServer(std::move(script), Options{}) {}
  ScriptedServer(Script script, const Options& options);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  [[nodiscard]] std::string url() const { return url_; }
  [[nodiscard]] int accepted() const { return accepted_; }

 private:
  void listen_on(const std::string& host);
  void accept_loop();
  void serve(int fd, int index);

  Script script_;
  ssl_ctx_st* tls_ = nullptr;
  int listener_ = -1;
  std::string url_;
  std::atomic<int> accepted_{0};
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::thread> workers_;
  std::thread acceptor_;
};

// A port of 127.0.0.1 on which nothing listens.
std::uint16_t unused_port();

// The pieces of an answer.
std::string stream_head();  // 200, event stream, chunked
std::string chunk(std::string_view bytes);
std::string token(std::string_view text);  // one content event in a chunk of its own
std::string finish(int prompt_tokens, int output_tokens);  // stop, usage, [DONE], last chunk
std::string whole_stream(int tokens);
std::string plain_answer(int status, std::string_view headers, std::string_view body);

}  // namespace evenbench::loopback
