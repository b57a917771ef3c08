// One HTTP exchange as a state machine: bytes and instants in, an Exchanged out. Joins HTTP
// framing, SSE and the engines' event dialects; decides the ending. No socket, no clock. Any split
// of the bytes gives the same result but for instants.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/exchange.h"

namespace evenbench::wire {

// How a connection ended under an exchange.
enum class Loss : std::uint8_t { kEof, kReset };
// Which time limit passed. Bytes of any kind (comments too) keep the idle limit alive; only a token
// event meets the first-token limit.
enum class Limit : std::uint8_t { kTotal, kIdle, kFirstToken, kConnect };

class Exchange {
 public:
  enum class Status : std::uint8_t {
    kMore,      // feed on
    kComplete,  // the response is over; see keep_alive()
    kBroken,    // protocol broken: close the connection
  };

  Exchange();
  ~Exchange();
  Exchange(Exchange&&) noexcept;
  Exchange& operator=(Exchange&&) noexcept;

  // Ready for a new request; keeps its buffers. `expect_stream`: the request asked for an event
  // stream. `keep_text`: collect the generated text (probes only).
  void begin(bool expect_stream, bool keep_text);

  // Bytes of a read will be fed soon: only makes on_bytes() faster.
  void prefetch() const;
  // The bytes of one read. After kComplete or kBroken no more may be fed until begin().
  Status on_bytes(std::string_view bytes, const Stamp& at);
  // The connection is gone / a limit passed / the step is over / no connection came about. Ends the
  // exchange.
  void on_lost(Loss loss, const Stamp& at);
  void on_limit(Limit limit, const Stamp& at);
  void on_cut(const Stamp& at);
  void on_connect_failed(std::string_view why, const Stamp& at);

  // Whether response bytes have come: decides if a stale connection may be reopened.
  [[nodiscard]] bool started() const;
  // After kComplete: may the connection carry another request?
  [[nodiscard]] bool keep_alive() const;
  [[nodiscard]] bool has_token() const;
  [[nodiscard]] int http_status() const;    // 0 until the status line is read
  [[nodiscard]] int retry_after_s() const;  // Retry-After in seconds, -1 if absent
  // What happened, once it is over; the sender's own instants (connect, sent, attempts, reopened)
  // are left for the caller.
  Exchanged take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace evenbench::wire
