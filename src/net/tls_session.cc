#include "net/tls_session.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <limits>

#include "base/check.h"

namespace evenbench::net {
namespace {

std::string last_reason() {
  const unsigned long code = ::ERR_peek_last_error();
  const char* reason = code != 0 ? ::ERR_reason_error_string(code) : nullptr;
  return reason != nullptr ? reason : "no reason given";
}

bool is_address(const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  return ::inet_pton(AF_INET, host.c_str(), bytes) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

int length_of(std::string_view bytes) {
  EVENBENCH_CHECK(bytes.size() <= std::numeric_limits<int>::max(), "{} bytes for one TLS call",
                  bytes.size());
  return static_cast<int>(bytes.size());
}

}  // namespace

Result<std::shared_ptr<TlsContext>> TlsContext::make(const Tls& options) {
  ::ERR_clear_error();
  SSL_CTX* context = ::SSL_CTX_new(::TLS_client_method());
  EVENBENCH_CHECK(context != nullptr, "no TLS context: {}", last_reason());
  std::shared_ptr<TlsContext> out(new TlsContext(context, options.verify));
  ::SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  ::SSL_CTX_set_mode(context, SSL_MODE_AUTO_RETRY);
  ::SSL_CTX_set_verify(context, options.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  if (!options.verify) return out;
  if (options.ca_file.empty()) {
    ::SSL_CTX_set_default_verify_paths(context);
  } else if (::SSL_CTX_load_verify_locations(context, options.ca_file.c_str(), nullptr) != 1) {
    return environment_error(
        fmt::format("the CA file '{}' cannot be read as PEM certificates ({}): check the path",
                    options.ca_file, last_reason()));
  }
  return out;
}

TlsContext::~TlsContext() {
  ::SSL_CTX_free(context_);
}

TlsSession::TlsSession(std::shared_ptr<TlsContext> context, const std::string& host)
    : context_(std::move(context)), ssl_(::SSL_new(context_->context_)) {
  EVENBENCH_CHECK(ssl_ != nullptr, "no TLS session: {}", last_reason());
  BIO* in = ::BIO_new(::BIO_s_mem());
  BIO* out = ::BIO_new(::BIO_s_mem());
  EVENBENCH_CHECK(in != nullptr && out != nullptr, "no memory for a TLS session");
  BIO_set_mem_eof_return(in, -1);  // an empty buffer is "wait", not the end of the stream
  ::SSL_set_bio(ssl_, in, out);    // takes both
  ::SSL_set_connect_state(ssl_);
  if (context_->verify_) ::SSL_set1_host(ssl_, host.c_str());
  if (!is_address(host)) SSL_set_tlsext_host_name(ssl_, host.c_str());
}

TlsSession::~TlsSession() {
  ::SSL_free(ssl_);
}

TlsSession::State TlsSession::feed(std::string_view ciphertext, std::string& plain) {
  ::ERR_clear_error();
  if (!ciphertext.empty()) {
    const int taken = ::BIO_write(::SSL_get_rbio(ssl_), ciphertext.data(), length_of(ciphertext));
    EVENBENCH_CHECK(taken == length_of(ciphertext), "a memory BIO took {} of {} bytes", taken,
                    ciphertext.size());
  }
  if (state_ == State::kHandshake) handshake();
  if (state_ == State::kReady) read_plain(plain);
  collect_output();  // also after a failure: the alert tells the peer why
  return state_;
}

void TlsSession::write(std::string_view plain) {
  EVENBENCH_CHECK(state_ == State::kReady, "bytes for a TLS session that is not open");
  if (plain.empty()) return;
  ::ERR_clear_error();
  // A memory BIO takes everything at once, and partial writes are off.
  if (::SSL_write(ssl_, plain.data(), length_of(plain)) <= 0) fail();
  collect_output();
}

void TlsSession::handshake() {
  const int done = ::SSL_do_handshake(ssl_);
  if (done == 1) {
    state_ = State::kReady;
  } else if (const int error = ::SSL_get_error(ssl_, done);
             error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
    fail();
  }
}

void TlsSession::read_plain(std::string& plain) {
  char record[16 * 1024];
  while (true) {
    const int got = ::SSL_read(ssl_, record, sizeof record);
    if (got > 0) {
      plain.append(record, static_cast<std::size_t>(got));
      continue;
    }
    const int error = ::SSL_get_error(ssl_, got);
    if (error == SSL_ERROR_ZERO_RETURN) {
      state_ = State::kClosed;
    } else if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
      fail();
    }
    return;
  }
}

void TlsSession::collect_output() {
  char bytes[16 * 1024];
  int got = 0;
  while ((got = ::BIO_read(::SSL_get_wbio(ssl_), bytes, sizeof bytes)) > 0) {
    output_.append(bytes, static_cast<std::size_t>(got));
  }
}

void TlsSession::fail() {
  const bool handshaking = state_ == State::kHandshake;
  state_ = State::kFailed;
  const long verdict = ::SSL_get_verify_result(ssl_);
  if (context_->verify_ && verdict != X509_V_OK) {
    why_ = fmt::format("certificate verification failed: {}",
                       ::X509_verify_cert_error_string(verdict));
  } else {
    why_ = fmt::format("TLS {} failed: {}", handshaking ? "handshake" : "stream", last_reason());
  }
}

}  // namespace evenbench::net
