// TLS without sockets: ciphertext in and out as bytes, so that the reads, and their stamps, stay
// with the owner of the socket.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/http_transport.h"

struct ssl_ctx_st;
struct ssl_st;

namespace evenbench::net {

// What all sessions to one target share: trusted certificates and whether to check.
class TlsContext {
 public:
  // Error: environment, names a CA file that cannot be read.
  static Result<std::shared_ptr<TlsContext>> make(const Tls& options);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

 private:
  friend class TlsSession;
  TlsContext(ssl_ctx_st* context, bool verify) : context_(context), verify_(verify) {}
  ssl_ctx_st* context_;
  bool verify_;
};

// The client's side of one connection. Bytes for the peer collect in output() until taken.
class TlsSession {
 public:
  enum class State { kHandshake, kReady, kClosed, kFailed };

  // `host` is the name in the certificate, and the SNI where it is a name.
  TlsSession(std::shared_ptr<TlsContext> context, const std::string& host);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // Takes bytes of the peer ("" starts the handshake) and appends what they decrypt to.
  State feed(std::string_view ciphertext, std::string& plain);
  void write(std::string_view plain);
  // Ciphertext that waits to be sent; the caller clears what it has sent.
  std::string& output() { return output_; }
  [[nodiscard]] State state() const { return state_; }
  // After kFailed: "certificate verification failed: <reason>" or "TLS handshake failed: <reason>".
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  void handshake();
  void read_plain(std::string& plain);
  void collect_output();
  void fail();

  std::shared_ptr<TlsContext> context_;
  ssl_st* ssl_;
  State state_ = State::kHandshake;
  std::string output_;
  std::string why_;
};

}  // namespace evenbench::net
