#include "net/socket.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace evenbench::net {
namespace {

TEST(ConnectErrors, NameTheTargetAndTheRemedy) {
  Address target;
  target.text = "127.0.0.1:9";
  EXPECT_EQ(connect_error_text(ECONNREFUSED, target),
            "connection refused by 127.0.0.1:9 (nothing listens there)");
  EXPECT_NE(connect_error_text(EMFILE, target).find("ulimit -n"), std::string::npos);
  EXPECT_NE(connect_error_text(EADDRNOTAVAIL, target).find("ip_local_port_range"),
            std::string::npos);
  EXPECT_NE(connect_error_text(EHOSTUNREACH, target).find("No route to host"), std::string::npos);
}

TEST(Resolve, AddressesInNumbersNeedNoNameService) {
  const auto v4 = resolve("127.0.0.1", "80");
  ASSERT_TRUE(v4);
  EXPECT_EQ(v4->front().text, "127.0.0.1:80");
  const auto v6 = resolve("::1", "8080");
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->front().text, "[::1]:8080");
}

TEST(Resolve, APortThatIsNoneIsSaid) {
  const auto got = resolve("127.0.0.1", "no-such-port");
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().message.find("no-such-port"), std::string::npos);
}

TEST(UnixAddress, HasThePathOfItsSocket) {
  const auto got = unix_address("/run/vllm.sock");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->front().storage.ss_family, AF_UNIX);
  EXPECT_EQ(got->front().text, "unix:/run/vllm.sock");
}

TEST(UnixAddress, APathTheKernelCannotHoldIsRefusedAndNotCut) {
  EXPECT_TRUE(unix_address("/" + std::string(106, 'x')));
  const auto got = unix_address("/" + std::string(107, 'x'));
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().message.find("at most 107 bytes, not 108"), std::string::npos)
      << got.error().message;
}

}  // namespace
}  // namespace evenbench::net
