// Single blocking requests.
#include "net/fetch.h"

#include <gmock/gmock.h>

#include "client.h"
#include "scripted_server.h"

namespace evenbench::loopback {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Result<net::Fetched> get(const std::string& url, Nanos timeout = seconds{10}) {
  const SystemClock clock;
  const auto endpoint = wire::parse_endpoint(url).value();
  return net::fetch(endpoint, "GET", endpoint.root_path("health"), {}, "",
                    {.tls = {}, .timeout = timeout}, clock);
}

TEST(Fetch, BodiesAreDecodedWhateverTheirFraming) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    const std::string type = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
    if (peer.index() == 0) peer.send(type + "Content-Length: 6\r\n\r\nhealth");
    if (peer.index() == 1) {
      peer.send(type + "Transfer-Encoding: chunked\r\n\r\n" + chunk("hea") + chunk("lth"));
      peer.send("0\r\n\r\n");
    }
    if (peer.index() == 2) peer.send(type + "\r\nhealth");
  });
  for (int i = 0; i < 3; ++i) {
    const auto got = get(server.url());
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(got->status, 200);
    EXPECT_EQ(got->content_type, "text/plain");
    EXPECT_EQ(got->body, "health");
  }
}

TEST(Fetch, AnotherStatusIsAnAnswerToo) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.send(plain_answer(401, "", "{\"error\":\"no key\"}"));
  });
  const auto got = get(server.url());
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->status, 401);
}

TEST(Fetch, ErrorsNameTheUrlAndTheCause) {
  const std::string nobody = "http://127.0.0.1:" + std::to_string(unused_port());
  const auto refused = get(nobody);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, StartsWith("GET " + nobody + "/health: "));
  EXPECT_THAT(refused.error().message, HasSubstr("connection refused by 127.0.0.1"));

  ScriptedServer silent([](Peer& peer) {
    peer.read_request();
    peer.wait_for_stop();
  });
  const auto late = get(silent.url(), milliseconds{200});
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().message, HasSubstr("no whole answer within 0.2 s"));

  ScriptedServer closing([](Peer& peer) {
    peer.read_request();
    if (peer.index() == 1) peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
  });
  const auto none = get(closing.url());
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("closed without an answer"));
  const auto half = get(closing.url());
  ASSERT_FALSE(half);
  EXPECT_THAT(half.error().message, HasSubstr("broke before the answer was whole"));
}

TEST(Fetch, AnAnswerWithoutEndIsGivenUpAtFourMebibytes) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\n\r\n");
    const std::string block(std::size_t{1} << 20, 'z');
    for (int i = 0; i < 6; ++i) peer.send(block);
    peer.wait_for_stop();
  });
  const auto got = get(server.url());
  ASSERT_FALSE(got);
  EXPECT_THAT(got.error().message, HasSubstr("larger than 4 MiB"));
}

TEST(Fetch, AStreamIsFetchedWithItsText) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.send(stream_head() + token("Hel") + token("lo") + finish(4, 2));
    peer.wait_for_stop();
  });
  const SystemClock clock;
  const auto options = options_for(server.url());
  const std::string request =
      wire::http_request("POST", options.endpoint, "/v1/chat/completions", {}, "{}");
  const auto got = net::fetch_stream(options, request, clock);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->ending, Ending::kDone);
  EXPECT_EQ(got->text, "Hello");
  EXPECT_EQ(got->prompt_tokens, 4U);
}

TEST(Fetch, AStreamThatIsRefusedIsAnEndingAndNoError) {
  const auto options = options_for("http://127.0.0.1:" + std::to_string(unused_port()));
  const SystemClock clock;
  const auto got = net::fetch_stream(options, "GET / HTTP/1.1\r\n\r\n", clock);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->ending, Ending::kConnectFailed);
}

}  // namespace
}  // namespace evenbench::loopback
