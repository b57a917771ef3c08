// A server of a few lines for readiness: one request a connection, answers made by a function.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace evenbench::process_tests {

struct Request {
  std::string line;  // "GET /health"
  std::string head, body;
  [[nodiscard]] bool has_key(const std::string& key) const {
    return head.find("Authorization: Bearer " + key + "\r\n") != std::string::npos;
  }
};

std::string plain_response(int status, const std::string& body = "");
// A good event stream of one token.
std::string token_stream();
// What a server of `model` answers that has nothing against the request.
std::string usual_answer(const Request& request, const std::string& model);

// "" from the handler: the connection stays silent until the server ends.
class FakeServer {
 public:
  using Handler = std::function<std::string(const Request&)>;
  // `port` 0: the system chooses.
  explicit FakeServer(Handler handler, std::uint16_t port = 0);
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] int generations() const { return generations_; }

 private:
  void serve();
  void answer(int connection);

  Handler handler_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> generations_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

// Command of this program that plays an engine: `__server <port> <listen after ms> <healthy after
// ms>`.
inline constexpr const char* kServerCommand = "__server";
int server_main(int argc, char** argv);

}  // namespace evenbench::process_tests
