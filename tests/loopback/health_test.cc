// What the transport says of itself when the client does not keep up with what arrives.
#include <gmock/gmock.h>

#include <thread>

#include "client.h"
#include "scripted_server.h"

namespace evenbench::loopback {
namespace {

const std::string kHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

std::string event(const std::string& word) {
  return "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + word + "\"}}]}\n\n";
}

TEST(Health, AReaderThatStandsStillForThreeSecondsClosesItsWindowAndSaysSo) {
  // More than both socket buffers hold; where they are larger, the kernel's limit on them is.
  constexpr std::size_t kBytes = std::size_t{64} << 20U;
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.send(kHead);
    const std::string piece = event(std::string(60'000, 'x'));
    for (std::size_t sent = 0; sent < kBytes; sent += piece.size()) peer.send(piece);
    peer.send("data: [DONE]\n\n");
  });
  Client client(options_for(server.url()));
  client.send(1);
  client.run_for(milliseconds{1});
  std::this_thread::sleep_for(seconds{3});  // the fault under test
  client.run_to(1);
  const TransportHealth health = client.take_health();
  EXPECT_GE(health.zero_windows, 1U);
  EXPECT_GT(health.receive_queue_max, 64U << 10U);
  ASSERT_TRUE(health.delay_max);  // loopback stamps every read
  EXPECT_GT(*health.delay_max, seconds{1});
}

TEST(Health, AReaderThatKeepsUpHasNeverClosedItsWindow) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.send(kHead);
    for (int i = 0; i < 50; ++i) {
      peer.send(event("word"));
      peer.sleep(milliseconds{1});
    }
    peer.send("data: [DONE]\n\n");
  });
  Client client(options_for(server.url()));
  EXPECT_EQ(client.exchange(1).ending, Ending::kDone);
  const TransportHealth health = client.take_health();
  EXPECT_EQ(health.zero_windows, 0U);
  EXPECT_GE(health.reads, 2U);
  EXPECT_EQ(health.stamped_reads, health.reads);
  EXPECT_EQ(health.connections_opened, 1U);
  EXPECT_EQ(health.limit_errors, 0U);
  EXPECT_GT(health.receive_queue_max, 0U);  // what one read took had waited for it
  EXPECT_LT(health.receive_queue_max, 64U << 10U);
}

TEST(Health, AReaderThatStandsStillWhileLittleComesHasNotClosedItsWindow) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.sleep(milliseconds{100});
    peer.send(kHead + event("word") + "data: [DONE]\n\n");
  });
  Client client(options_for(server.url()));
  client.send(1);
  client.run_for(milliseconds{1});
  std::this_thread::sleep_for(milliseconds{400});  // the window is looked at after it
  client.run_to(1);
  EXPECT_EQ(client.take_health().zero_windows, 0U);
}

TEST(Health, SegmentsOfConnectionsThatAreClosedAreCounted) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.send(kHead + event("a") + "data: [DONE]\n\n");
  });
  Client client(options_for(server.url()));
  for (wire::Tag tag = 0; tag < 3; ++tag) client.exchange(tag);
  const TransportHealth health = client.take_health();
  EXPECT_EQ(health.connections_opened, 3U);
  ASSERT_TRUE(health.segments_sent);
  EXPECT_GE(*health.segments_sent, 9U);  // of each: SYN, request, at least one acknowledgement
  EXPECT_EQ(health.segments_resent, 0U);
}

TEST(Health, SegmentsOfAConnectionThatStaysOpenAreCountedOnce) {
  ScriptedServer server([](Peer& peer) {
    while (peer.read_request()) peer.send(whole_stream(2));
  });
  Client client(options_for(server.url()));
  client.exchange(1);
  EXPECT_GE(client.take_health().segments_sent.value_or(0), 2U);
  client.run_for(milliseconds{100});  // the last acknowledgement
  client.take_health();
  EXPECT_EQ(client.take_health().segments_sent.value_or(0), 0U);
}

}  // namespace
}  // namespace evenbench::loopback
