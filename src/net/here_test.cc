#include "net/here.h"

#include <gtest/gtest.h>

namespace evenbench::net {
namespace {

bool here(const std::string& url) {
  const std::vector<std::string> own = {"bench-host", "10.1.2.3", "fe80::1", "2001:db8::7"};
  return is_here(*wire::parse_endpoint(url), own);
}

TEST(Here, LoopbackUnixSocketsAndOwnAddressesAreThisMachine) {
  for (const char* url :
       {"http://127.0.0.1:8000", "http://127.9.9.9", "http://localhost:1", "http://a.localhost",
        "http://[::1]:8000", "http://0.0.0.0:8000", "unix:/run/x.sock", "http://10.1.2.3:8000",
        "http://bench-host:8000", "http://Bench-Host", "http://[2001:db8:0::7]:1",
        "http://[::ffff:10.1.2.3]:1"}) {
    EXPECT_TRUE(here(url)) << url;
  }
}

TEST(Here, EverythingElseIsAnother) {
  for (const char* url : {"https://gateway.example/api/v1", "http://10.1.2.4", "http://bench-host2",
                          "http://bench-host.example", "http://[2001:db8::8]", "http://8.8.8.8"}) {
    EXPECT_FALSE(here(url)) << url;
  }
}

TEST(Here, WithoutOwnNamesOnlyLoopbackIsHere) {
  EXPECT_TRUE(is_here(*wire::parse_endpoint("http://127.0.0.1"), {}));
  EXPECT_FALSE(is_here(*wire::parse_endpoint("http://10.1.2.3"), {}));
}

}  // namespace
}  // namespace evenbench::net
