// The system calls of one TCP connection, and what their errors mean to a person. Never blocks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/time.h"
#include "net/address.h"

namespace evenbench::net {

struct Opening {
  int fd = -1;    // -1: it failed at once
  int error = 0;  // errno of the failure
};
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

// Bytes taken by the kernel; 0 when its buffer is full, -1 when the connection is dead.
std::ptrdiff_t send_some(int fd, std::string_view bytes);

}  // namespace evenbench::net
