// Time limits and retries over real sockets.
#include <thread>

#include "client.h"
#include "scripted_server.h"

namespace evenbench::loopback {
namespace {

// Says nothing, or goes on with comments for ever, or with tokens.
Script drip(std::string piece, milliseconds every) {
  return [=](Peer& peer) {
    peer.read_request();
    peer.send(stream_head());
    for (int i = 0; i < 200; ++i) {
      peer.sleep(every);
      peer.send(piece);
    }
    peer.wait_for_stop();
  };
}
constexpr auto kComment = ": ping\n\n";

TEST(Limits, O28_ASilentServerMeetsTheIdleLimit) {
  ScriptedServer server([](Peer& peer) {
    peer.read_request();
    peer.wait_for_stop();
  });
  auto options = options_for(server.url());
  options.limits.idle = milliseconds{120};
  Client client(options);
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kTimedOut);
  EXPECT_EQ(got.detail, "idle timeout");
  EXPECT_GE(got.closed.user - got.sent, milliseconds{120});
}

TEST(Limits, CommentsKeepTheIdleLimitAwayButNotTheOneOfTheFirstToken) {
  ScriptedServer server(drip(chunk(kComment), milliseconds{20}));
  auto options = options_for(server.url());
  options.limits.idle = seconds{2};
  options.limits.first_token = milliseconds{200};
  Client client(options);
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kTimedOut);
  EXPECT_EQ(got.detail, "first token timeout");
  EXPECT_GE(got.closed.user - got.sent, milliseconds{200});
}

TEST(Limits, TokensDoNotKeepTheTotalLimitAway) {
  ScriptedServer server(drip(token("x"), milliseconds{20}));
  auto options = options_for(server.url());
  options.limits.total = milliseconds{250};
  options.limits.first_token = milliseconds{240};
  Client client(options);
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kTimedOut);
  EXPECT_EQ(got.detail, "total timeout");
  EXPECT_FALSE(got.tokens.empty());
}

TEST(Limits, AnAnswerWithinTheLimitsIsNotTouchedByThem) {
  ScriptedServer server([](Peer& peer) {
    while (peer.read_request()) peer.send(whole_stream(2));
  });
  auto options = options_for(server.url());
  options.limits = {.connect = seconds{10},
                    .total = seconds{10},
                    .idle = milliseconds{100},
                    .first_token = seconds{10}};
  Client client(options);
  EXPECT_EQ(client.exchange(0).ending, Ending::kDone);
  client.run_for(milliseconds{200});  // the limits of the first must not hit the second
  EXPECT_EQ(client.exchange(1).ending, Ending::kDone);
}

TEST(Limits, AClientThatStoodStillFindsWhatCameInTimeBeforeItsLimits) {
  ScriptedServer server([](Peer& peer) {
    while (peer.read_request()) {
      peer.sleep(milliseconds{20});
      peer.send(whole_stream(2));
    }
  });
  auto options = options_for(server.url());
  options.limits.total = milliseconds{200};
  options.preopen = 3;
  Client client(options);
  for (wire::Tag tag = 0; tag < 3; ++tag) client.send(tag);
  client.run_for(milliseconds{1});
  std::this_thread::sleep_for(milliseconds{400});  // the fault under test
  client.run_to(3);  // the first that ends must not leave the others to their limits
  for (const auto& [tag, exchanged] : client.done()) {
    EXPECT_EQ(exchanged.ending, Ending::kDone) << exchanged.detail;
  }
}

TEST(Limits, ACallerThatIsAlwaysLateStillReads) {
  ScriptedServer server([](Peer& peer) {
    while (peer.read_request()) peer.send(whole_stream(2));
  });
  Client client(options_for(server.url()));
  client.send(0);
  const MonoTime give_up = client.now() + seconds{20};
  while (client.done().empty() && client.now() < give_up) {
    client.run_until(client.now() - milliseconds{1});
  }
  EXPECT_EQ(client.done().size(), 1U);
}

Script refuse_first(std::string headers) {
  return [=](Peer& peer) {
    if (!peer.read_request()) return;
    peer.send(plain_answer(503, headers, "{\"error\":{\"message\":\"queue full\"}}"));
    if (!peer.read_request()) return;
    peer.sleep(milliseconds{60});
    peer.send(whole_stream(2));
    peer.wait_for_stop();
  };
}

TEST(Retries, O15_ThereAreNoneByDefault) {
  ScriptedServer server(refuse_first("Retry-After: 0\r\n"));
  Client client(options_for(server.url()));
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kHttpError);
  EXPECT_EQ(got.detail, "HTTP 503: queue full");
  EXPECT_EQ(got.attempts, 1U);
  EXPECT_EQ(got.refusals, 1U);
}

TEST(Retries, O15_WhenOnTheyAreCountedAndTimedFromTheFirstSend) {
  ScriptedServer server(refuse_first("Retry-After: 0\r\n"));
  auto options = options_for(server.url());
  options.retries = {.max = 1, .wait = milliseconds{150}};
  Client client(options);
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kDone) << got.detail;
  EXPECT_EQ(got.attempts, 2U);
  EXPECT_EQ(got.refusals, 1U);
  EXPECT_FALSE(got.reopened);
  EXPECT_GE(got.first_token.user - got.sent, milliseconds{210});
  EXPECT_EQ(server.accepted(), 1);
}

TEST(Retries, O15_TheServersOwnWaitIsKept) {
  ScriptedServer server(refuse_first("Retry-After: 1\r\n"));
  auto options = options_for(server.url());
  options.retries = {.max = 3, .wait = milliseconds{10}};
  Client client(options);
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kDone) << got.detail;
  EXPECT_GE(got.first_token.user - got.sent, milliseconds{1060});
}

TEST(Retries, TheLastRefusalIsTheEnding) {
  ScriptedServer server([](Peer& peer) {
    while (peer.read_request()) peer.send(plain_answer(429, "", "{}"));
  });
  auto options = options_for(server.url());
  options.retries = {.max = 2, .wait = milliseconds{5}};
  Client client(options);
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kHttpError);
  EXPECT_EQ(got.http_status, 429);
  EXPECT_EQ(got.attempts, 3U);
  EXPECT_EQ(got.refusals, 3U);
}

TEST(Retries, ARequestThatWaitsCanBeCut) {
  ScriptedServer server(refuse_first("Retry-After: 60\r\n"));
  auto options = options_for(server.url());
  options.retries = {.max = 1, .wait = milliseconds{5}};
  Client client(options);
  client.send(0);
  client.run_for(milliseconds{100});
  client.cut(0);
  client.run_to(1);
  EXPECT_EQ(client.done().at(0).ending, Ending::kCutAtEnd);
  EXPECT_EQ(client.done().at(0).refusals, 1U);
}

}  // namespace
}  // namespace evenbench::loopback
