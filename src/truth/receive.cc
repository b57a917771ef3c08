#include "truth/receive.h"

#include <linux/net_tstamp.h>
#include <sys/socket.h>
#include <time.h>

#include <cstring>

namespace evenbench::truth {
namespace {

// The stamp is wall time; how long ago it was is the same by every clock.
MonoTime instant_of(const timespec& stamp, const Clock& clock) {
  const WallTime wall{std::chrono::seconds{stamp.tv_sec} + Nanos{stamp.tv_nsec}};
  const Nanos ago = clock.wall() - wall;
  return clock.now() - ago;
}

}  // namespace

void ask_for_stamps(int fd) {
  const int stamps = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
  ::setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof stamps);
}

Received receive(int fd, char* buffer, std::size_t size, const Clock& clock) {
  iovec part{.iov_base = buffer, .iov_len = size};
  alignas(cmsghdr) char control[256];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  Received out{.bytes = ::recvmsg(fd, &message, 0)};
  if (out.bytes <= 0) return out;
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPING) continue;
    timespec software{};  // the first of three
    std::memcpy(&software, CMSG_DATA(c), sizeof software);
    out.kernel = instant_of(software, clock);
  }
  return out;
}

}  // namespace evenbench::truth
