// One TCP (or TLS) connection on the loop: opens, writes, reads once per readiness and stamps each
// read. Knows bytes only, nothing of HTTP.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/stamp.h"
#include "net/address.h"
#include "net/event_loop.h"
#include "net/health_count.h"
#include "net/kernel_clock.h"
#include "net/tls_session.h"
#include "wire/exchange.h"

namespace evenbench::net {

struct Flight;
class Connection;

class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  // All are called from the loop only, never from inside a call of Connection but read_now().

  // Bytes are about to be read. The call into the kernel leaves time to fetch what they will need
  // into the processor's caches, from which a thousand other streams have driven it.
  virtual void on_reading(Connection&) {}

  virtual void on_ready(Connection& connection) = 0;
  virtual void on_failed(Connection& connection, const std::string& why) = 0;  // was never ready
  virtual void on_bytes(Connection& connection, std::string_view bytes, const Stamp& at) = 0;
  virtual void on_lost(Connection& connection, wire::Loss loss, const Stamp& at) = 0;
};

// What the connections of one loop share.
struct Loop {
  Loop(std::unique_ptr<EventLoop> the_events, const Clock& the_clock)
      : events(std::move(the_events)), clock(the_clock), kernel_clock(the_clock) {}
  std::unique_ptr<EventLoop> events;
  const Clock& clock;
  KernelClock kernel_clock;
  HealthCount health;
  std::array<char, std::size_t{64} << 10> buffer{};
  std::string plain;  // what one read decrypts to
};

struct Target {
  std::string host;  // as in the certificate
  std::vector<Address> addresses;
  std::size_t preferred = 0;        // the address that last worked
  std::shared_ptr<TlsContext> tls;  // null: plain TCP
};

class Connection final : public Watcher, public std::enable_shared_from_this<Connection> {
 public:
  Connection(Loop& loop, Target& target, ConnectionOwner& owner)
      : loop_(loop), target_(target), owner_(owner) {}
  ~Connection() override { close(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void open();
  // Once ready. `bytes` must stay valid until flushed(), close() or on_lost.
  void write(std::string_view bytes);
  [[nodiscard]] bool flushed() const { return unsent_.empty(); }
  [[nodiscard]] bool ready() const { return ready_; }
  // Reads once what lies in the socket, as if the loop had found it; the owner is called for it.
  // Once ready.
  void read_now();
  // Nothing is called any more after this.
  void close();
  // Adds what the kernel counted of this connection so far, and has not been added before.
  void count_segments();

  Flight* flight = nullptr;  // whose answer is awaited; null: idle

 private:
  [[nodiscard]] std::size_t address_index() const;
  void on_events(std::uint32_t events) override;
  void try_address();
  void on_connect_over();
  void on_connected();
  void on_address_failed(int error);
  void fail(const std::string& why);
  void close_socket();
  void on_readable();
  void note_read(std::size_t bytes, const Stamp& at);
  void on_decrypted(std::string_view ciphertext, const Stamp& at);
  void flush();

  Loop& loop_;
  Target& target_;
  ConnectionOwner& owner_;
  int fd_ = -1;
  std::unique_ptr<TlsSession> tls_;
  std::size_t first_ = 0;  // index of the address tried first
  std::size_t tried_ = 0;  // addresses that failed
  std::string_view unsent_;
  std::string ciphertext_;  // backs unsent_ under TLS
  bool connecting_ = false;
  bool ready_ = false;
  bool closed_ = false;
  bool waits_writable_ = false;
  bool crowded_ = false;  // a read has left bytes behind
  Segments counted_;
};

}  // namespace evenbench::net
