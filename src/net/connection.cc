#include "net/connection.h"

#include <boost/asio/post.hpp>

#include "net/socket.h"

namespace evenbench::net {

namespace asio = boost::asio;
using Wait = asio::posix::stream_descriptor::wait_type;

void Connection::open() {
  first_ = target_.preferred;
  try_address();
}

std::size_t Connection::address_index() const {
  return (first_ + tried_) % target_.addresses.size();
}

void Connection::try_address() {
  const Opening opening = start_connect(target_.addresses[address_index()]);
  if (opening.fd < 0) {
    // Told from the loop, as every outcome is.
    asio::post(loop_.io, [self = shared_from_this(), error = opening.error] {
      if (!self->closed_) self->on_address_failed(error);
    });
    return;
  }
  boost::system::error_code failed;
  socket_.assign(opening.fd, failed);
  EVENBENCH_CHECK(!failed, "the event loop takes no socket: {}", failed.message());
  socket_.async_wait(Wait::wait_write, [self = shared_from_this()](const auto& error) {
    if (error || self->closed_) return;
    const int outcome = connect_outcome(self->socket_.native_handle());
    if (outcome != 0) {
      self->on_address_failed(outcome);
    } else {
      self->on_connected();
    }
  });
}

void Connection::on_address_failed(int error) {
  boost::system::error_code ignored;
  socket_.close(ignored);
  const std::size_t index = address_index();
  if (++tried_ < target_.addresses.size()) {
    try_address();
  } else {
    fail(connect_error_text(error, target_.addresses[index]));
  }
}

void Connection::on_connected() {
  target_.preferred = address_index();
  wait_readable();
  if (!target_.tls) {
    ready_ = true;
    owner_.on_ready(*this);
    return;
  }
  tls_ = std::make_unique<TlsSession>(target_.tls, target_.host);
  on_decrypted("", Stamp{});
}

void Connection::fail(const std::string& why) {
  const auto self = shared_from_this();  // the owner may let go
  close();
  owner_.on_failed(*this, why);
}

void Connection::close() {
  closed_ = true;
  ready_ = false;
  unsent_ = {};
  boost::system::error_code ignored;
  socket_.close(ignored);
}

void Connection::wait_readable() {
  socket_.async_wait(Wait::wait_read, [self = shared_from_this()](const auto& error) {
    if (!error && !self->closed_) self->on_readable();
  });
}

void Connection::on_readable() {
  const Received got = receive(socket_.native_handle(), loop_.buffer.data(), loop_.buffer.size());
  Stamp at{.user = loop_.clock.now(), .kernel = kNever};
  if (got.again) return wait_readable();
  if (got.bytes == 0) {
    if (!ready_) return fail("the connection was closed during the TLS handshake");
    close();
    return owner_.on_lost(*this, got.eof ? wire::Loss::kEof : wire::Loss::kReset, at);
  }
  at.kernel = loop_.kernel_clock.at(got.kernel, at.user);
  const std::string_view bytes(loop_.buffer.data(), got.bytes);
  if (tls_) {
    on_decrypted(bytes, at);
  } else {
    owner_.on_bytes(*this, bytes, at);
  }
  if (!closed_) wait_readable();
}

void Connection::on_decrypted(std::string_view ciphertext, const Stamp& at) {
  loop_.plain.clear();
  const TlsSession::State state = tls_->feed(ciphertext, loop_.plain);
  flush();
  if (!ready_) {
    if (state == TlsSession::State::kFailed) return fail(tls_->why());
    if (state == TlsSession::State::kHandshake) return;
    ready_ = true;
    owner_.on_ready(*this);
  }
  if (!closed_ && !loop_.plain.empty()) owner_.on_bytes(*this, loop_.plain, at);
  if (closed_ || state == TlsSession::State::kReady) return;
  close();
  owner_.on_lost(*this, state == TlsSession::State::kClosed ? wire::Loss::kEof : wire::Loss::kReset,
                 at);
}

void Connection::write(std::string_view bytes) {
  EVENBENCH_CHECK(ready_, "a write to a connection that is not open");
  if (tls_) {
    tls_->write(bytes);
    if (tls_->state() == TlsSession::State::kFailed) {
      asio::post(loop_.io, [self = shared_from_this()] {
        if (self->closed_) return;
        self->close();
        self->owner_.on_lost(*self, wire::Loss::kReset, Stamp{.user = self->loop_.clock.now()});
      });
    }
  } else {
    unsent_ = bytes;
  }
  flush();
}

void Connection::flush() {
  if (tls_ && !tls_->output().empty()) {
    const std::string rest(unsent_);
    ciphertext_ = rest + tls_->output();
    tls_->output().clear();
    unsent_ = ciphertext_;
  }
  while (!unsent_.empty() && !waits_writable_) {
    const std::ptrdiff_t sent = send_some(socket_.native_handle(), unsent_);
    if (sent < 0) {
      // Dead for writing, but an answer may still lie in the receive buffer: the read side tells.
      unsent_ = {};
    } else if (sent == 0) {
      waits_writable_ = true;
      socket_.async_wait(Wait::wait_write, [self = shared_from_this()](const auto& error) {
        self->waits_writable_ = false;
        if (!error && !self->closed_) self->flush();
      });
    } else {
      unsent_.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
}

}  // namespace evenbench::net
