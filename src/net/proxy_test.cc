#include <gmock/gmock.h>

#include "net/fetch.h"

namespace evenbench::net {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Answer {
  std::string proxy;
  std::string warning;
};

Answer ask(const std::string& url, const std::string& no_proxy,
           const std::string& http_proxy = "http://127.0.0.1:9") {
  Answer out;
  out.proxy = proxy_for(wire::parse_endpoint(url).value(), http_proxy, "http://secure:3128",
                        no_proxy, &out.warning);
  return out;
}

TEST(ProxyFor, O26_LoopbackTargetsAreReachedDirectly) {
  for (const auto* url : {"http://127.0.0.1:8000", "http://127.8.9.1:80", "http://[::1]:8000",
                          "http://localhost:8000", "https://localhost:1"}) {
    EXPECT_EQ(ask(url, "").proxy, "none") << url;
  }
}

TEST(ProxyFor, O26_ANetworkInNoProxyExceptsItsAddresses) {
  EXPECT_EQ(ask("http://10.0.0.5:8000", "10.0.0.0/8").proxy, "none");
  EXPECT_EQ(ask("http://10.0.0.5:8000", "10.0.0.0/30").proxy, "http://127.0.0.1:9");
  EXPECT_EQ(ask("http://11.0.0.5:8000", "10.0.0.0/8").proxy, "http://127.0.0.1:9");
  EXPECT_EQ(ask("http://[fd00::7]:80", "fd00::/8").proxy, "none");
  EXPECT_EQ(ask("http://engine:80", "10.0.0.0/8").proxy, "http://127.0.0.1:9");
}

TEST(ProxyFor, NamesMatchAsWholesAndAsSuffixes) {
  for (const auto* entry :
       {"engine.lab", "lab", ".lab", "*.lab", " LAB ", "x.org, lab", "*", "engine.lab:8000"}) {
    EXPECT_EQ(ask("http://engine.lab:8000", entry).proxy, "none") << entry;
  }
  for (const auto* entry : {"ngine.lab", "ab", "engine.lab:8001", "engine", ""}) {
    EXPECT_EQ(ask("http://engine.lab:8000", entry).proxy, "http://127.0.0.1:9") << entry;
  }
}

TEST(ProxyFor, AddressesMatchAsAddresses) {
  EXPECT_EQ(ask("http://10.0.0.5:8000", "10.0.0.5").proxy, "none");
  EXPECT_EQ(ask("http://10.0.0.5:8000", "10.0.0.50").proxy, "http://127.0.0.1:9");
  EXPECT_EQ(ask("http://[fd00::7]:80", "[fd00::7]").proxy, "none");
  EXPECT_EQ(ask("http://[fd00::7]:80", "fd00:0::7").proxy, "none");
}

TEST(ProxyFor, O26_EntriesThatAreNotUnderstoodAreReported) {
  for (const auto* entry : {"10.0.0.0/99", "300.1.1.1", "http://x", "a b", "10.0.0.*"}) {
    const Answer got = ask("http://engine:80", entry);
    EXPECT_THAT(got.warning, HasSubstr(std::string("'") + entry + "'"));
    EXPECT_EQ(got.proxy, "http://127.0.0.1:9");
  }
  EXPECT_THAT(ask("http://engine:80", "lab,10.0.0.0/8,,fd00::/8,*.x").warning, IsEmpty());
}

TEST(ProxyFor, TheSchemeChoosesTheProxyAndItsCredentialsAreNotShown) {
  EXPECT_EQ(ask("https://engine:80", "").proxy, "http://secure:3128");
  EXPECT_EQ(ask("http://engine:80", "", "").proxy, "none");
  EXPECT_EQ(ask("http://engine:80", "", "http://me:pw@proxy:1").proxy, "http://proxy:1");
  EXPECT_EQ(ask("http://engine:80", "", "me:pw@proxy:1").proxy, "proxy:1");
}

}  // namespace
}  // namespace evenbench::net
