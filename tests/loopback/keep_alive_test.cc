// What becomes of connections between requests.
#include "client.h"
#include "scripted_server.h"

namespace evenbench::loopback {
namespace {

void answer_all(Peer& peer) {
  while (peer.read_request()) peer.send(whole_stream(2));
}

TEST(KeepAlive, O25c_FortyRequestsAtConcurrencyFourUseAtMostFourConnections) {
  ScriptedServer server(answer_all);
  Client client(options_for(server.url()));
  int opened = 0;
  for (wire::Tag round = 0; round < 10; ++round) {
    for (wire::Tag i = 0; i < 4; ++i) client.send(round * 4 + i);
    client.run_to((round + 1) * 4);
  }
  for (const auto& [tag, exchanged] : client.done()) {
    EXPECT_EQ(exchanged.ending, Ending::kDone) << exchanged.detail;
    EXPECT_EQ(observed(exchanged.connect_started), observed(exchanged.connected));
    opened += observed(exchanged.connected) ? 1 : 0;
  }
  EXPECT_EQ(opened, 4);
  EXPECT_EQ(server.accepted(), 4);
}

TEST(KeepAlive, TheConnectionUsedLastIsUsedFirst) {
  ScriptedServer server([](Peer& peer) {
    while (peer.read_request()) {
      if (peer.index() == 1) peer.sleep(milliseconds{100});  // its answer is the later one
      peer.send(stream_head() + token(std::to_string(peer.index())) + finish(1, 1 + peer.index()));
    }
  });
  Client client(options_for(server.url()));
  client.send(0);
  client.send(1);
  client.run_to(2);
  EXPECT_EQ(client.exchange(2).output_tokens, 2U);  // answered by connection 1
}

TEST(KeepAlive, O24_AConnectionClosedBeforeTheFirstByteIsOpenedAnewOnce) {
  ScriptedServer server([](Peer& peer) {
    if (!peer.read_request()) return;
    peer.send(whole_stream(2));
    // Closes on the second request, before any byte of an answer.
    if (peer.index() == 0) {
      peer.read_request();
      return;
    }
    peer.wait_for_stop();
  });
  Client client(options_for(server.url()));
  EXPECT_EQ(client.exchange(0).ending, Ending::kDone);
  const Exchanged second = client.exchange(1);
  EXPECT_EQ(second.ending, Ending::kDone) << second.detail;
  EXPECT_TRUE(second.reopened);
  EXPECT_EQ(second.attempts, 1U);
  EXPECT_LT(second.sent, second.connect_started);
  EXPECT_EQ(server.accepted(), 2);
}

TEST(KeepAlive, ASecondCloseWithoutAnAnswerIsAFailure) {
  ScriptedServer server([](Peer& peer) {
    if (peer.index() == 0 && peer.read_request()) peer.send(whole_stream(2));
    peer.read_request();
  });
  Client client(options_for(server.url()));
  EXPECT_EQ(client.exchange(0).ending, Ending::kDone);
  const Exchanged second = client.exchange(1);
  EXPECT_EQ(second.ending, Ending::kReset);
  EXPECT_TRUE(second.reopened);
  EXPECT_EQ(server.accepted(), 2);
}

TEST(KeepAlive, AFreshConnectionThatIsClosedIsNotOpenedAnew) {
  ScriptedServer server([](Peer& peer) { peer.read_request(); });
  Client client(options_for(server.url()));
  const Exchanged only = client.exchange(0);
  EXPECT_EQ(only.ending, Ending::kReset);
  EXPECT_FALSE(only.reopened);
  EXPECT_EQ(server.accepted(), 1);
}

TEST(KeepAlive, AnIdleConnectionThatEndsIsDroppedQuietly) {
  ScriptedServer server([](Peer& peer) {
    if (peer.read_request()) peer.send(whole_stream(1));
    if (peer.index() == 1) peer.wait_for_stop();
  });
  Client client(options_for(server.url()));
  EXPECT_EQ(client.exchange(0).ending, Ending::kDone);
  client.run_for(milliseconds{200});
  const Exchanged second = client.exchange(1);
  EXPECT_EQ(second.ending, Ending::kDone);
  EXPECT_FALSE(second.reopened);
  EXPECT_TRUE(observed(second.connected));
}

TEST(KeepAlive, AServerThatSaysCloseGetsANewConnection) {
  ScriptedServer server([](Peer& peer) {
    while (peer.read_request()) peer.send(plain_answer(500, "Connection: close\r\n", "{}"));
  });
  Client client(options_for(server.url()));
  EXPECT_EQ(client.exchange(0).ending, Ending::kHttpError);
  EXPECT_FALSE(client.exchange(1).reopened);
  EXPECT_EQ(server.accepted(), 2);
}

TEST(KeepAlive, ConnectionsOpenedAheadCarryTheFirstRequests) {
  ScriptedServer server(answer_all);
  auto options = options_for(server.url());
  options.preopen = 3;
  Client client(options);
  for (wire::Tag tag = 0; tag < 3; ++tag) client.send(tag);
  client.run_to(3);
  for (const auto& [tag, exchanged] : client.done()) {
    EXPECT_EQ(exchanged.ending, Ending::kDone);
    EXPECT_FALSE(observed(exchanged.connect_started));
  }
  EXPECT_EQ(server.accepted(), 3);
}

TEST(KeepAlive, ConnectionsOpenedAheadAreDealtAmongTheWorkers) {
  ScriptedServer server(answer_all);
  auto options = options_for(server.url());
  options.preopen = 5;
  const SystemClock clock;
  const auto transports = net::make_http_transports(options, 3, clock);
  ASSERT_TRUE(transports);
  std::vector<std::uint64_t> opened;
  for (const auto& transport : *transports) {
    opened.push_back(transport->take_health().connections_opened);
  }
  EXPECT_EQ(opened, (std::vector<std::uint64_t>{2, 2, 1}));
}

}  // namespace
}  // namespace evenbench::loopback
