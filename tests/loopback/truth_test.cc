// What the transport stamps, held against a server of another make that wrote down when it sent.
#include <algorithm>
#include <vector>

#include "client.h"
#include "truth_process.h"

namespace evenbench::loopback {
namespace {

TEST(Truth, NoTokenIsStampedBeforeItWasSentAndFewLongAfter) {
  TruthServer server({"--ttft", "30", "--interval", "5", "--tokens", "20"});
  auto options = options_for(server.url());
  Client client(options);
  client.use_request(wire::http_request("POST", options.endpoint, "/v1/chat/completions", {},
                                        "{\"stream\":true}"));
  for (wire::Tag tag = 0; tag < 5; ++tag) {
    ASSERT_EQ(client.exchange(tag).ending, Ending::kDone) << client.done().at(tag).detail;
  }
  server.stop();
  const auto writes = server.writes();
  ASSERT_EQ(writes.size(), 5U);
  std::vector<Nanos> delays;
  for (wire::Tag tag = 0; tag < 5; ++tag) {
    const auto& got = client.done().at(tag);
    ASSERT_EQ(got.tokens.size(), writes[tag].size());
    for (std::size_t i = 0; i < writes[tag].size(); ++i) {
      const Stamp& at = got.tokens[i].at;
      EXPECT_GE(at.user, writes[tag][i]);
      // The two clocks are matched to some hundred nanoseconds.
      if (observed(at.kernel)) {
        EXPECT_GE(at.kernel + std::chrono::microseconds{50}, writes[tag][i]);
      }
      delays.push_back(at.user - writes[tag][i]);
    }
    EXPECT_GE(got.first_token.user - got.sent, milliseconds{30});
  }
  std::nth_element(delays.begin(), delays.begin() + 50, delays.end());
  EXPECT_LT(delays[50], milliseconds{10});  // 0.03 ms on an idle machine
}

TEST(Truth, EventsOfOneSendAreMarkedMerged) {
  TruthServer server(
      {"--ttft", "20", "--interval", "5", "--tokens", "12", "--events-per-send", "4"});
  auto options = options_for(server.url());
  Client client(options);
  client.use_request(
      wire::http_request("POST", options.endpoint, "/v1/completions", {}, "{\"stream\":true}"));
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kDone) << got.detail;
  EXPECT_EQ(got.tokens.size(), 12U);
  EXPECT_TRUE(std::all_of(got.tokens.begin(), got.tokens.end(),
                          [](const TokenEvent& event) { return event.merged; }));
}

TEST(Truth, TheServerSaysOfEverySendHowLateItWas) {
  TruthServer server(
      {"--ttft", "20", "--interval", "5", "--tokens", "32", "--events-per-send", "16"});
  auto options = options_for(server.url());
  Client client(options);
  client.use_request(wire::http_request("POST", options.endpoint, "/v1/chat/completions",
                                        {{"X-Evenbench-Request", "4-2"}}, "{\"stream\":true}"));
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.tokens.size(), 32U);
  server.stop();
  const auto log = server.log();
  ASSERT_EQ(log.size(), 1U);
  EXPECT_EQ(log[0]["id"], "4-2");
  EXPECT_EQ(log[0]["tokens"], 32);
  ASSERT_EQ(log[0]["writes_ns"].size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t due = log[0]["arrival_ns"].get<std::int64_t>() + 20'000'000 +
                             static_cast<std::int64_t>(i) * 16 * 5'000'000;
    EXPECT_EQ(log[0]["writes_ns"][i].get<std::int64_t>() - due,
              log[0]["late_ns"][i].get<std::int64_t>());
    EXPECT_GE(log[0]["late_ns"][i].get<std::int64_t>(), 0);
  }
}

TEST(Truth, FlatOutEveryTokenArrivesThoughMoreThanASocketHoldsIsSentAtOnce) {
  TruthServer server(
      {"--ttft", "1", "--interval", "0", "--tokens", "150000", "--events-per-send", "16"});
  auto options = options_for(server.url());
  Client client(options);
  client.use_request(wire::http_request("POST", options.endpoint, "/v1/chat/completions", {},
                                        "{\"stream\":true}"));
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kDone) << got.detail;
  EXPECT_EQ(got.tokens.size(), 150000U);
  server.stop();
  const auto writes = server.writes();
  ASSERT_EQ(writes.size(), 1U);
  ASSERT_EQ(writes[0].size(), 9375U);
  EXPECT_TRUE(std::is_sorted(writes[0].begin(), writes[0].end()));
  for (std::size_t i = 0; i < got.tokens.size(); ++i) {
    ASSERT_GE(got.tokens[i].at.user, writes[0][i / 16]) << i;
  }
}

TEST(Truth, IsSpokenToOverAUnixSocketToo) {
  const TempFile file("");
  TruthServer server({"--unix", file.path() + ".sock", "--ttft", "5", "--interval", "1"});
  auto options = options_for(server.url());
  Client client(options);
  client.use_request(wire::http_request("POST", options.endpoint, "/v1/chat/completions", {},
                                        "{\"stream\":true}"));
  EXPECT_EQ(client.exchange(0).ending, Ending::kDone);
  EXPECT_EQ(client.exchange(1).tokens.size(), 16U);
  server.stop();
  EXPECT_EQ(server.log().size(), 2U);
}

}  // namespace
}  // namespace evenbench::loopback
