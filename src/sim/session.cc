#include "sim/session.h"

#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <utility>

#include "sim/http.h"

namespace evenbench::sim {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::uint64_t kMostBody = std::uint64_t{16} << 20;

std::string_view view(boost::beast::string_view s) {
  return {s.data(), s.size()};
}

}  // namespace

Session::Session(asio::ip::tcp::socket socket, const Events& events)
    : socket_(std::move(socket)), events_(events) {}

void Session::start() {
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.non_blocking(true, ignored);
  // Holds the session for as long as its socket is open, even while nothing is read or written.
  socket_.async_wait(asio::socket_base::wait_error, [self = shared_from_this()](error_code error) {
    if (!error) self->close();
  });
  await_bytes();
}

// Bytes begin a request; the end of the connection while an answer is open means that nobody wants
// it any more.
void Session::await_bytes() {
  socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](error_code error) {
    if (!error) self->on_readable();
  });
}

void Session::on_readable() {
  if (!answering_) {
    read_request();
    return;
  }
  error_code error;
  char byte = 0;
  const std::size_t got =
      socket_.receive(asio::buffer(&byte, 1), asio::socket_base::message_peek, error);
  if (error == asio::error::would_block) {
    await_bytes();
  } else if (error || got == 0) {
    close();
  } else {
    more_came_ = true;
  }
}

void Session::read_request() {
  parser_.emplace();
  parser_->body_limit(kMostBody);
  http::async_read(
      socket_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
        if (!error) {
          self->on_request();
          return;
        }
        if (error.category() == http::make_error_code(http::error::end_of_stream).category() &&
            error != http::error::end_of_stream) {
          self->send(response({400, kTextType, error.message()}, false));
        }
        self->close();
      });
}

void Session::on_request() {
  const auto& request = parser_->get();
  keep_alive_ = request.keep_alive();
  answering_ = true;
  more_came_ = buffer_.size() > 0;
  if (!more_came_) await_bytes();
  events_.on_call(
      {view(request.method_string()), view(request.target()), request.body(), keep_alive_,
       view(request[http::field::authorization]), view(request[http::field::content_type])},
      *this);
}

void Session::send(std::string_view bytes) {
  if (broken_) return;
  if (writing_.empty()) {  // straight to the kernel: one write per event, no copy
    error_code error;
    const std::size_t sent = socket_.write_some(asio::buffer(bytes.data(), bytes.size()), error);
    bytes.remove_prefix(sent);
    // A lost connection is found by the wait for bytes: the service must not be called from here.
    broken_ = error && error != asio::error::would_block;
  }
  if (broken_ || bytes.empty()) return;
  pending_ += bytes;
  if (writing_.empty()) write_rest();
}

void Session::write_rest() {
  writing_.swap(pending_);
  asio::async_write(socket_, asio::buffer(writing_),
                    [self = shared_from_this()](error_code error, std::size_t) {
                      self->writing_.clear();
                      self->broken_ = self->broken_ || error;
                      if (!self->broken_ && !self->pending_.empty()) {
                        self->write_rest();
                      } else if (!self->answering_ && !self->keep_alive_) {
                        self->close();
                      }
                    });
}

void Session::end() {
  answering_ = false;
  if (!keep_alive_) {
    if (writing_.empty()) close();
  } else if (std::exchange(more_came_, false)) {
    read_request();
  }
}

void Session::close() {
  if (std::exchange(answering_, false)) events_.on_gone(*this);
  error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
}

}  // namespace evenbench::sim
