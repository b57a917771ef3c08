#include "fake_server.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "base/time.h"

namespace evenbench::process_tests {
namespace {

Request read_request(int connection) {
  std::string text;
  char buffer[4096];
  auto head_end = std::string::npos;
  std::size_t length = 0;
  while (head_end == std::string::npos || text.size() < head_end + 4 + length) {
    const auto size = ::read(connection, buffer, sizeof buffer);
    if (size <= 0) break;
    text.append(buffer, static_cast<std::size_t>(size));
    head_end = text.find("\r\n\r\n");
    const auto at = text.find("Content-Length: ");
    if (head_end != std::string::npos && at < head_end)
      length = std::strtoul(text.c_str() + at + 16, nullptr, 10);
  }
  Request request;
  request.line = text.substr(0, text.find(" HTTP/"));
  request.head = text.substr(0, head_end == std::string::npos ? 0 : head_end + 2);
  request.body = head_end == std::string::npos ? "" : text.substr(head_end + 4);
  return request;
}

}  // namespace

std::string plain_response(int status, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) +
         " Status\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string token_stream() {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
         "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"},\"finish_reason\":null}]}"
         "\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
         "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1,"
         "\"total_tokens\":2}}\n\ndata: [DONE]\n\n";
}

std::string usual_answer(const Request& request, const std::string& model) {
  if (request.line == "GET /health") return plain_response(200);
  if (request.line == "GET /v1/models")
    return plain_response(200, R"({"object":"list","data":[{"id":")" + model + "\"}]}");
  if (request.line == "GET /version") return plain_response(200, R"({"version":"1.2.3"})");
  if (request.line == "POST /v1/chat/completions") return token_stream();
  return plain_response(404, R"({"detail":"Not Found"})");
}

FakeServer::FakeServer(Handler handler, std::uint16_t port) : handler_(std::move(handler)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, generic, &size) != 0)
    throw std::runtime_error("the fake server cannot listen");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

FakeServer::~FakeServer() {
  stop_ = true;
  thread_.join();
  ::close(listener_);
}

void FakeServer::serve() {
  std::vector<int> silent;
  while (!stop_) {
    pollfd news{listener_, POLLIN, 0};
    if (::poll(&news, 1, 10) <= 0) continue;
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const Request request = read_request(connection);
    if (request.line.starts_with("POST")) ++generations_;
    const std::string response = handler_(request);
    if (response.empty()) {
      silent.push_back(connection);
      continue;
    }
    ::send(connection, response.data(), response.size(), MSG_NOSIGNAL);
    ::close(connection);
  }
  for (const int connection : silent) ::close(connection);
}

int server_main(int argc, char** argv) {
  if (argc != 5) return 2;
  const SystemClock clock;
  const MonoTime start = clock.now();
  ::poll(nullptr, 0, std::atoi(argv[3]));
  const MonoTime healthy = start + std::chrono::milliseconds{std::atoi(argv[4])};
  const FakeServer server(
      [&](const Request& request) -> std::string {
        if (clock.now() >= healthy) return usual_answer(request, "mine");
        if (request.line == "GET /health") return plain_response(503);
        return request.line.starts_with("POST") ? "" : usual_answer(request, "mine");
      },
      static_cast<std::uint16_t>(std::atoi(argv[2])));
  while (true) ::pause();
}

}  // namespace evenbench::process_tests
