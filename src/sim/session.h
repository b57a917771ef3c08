// One connection of the simulated engine's server: reads requests, writes answers, notices that the
// client has gone. Knows no engine.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/service.h"

namespace evenbench::sim {

class Session final : public Client, public std::enable_shared_from_this<Session> {
 public:
  struct Events {
    std::function<void(const Call&, Client&)> on_call;
    std::function<void(Client&)> on_gone;  // while an answer was open
  };
  Session(boost::asio::ip::tcp::socket socket, const Events& events);

  void start();
  void send(std::string_view bytes) override;
  void end() override;

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  void await_bytes();
  void on_readable();
  void read_request();
  void on_request();
  void write_rest();
  void close();

  boost::asio::ip::tcp::socket socket_;
  const Events& events_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::string pending_;  // accepted by send(), not yet by the kernel
  std::string writing_;  // handed to the pending write
  bool answering_ = false;
  bool more_came_ = false;  // bytes of a next request while this one is answered
  bool keep_alive_ = true;
  bool broken_ = false;
};

}  // namespace evenbench::sim
