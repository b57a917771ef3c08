#include "scripted_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>

#include "base/check.h"

namespace evenbench::loopback {
namespace {

ssl_ctx_st* make_tls(const Certificate& made) {
  SSL_CTX* context = ::SSL_CTX_new(::TLS_server_method());
  BIO* pem = ::BIO_new_mem_buf(made.certificate_pem.data(), -1);
  X509* certificate = ::PEM_read_bio_X509(pem, nullptr, nullptr, nullptr);
  ::BIO_free(pem);
  pem = ::BIO_new_mem_buf(made.key_pem.data(), -1);
  EVP_PKEY* key = ::PEM_read_bio_PrivateKey(pem, nullptr, nullptr, nullptr);
  ::BIO_free(pem);
  const bool good = ::SSL_CTX_use_certificate(context, certificate) == 1 &&
                    ::SSL_CTX_use_PrivateKey(context, key) == 1;
  EVENBENCH_CHECK(good, "the certificate cannot be used");
  ::X509_free(certificate);
  ::EVP_PKEY_free(key);
  return context;
}

std::size_t body_length(std::string_view head) {
  constexpr std::string_view kName = "Content-Length: ";
  const auto at = head.find(kName);
  std::size_t length = 0;
  if (at != std::string_view::npos) {
    std::from_chars(head.data() + at + kName.size(), head.data() + head.size(), length);
  }
  return length;
}

int listening_socket(const std::string& host, std::uint16_t* port) {
  const bool v6 = host.find(':') != std::string::npos;
  const int fd = ::socket(v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_storage address{};
  socklen_t size = 0;
  if (v6) {
    auto* in6 = reinterpret_cast<sockaddr_in6*>(&address);
    in6->sin6_family = AF_INET6;
    ::inet_pton(AF_INET6, host.c_str(), &in6->sin6_addr);
    size = sizeof *in6;
  } else {
    auto* in4 = reinterpret_cast<sockaddr_in*>(&address);
    in4->sin_family = AF_INET;
    ::inet_pton(AF_INET, host.c_str(), &in4->sin_addr);
    size = sizeof *in4;
  }
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0) {
    ::close(fd);
    return -1;
  }
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  // The port stands at the same place for both families.
  *port = ntohs(reinterpret_cast<sockaddr_in*>(&address)->sin_port);
  return fd;
}

}  // namespace

Peer::~Peer() {
  if (tls_ != nullptr) {
    if (::SSL_is_init_finished(tls_) != 0) ::SSL_shutdown(tls_);
    ::SSL_free(tls_);
  }
}

bool Peer::accept_tls() {
  return tls_ == nullptr || ::SSL_accept(tls_) == 1;
}

std::ptrdiff_t Peer::read_some(char* bytes, std::size_t size) {
  return tls_ != nullptr ? ::SSL_read(tls_, bytes, static_cast<int>(size))
                         : ::recv(fd_, bytes, size, 0);
}

std::optional<std::string> Peer::read_request() {
  char bytes[16 * 1024];
  while (true) {
    const auto end = unread_.find("\r\n\r\n");
    if (end != std::string::npos) {
      const std::size_t size = end + 4 + body_length(std::string_view(unread_).substr(0, end + 2));
      if (unread_.size() >= size) {
        std::string request = unread_.substr(0, size);
        unread_.erase(0, size);
        return request;
      }
    }
    const auto got = read_some(bytes, sizeof bytes);
    if (got <= 0) return std::nullopt;
    unread_.append(bytes, static_cast<std::size_t>(got));
  }
}

void Peer::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::ptrdiff_t sent =
        tls_ != nullptr ? ::SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()))
                        : ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void Peer::sleep(std::chrono::milliseconds duration) const {
  const auto until = std::chrono::steady_clock::now() + duration;
  while (!stopping_) {
    const auto left = until - std::chrono::steady_clock::now();
    if (left <= left.zero()) return;
    std::this_thread::sleep_for(
        std::min<std::chrono::nanoseconds>(left, std::chrono::milliseconds{5}));
  }
}

void Peer::reset() {
  const linger now{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  if (tls_ != nullptr) ::SSL_set_quiet_shutdown(tls_, 1);
}

ScriptedServer::ScriptedServer(Script script, const Options& options)
    : script_(std::move(script)), tls_(options.tls ? make_tls(*options.tls) : nullptr) {
  std::signal(SIGPIPE, SIG_IGN);  // a TLS write to a client that has left is no end of the test
  listen_on(options.host);
  acceptor_ = std::thread([this] { accept_loop(); });
}

void ScriptedServer::listen_on(const std::string& host) {
  std::uint16_t port = 0;
  listener_ = listening_socket(host, &port);
  EVENBENCH_CHECK(listener_ >= 0 && ::listen(listener_, 1024) == 0, "cannot listen on {}", host);
  const bool v6 = host.find(':') != std::string::npos;
  url_ = fmt::format("{}://{}{}{}:{}", tls_ != nullptr ? "https" : "http", v6 ? "[" : "", host,
                     v6 ? "]" : "", port);
}

void ScriptedServer::accept_loop() {
  while (true) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) {
      if (stopping_) return;
      continue;
    }
    const std::lock_guard lock(mutex_);
    if (stopping_) {
      ::close(fd);
      return;
    }
    const int index = accepted_++;
    open_.push_back(fd);
    workers_.emplace_back([this, fd, index] { serve(fd, index); });
  }
}

void ScriptedServer::serve(int fd, int index) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  {
    SSL* session = tls_ != nullptr ? ::SSL_new(tls_) : nullptr;
    if (session != nullptr) ::SSL_set_fd(session, fd);
    Peer peer(fd, index, stopping_, session);
    if (peer.accept_tls()) script_(peer);
  }
  const std::lock_guard lock(mutex_);
  std::erase(open_, fd);
  ::close(fd);
}

ScriptedServer::~ScriptedServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
  }
  acceptor_.join();
  for (auto& worker : workers_) worker.join();
  ::close(listener_);
  ::SSL_CTX_free(tls_);
}

std::uint16_t unused_port() {
  std::uint16_t port = 0;
  const int fd = listening_socket("127.0.0.1", &port);
  EVENBENCH_CHECK(fd >= 0, "no free port");
  ::close(fd);
  return port;
}

std::string stream_head() {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
}

std::string chunk(std::string_view bytes) {
  return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
}

std::string token(std::string_view text) {
  return chunk(fmt::format(
      "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{}\"}},\"finish_reason\":null}}"
      "]}}\n\n",
      text));
}

std::string finish(int prompt_tokens, int output_tokens) {
  return chunk("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n") +
         chunk(fmt::format("data: {{\"choices\":[],\"usage\":{{\"prompt_tokens\":{},"
                           "\"completion_tokens\":{},\"total_tokens\":{}}}}}\n\n",
                           prompt_tokens, output_tokens, prompt_tokens + output_tokens)) +
         chunk("data: [DONE]\n\n") + "0\r\n\r\n";
}

std::string whole_stream(int tokens) {
  std::string out = stream_head();
  for (int i = 0; i < tokens; ++i) out += token("x");
  return out + finish(3, tokens);
}

std::string plain_answer(int status, std::string_view headers, std::string_view body) {
  return fmt::format(
      "HTTP/1.1 {} Said\r\nContent-Type: application/json\r\n{}"
      "Content-Length: {}\r\n\r\n{}",
      status, headers, body.size(), body);
}

}  // namespace evenbench::loopback
