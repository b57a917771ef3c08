#include "net/socket.h"

#include <fmt/format.h>
#include <linux/net_tstamp.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace evenbench::net {
namespace {

void set_options(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  // Where the kernel refuses, reads carry no kernel stamp and the user stamp stands alone.
  const int stamps = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
  ::setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof stamps);
}

WallTime stamp_of(msghdr& message) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPING) continue;
    timespec software{};  // the first of three: the software stamp
    std::memcpy(&software, CMSG_DATA(c), sizeof software);
    return WallTime{std::chrono::seconds{software.tv_sec} + Nanos{software.tv_nsec}};
  }
  return WallTime{};
}

// tcpi_rcv_wnd follows tcpi_snd_wnd since Linux 6.2; the header may be older.
constexpr std::size_t kReceiveWindowAt = offsetof(tcp_info, tcpi_snd_wnd) + sizeof(__u32);

// One number of tcp_info; nullopt where the kernel's is too short to hold it.
class TcpInfo {
 public:
  explicit TcpInfo(int fd) {
    socklen_t size = sizeof bytes_;
    if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, bytes_.data(), &size) == 0) size_ = size;
  }
  [[nodiscard]] std::optional<std::uint32_t> at(std::size_t offset) const {
    std::uint32_t value = 0;
    if (size_ < offset + sizeof value) return std::nullopt;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

 private:
  std::array<unsigned char, 512> bytes_{};
  std::size_t size_ = 0;
};

std::string open_files_text() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return fmt::format(
      "too many open files: this process may have {} (hard limit {}); raise it with ulimit -n",
      limit.rlim_cur, limit.rlim_max);
}

}  // namespace

void close_descriptor(int fd) {
  ::close(fd);
}

bool is_limit_error(int error) {
  return error == EMFILE || error == ENFILE || error == EADDRNOTAVAIL || error == ENOBUFS ||
         error == ENOMEM;
}

std::optional<Segments> segments_of(int fd) {
  const TcpInfo info(fd);
  const auto sent = info.at(offsetof(tcp_info, tcpi_segs_out));
  const auto resent = info.at(offsetof(tcp_info, tcpi_total_retrans));
  if (!sent || !resent) return std::nullopt;
  return Segments{.sent = *sent, .resent = *resent};
}

bool receive_window_is_closed(int fd) {
  return TcpInfo(fd).at(kReceiveWindowAt) == 0U;
}

std::uint64_t unread_bytes(int fd) {
  int bytes = 0;
  return ::ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
}

Opening start_connect(const Address& address) {
  const int fd = ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return {.fd = -1, .error = errno};
  set_options(fd);
  // A signal does not undo a connect that has begun: EINTR is a connect in progress.
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address.storage), address.length) == 0 ||
      errno == EINPROGRESS || errno == EINTR) {
    return {.fd = fd, .error = 0};
  }
  const int error = errno;
  ::close(fd);
  return {.fd = -1, .error = error};
}

int connect_outcome(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

std::string connect_error_text(int error, const Address& address) {
  switch (error) {
    case ECONNREFUSED:
      return fmt::format("connection refused by {} (nothing listens there)", address.text);
    case ETIMEDOUT:
      return fmt::format("no answer from {}", address.text);
    case EMFILE:
      return open_files_text();
    case ENFILE:
      return "too many open files on this machine (fs.file-max)";
    case EADDRNOTAVAIL:
      return fmt::format(
          "no local port is left for {}: widen net.ipv4.ip_local_port_range on this machine",
          address.text);
    default:
      return fmt::format("no connection to {}: {}", address.text, std::strerror(error));
  }
}

Received receive(int fd, char* buffer, std::size_t size) {
  iovec part{.iov_base = buffer, .iov_len = size};
  alignas(cmsghdr) char control[256];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = ::recvmsg(fd, &message, MSG_DONTWAIT);
  Received out;
  if (got > 0) {
    out.bytes = static_cast<std::size_t>(got);
    out.kernel = stamp_of(message);
  } else if (got == 0) {
    out.eof = true;
  } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
    out.again = true;
  } else {
    out.error = errno;
  }
  return out;
}

std::ptrdiff_t send_some(int fd, std::string_view bytes) {
  const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0) return sent;
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
}

}  // namespace evenbench::net
