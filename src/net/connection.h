// One TCP (or TLS) connection on the loop: opens, writes, reads once per readiness and stamps each
// read. Knows bytes only, nothing of HTTP.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/stamp.h"
#include "net/address.h"
#include "net/kernel_clock.h"
#include "net/tls_session.h"
#include "wire/exchange.h"

namespace evenbench::net {

struct Flight;
class Connection;

class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  // Called from the loop only, never from inside a call of Connection.
  virtual void on_ready(Connection& connection) = 0;
  virtual void on_failed(Connection& connection, const std::string& why) = 0;  // was never ready
  virtual void on_bytes(Connection& connection, std::string_view bytes, const Stamp& at) = 0;
  virtual void on_lost(Connection& connection, wire::Loss loss, const Stamp& at) = 0;
};

// What the connections of one loop share.
struct Loop {
  explicit Loop(const Clock& the_clock) : clock(the_clock), kernel_clock(the_clock) {}
  boost::asio::io_context io{1};
  const Clock& clock;
  KernelClock kernel_clock;
  std::array<char, std::size_t{64} << 10> buffer{};
  std::string plain;  // what one read decrypts to
};

struct Target {
  std::string host;  // as in the certificate
  std::vector<Address> addresses;
  std::size_t preferred = 0;        // the address that last worked
  std::shared_ptr<TlsContext> tls;  // null: plain TCP
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Loop& loop, Target& target, ConnectionOwner& owner)
      : loop_(loop), target_(target), owner_(owner), socket_(loop.io) {}

  void open();
  // Once ready. `bytes` must stay valid until flushed(), close() or on_lost.
  void write(std::string_view bytes);
  [[nodiscard]] bool flushed() const { return unsent_.empty(); }
  [[nodiscard]] bool ready() const { return ready_; }
  // Nothing is called any more after this.
  void close();

  Flight* flight = nullptr;  // whose answer is awaited; null: idle

 private:
  [[nodiscard]] std::size_t address_index() const;
  void try_address();
  void on_connected();
  void on_address_failed(int error);
  void fail(const std::string& why);
  void wait_readable();
  void on_readable();
  void on_decrypted(std::string_view ciphertext, const Stamp& at);
  void flush();

  Loop& loop_;
  Target& target_;
  ConnectionOwner& owner_;
  boost::asio::posix::stream_descriptor socket_;
  std::unique_ptr<TlsSession> tls_;
  std::size_t first_ = 0;  // index of the address tried first
  std::size_t tried_ = 0;  // addresses that failed
  std::string_view unsent_;
  std::string ciphertext_;  // backs unsent_ under TLS
  bool ready_ = false;
  bool closed_ = false;
  bool waits_writable_ = false;
};

}  // namespace evenbench::net
