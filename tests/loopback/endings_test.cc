// How requests end over real sockets.
#include <fstream>

#include "client.h"
#include "scripted_server.h"

namespace evenbench::loopback {
namespace {

TEST(Endings, AWholeStreamIsDoneAndItsInstantsAreInOrder) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.send(stream_head());
    for (int i = 0; i < 3; ++i) {
      peer.sleep(milliseconds{30});
      peer.send(token("x"));
    }
    peer.send(finish(5, 3));
    peer.wait_for_stop();
  });
  Client client(options_for(server.url()));
  const Exchanged got = client.exchange(7);
  EXPECT_EQ(got.ending, Ending::kDone) << got.detail;
  EXPECT_EQ(got.output_tokens, 3U);
  EXPECT_LE(got.sent, got.connect_started);
  EXPECT_LT(got.connect_started, got.connected);
  EXPECT_LT(got.connected, got.headers.user);
  EXPECT_LE(got.headers.user, got.first_token.user);
  EXPECT_GE(got.last_token.user - got.first_token.user, milliseconds{40});
  EXPECT_LE(got.last_token.user, got.closed.user);
  EXPECT_GE(got.first_token.user - got.sent, milliseconds{28});
  EXPECT_EQ(got.attempts, 1U);
}

TEST(Endings, KernelStampsLieBetweenTheSendAndTheRead) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.send(whole_stream(2));
    peer.wait_for_stop();
  });
  Client client(options_for(server.url()));
  const Exchanged got = client.exchange(0);
  if (!observed(got.first_token.kernel)) GTEST_SKIP() << "this kernel gives no receive stamps";
  EXPECT_GT(got.first_token.kernel, got.sent);
  EXPECT_LE(got.first_token.kernel, got.first_token.user);
}

TEST(Endings, O14_AChunkCutByAResetIsAnIncompleteBody) {
  ScriptedServer server([](Peer& peer) {
    if (!peer.read_request()) return;
    if (peer.index() != 0) {
      peer.send(whole_stream(2));
      return peer.wait_for_stop();
    }
    peer.send(stream_head());
    peer.sleep(milliseconds{20});
    peer.send(token("a"));
    peer.sleep(milliseconds{20});
    peer.send(token("b"));
    peer.sleep(milliseconds{20});
    peer.send("40\r\n" + std::string(20, 'x'));
    peer.sleep(milliseconds{100});
    peer.reset();
  });
  Client client(options_for(server.url()));
  client.send(0);
  client.run_for(milliseconds{40});  // connection 0 is in use for sure
  client.send(1);
  client.run_to(2);
  const Exchanged& cut = client.done().at(0);
  EXPECT_EQ(cut.ending, Ending::kReset);
  EXPECT_EQ(cut.detail, "transport: body incomplete");
  EXPECT_EQ(cut.tokens.size(), 2U);
  EXPECT_EQ(cut.http_status, 200);
  EXPECT_GE(cut.closed.user - cut.sent, milliseconds{150});
  EXPECT_FALSE(cut.reopened);
  EXPECT_EQ(client.done().at(1).ending, Ending::kDone);
}

TEST(Endings, ARefusedConnectionIsNamed) {
  const std::string address = "127.0.0.1:" + std::to_string(unused_port());
  Client client(options_for("http://" + address));
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kConnectFailed);
  EXPECT_EQ(got.detail, "connection refused by " + address + " (nothing listens there)");
  EXPECT_FALSE(observed(got.sent));  // not a byte of it was
  EXPECT_TRUE(observed(got.connect_started));
  EXPECT_FALSE(observed(got.connected));
}

TEST(Endings, CutEndsAnOpenRequestOnceAndLeavesTheOthers) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.send(stream_head() + token("a"));
    peer.sleep(milliseconds{150});
    peer.send(finish(1, 1));
    peer.wait_for_stop();
  });
  Client client(options_for(server.url()));
  client.send(0);
  client.send(1);
  client.run_for(milliseconds{60});
  client.cut(0);
  client.cut(99);
  EXPECT_TRUE(client.done().empty());  // never from inside cut()
  client.run_to(2);
  client.cut(0);
  client.run_for(milliseconds{20});
  EXPECT_EQ(client.done().at(0).ending, Ending::kCutAtEnd);
  EXPECT_EQ(client.done().at(0).tokens.size(), 1U);
  EXPECT_EQ(client.done().at(1).ending, Ending::kDone);
}

TEST(Endings, ABodyOfAMegabyteIsSentAndReadWhole) {
  ScriptedServer server([](Peer& peer) {
    const auto request = peer.read_request();
    const std::string filler(std::size_t{1} << 20, 'y');
    peer.send(stream_head() + token(std::to_string(request ? request->size() : 0)));
    peer.send(chunk(": " + filler + "\n\n") + finish(1, 1));
    peer.wait_for_stop();
  });
  auto options = options_for(server.url());
  Client client(options);
  const std::string body(std::size_t{1} << 20, 'b');
  client.use_request(
      wire::http_request("POST", options.endpoint, "/v1/chat/completions", {}, body));
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kDone) << got.detail;
  EXPECT_GT(got.bytes, std::uint64_t{1} << 20);
  EXPECT_GT(got.reads, 10U);
}

TEST(Endings, TheSixthVersionOfTheProtocolWorksToo) {
  if (!std::ifstream("/proc/net/if_inet6").good()) GTEST_SKIP() << "no IPv6 on this machine";
  ScriptedServer server(
      [](Peer& peer) {
        while (peer.read_request()) peer.send(whole_stream(1));
      },
      {.host = "::1", .tls = {}});
  Client client(options_for(server.url()));
  EXPECT_EQ(client.exchange(0).ending, Ending::kDone);
}

TEST(Endings, EveryAddressOfANameIsTried) {
  // localhost is ::1 and 127.0.0.1 on most machines; the server listens on one of them.
  ScriptedServer server([](Peer& peer) {
    while (peer.read_request()) peer.send(whole_stream(1));
  });
  const std::string port = server.url().substr(server.url().rfind(':'));
  Client client(options_for("http://localhost" + port));
  EXPECT_EQ(client.exchange(0).ending, Ending::kDone);
}

TEST(Endings, RunUntilReturnsAtItsDeadlineAndNotBefore) {
  Client client(options_for("http://127.0.0.1:" + std::to_string(unused_port())));
  for (int i = 0; i < 20; ++i) {
    const MonoTime deadline = client.now() + milliseconds{3};
    const MonoTime back = client.run_until(deadline);
    EXPECT_GE(back, deadline);
    EXPECT_LT(back, deadline + seconds{1});
  }
}

}  // namespace
}  // namespace evenbench::loopback
