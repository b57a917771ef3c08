// O-27: a certificate that nobody vouches for, three ways, for load and for single fetches.
#include <gmock/gmock.h>

#include "certificate.h"
#include "client.h"
#include "net/fetch.h"
#include "scripted_server.h"

namespace evenbench::loopback {
namespace {

using ::testing::HasSubstr;

class TlsServer : public ::testing::Test {
 protected:
  static void answer(Peer& peer) {
    while (const auto request = peer.read_request()) {
      if (request->starts_with("GET ")) {
        peer.send(plain_answer(200, "", "{\"status\":\"ok\"}"));
      } else {
        peer.send(whole_stream(300));
      }
    }
  }
  net::TransportOptions options(const net::Tls& tls) {
    auto out = options_for(server_.url());
    out.tls = tls;
    return out;
  }
  Result<net::Fetched> get(const net::Tls& tls) {
    return net::fetch(options(tls).endpoint, "GET", "/health", {}, "", {.tls = tls}, clock_);
  }

  const Certificate certificate_ = make_certificate();
  ScriptedServer server_{answer, {.host = "127.0.0.1", .tls = certificate_}};
  SystemClock clock_;
};

TEST_F(TlsServer, O27_ASelfSignedCertificateIsRefusedInWords) {
  const MonoTime start = clock_.now();
  Client client(options({}));
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kConnectFailed);
  EXPECT_THAT(got.detail, HasSubstr("certificate verification failed: self-signed certificate"));
  const auto fetched = get({});
  ASSERT_FALSE(fetched);
  EXPECT_THAT(fetched.error().message, HasSubstr("certificate verification failed"));
  EXPECT_THAT(fetched.error().message, HasSubstr(server_.url() + "/health"));
  EXPECT_LT(clock_.now() - start, seconds{5});
}

TEST_F(TlsServer, O27_GivenAsTrustedItIsAcceptedAndTheConnectionKept) {
  const TempFile ca(certificate_.certificate_pem);
  Client client(options({.verify = true, .ca_file = ca.path()}));
  for (wire::Tag tag = 0; tag < 3; ++tag) {
    const Exchanged got = client.exchange(tag);
    EXPECT_EQ(got.ending, Ending::kDone) << got.detail;
    EXPECT_EQ(got.tokens.size(), 300U);
  }
  EXPECT_EQ(server_.accepted(), 1);
  const auto fetched = get({.verify = true, .ca_file = ca.path()});
  ASSERT_TRUE(fetched);
  EXPECT_EQ(fetched->body, "{\"status\":\"ok\"}");
}

TEST_F(TlsServer, O27_WithCheckingOffItIsAccepted) {
  Client client(options({.verify = false, .ca_file = ""}));
  EXPECT_EQ(client.exchange(0).ending, Ending::kDone);
  EXPECT_TRUE(get({.verify = false, .ca_file = ""}));
}

TEST_F(TlsServer, ATrustedCertificateForAnotherNameIsRefused) {
  const TempFile ca(certificate_.certificate_pem);
  auto other = options({.verify = true, .ca_file = ca.path()});
  other.endpoint.host = "127.0.0.2";  // the same machine, but not in the certificate
  const ScriptedServer everywhere(answer, {.host = "0.0.0.0", .tls = certificate_});
  other.endpoint.port = everywhere.url().substr(everywhere.url().rfind(':') + 1);
  Client client(other);
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kConnectFailed);
  EXPECT_THAT(got.detail, HasSubstr("certificate verification failed: IP address mismatch"));
}

TEST_F(TlsServer, ARequestOfAMegabyteGoesThrough) {
  auto unchecked = options({.verify = false, .ca_file = ""});
  Client client(unchecked);
  const std::string body(std::size_t{1} << 20, 'b');
  client.use_request(wire::http_request("POST", unchecked.endpoint, "/", {}, body));
  EXPECT_EQ(client.exchange(0).ending, Ending::kDone);
}

TEST(Tls, AServerThatSpeaksPlainIsNamedAsSuch) {
  ScriptedServer plain([](Peer& peer) {
    peer.send(plain_answer(400, "Connection: close\r\n", "{}"));
    peer.read_request();
  });
  Client client(options_for("https" + plain.url().substr(4)));
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kConnectFailed);
  EXPECT_THAT(got.detail, ::testing::StartsWith("TLS handshake failed: "));
}

TEST(Tls, AHandshakeThatStallsMeetsTheConnectLimit) {
  ScriptedServer silent([](Peer& peer) { peer.wait_for_stop(); });
  auto options = options_for("https" + silent.url().substr(4));
  options.limits.connect = milliseconds{150};
  Client client(options);
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kTimedOut);
  EXPECT_EQ(got.detail, "connect timeout");
  EXPECT_FALSE(observed(got.connected));
}

TEST(Tls, AMissingCaFileIsNamedWithItsPath) {
  auto options = options_for("https://127.0.0.1:1");
  options.tls.ca_file = "/nowhere/ca.pem";
  const SystemClock clock;
  const auto made = net::make_http_transport(options, clock);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("/nowhere/ca.pem"));
}

}  // namespace
}  // namespace evenbench::loopback
