// The system calls of one TCP connection, and what their errors mean to a person. Never blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "net/address.h"

namespace evenbench::net {

struct Opening {
  int fd = -1;    // -1: it failed at once
  int error = 0;  // errno of the failure
};
void close_descriptor(int fd);
// Whether an errno means that this machine, not the peer, has run out of something.
bool is_limit_error(int error);
// Starts a connect; it is over when the socket is writable. Nagle's delay is off, receive stamps
// are asked for.
Opening start_connect(const Address& address);
// The outcome of a connect that is over: 0 or an errno.
int connect_outcome(int fd);
// "connection refused by 127.0.0.1:9 (nothing listens there)" …; names the remedy where a limit of
// this machine is the cause.
std::string connect_error_text(int error, const Address& address);

struct Received {
  std::size_t bytes = 0;
  bool again = false;  // nothing there yet
  bool eof = false;
  int error = 0;  // errno, e.g. ECONNRESET
  // When the kernel took in the last byte, by CLOCK_REALTIME; the epoch where it did not say.
  WallTime kernel{};
};
Received receive(int fd, char* buffer, std::size_t size);

// What the kernel says of a TCP connection (tcp(7), TCP_INFO); nullopt or false where it says
// nothing, as for Unix sockets.
struct Segments {  // sent by this side
  std::uint64_t sent = 0, resent = 0;
  friend Segments operator-(const Segments& a, const Segments& b) {
    return {.sent = a.sent - b.sent, .resent = a.resent - b.resent};
  }
};
std::optional<Segments> segments_of(int fd);
// The peer was last told that there is no room for more: it must wait for this program.
bool receive_window_is_closed(int fd);
// Received and not read yet.
std::uint64_t unread_bytes(int fd);

// Bytes taken by the kernel; 0 when its buffer is full, -1 when the connection is dead.
std::ptrdiff_t send_some(int fd, std::string_view bytes);

}  // namespace evenbench::net
