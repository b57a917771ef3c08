#include "net/connection.h"

#include "net/socket.h"

namespace evenbench::net {

namespace {

// The kernel was not asked for so long: what arrived since may have filled a receive buffer.
constexpr Nanos kLongUnwatched = std::chrono::milliseconds{50};

}  // namespace

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
    if (is_limit_error(opening.error)) loop_.health.note_limit_error();
    // Told from the loop, as every outcome is.
    loop_.events->later([self = shared_from_this(), error = opening.error] {
      if (!self->closed_) self->on_address_failed(error);
    });
    return;
  }
  fd_ = opening.fd;
  connecting_ = true;
  loop_.events->watch(fd_, EPOLLOUT, *this);
}

void Connection::on_events(std::uint32_t events) {
  const auto self = shared_from_this();  // the owner may let go
  if (connecting_) return on_connect_over();
  if (waits_writable_ && (events & EPOLLOUT) != 0) {
    waits_writable_ = false;
    loop_.events->watch_for(fd_, EPOLLIN);
    flush();
    if (closed_) return;
  }
  if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) on_readable();
}

void Connection::read_now() {
  const auto self = shared_from_this();
  on_readable();
}

void Connection::on_connect_over() {
  const int outcome = connect_outcome(fd_);
  connecting_ = false;
  if (outcome != 0) {
    if (is_limit_error(outcome)) loop_.health.note_limit_error();
    on_address_failed(outcome);
  } else {
    on_connected();
  }
}

void Connection::on_address_failed(int error) {
  close_socket();
  const std::size_t index = address_index();
  if (++tried_ < target_.addresses.size()) {
    try_address();
  } else {
    fail(connect_error_text(error, target_.addresses[index]));
  }
}

void Connection::on_connected() {
  target_.preferred = address_index();
  loop_.health.note_opened();
  loop_.events->watch_for(fd_, EPOLLIN);
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

void Connection::close_socket() {
  if (fd_ < 0) return;
  loop_.events->forget(fd_);
  close_descriptor(fd_);
  fd_ = -1;
}

void Connection::close() {
  if (!closed_ && fd_ >= 0 && !connecting_) {
    count_segments();
    loop_.health.note_closed();
  }
  closed_ = true;
  ready_ = false;
  unsent_ = {};
  close_socket();
}

void Connection::count_segments() {
  if (fd_ < 0 || connecting_) return;
  const auto all = segments_of(fd_);
  if (!all) return;
  loop_.health.note_segments(*all - counted_);
  counted_ = *all;
}

void Connection::on_readable() {
  // Once bytes have waited, the window is looked at before they are taken: taking them opens it.
  const bool waited = loop_.events->last_look() - loop_.events->look_before() > kLongUnwatched;
  if ((crowded_ || waited) && receive_window_is_closed(fd_)) loop_.health.note_zero_window();
  owner_.on_reading(*this);
  const Received got = receive(fd_, loop_.buffer.data(), loop_.buffer.size());
  Stamp at{.user = loop_.clock.now(), .kernel = kNever};
  if (got.again) return;
  if (got.bytes == 0) {
    if (!ready_) return fail("the connection was closed during the TLS handshake");
    close();
    return owner_.on_lost(*this, got.eof ? wire::Loss::kEof : wire::Loss::kReset, at);
  }
  at.kernel = loop_.kernel_clock.at(got.kernel, at.user);
  note_read(got.bytes, at);
  const std::string_view bytes(loop_.buffer.data(), got.bytes);
  if (tls_) {
    on_decrypted(bytes, at);
  } else {
    owner_.on_bytes(*this, bytes, at);
  }
}

void Connection::note_read(std::size_t bytes, const Stamp& at) {
  loop_.health.note_read(at);
  crowded_ = bytes == loop_.buffer.size();
  loop_.health.note_queue(crowded_ ? bytes + unread_bytes(fd_) : bytes);
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
      loop_.events->later([self = shared_from_this()] {
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
    const std::ptrdiff_t sent = send_some(fd_, unsent_);
    if (sent < 0) {
      // Dead for writing, but an answer may still lie in the receive buffer: the read side tells.
      unsent_ = {};
    } else if (sent == 0) {
      waits_writable_ = true;
      loop_.events->watch_for(fd_, EPOLLIN | EPOLLOUT);
    } else {
      unsent_.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
}

}  // namespace evenbench::net
