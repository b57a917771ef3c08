// How an exchange ends when it does not end well: streams that stop, junk, limits, losses, cuts.
#include <gtest/gtest.h>

#include "wire/testing/stream_script.h"

namespace evenbench::wire {
namespace {

using namespace testing;  // NOLINT: the short hand of the cases

TEST(ExchangeEndings, AStreamThatJustStopsIsNoSuccess) {
  const auto x = play({{10, text_event("a")}});
  EXPECT_EQ(x.ending, Ending::kBadStream);
  EXPECT_EQ(x.detail, "the stream ended without a finish reason or [DONE]");
}

TEST(ExchangeEndings, AFinishReasonAloneOrADoneMarkAloneIsAnEnd) {
  EXPECT_EQ(play({{1, text_event("a") + finish_event("stop")}}).ending, Ending::kDone);
  EXPECT_EQ(play({{1, text_event("a") + done_event()}}).ending, Ending::kDone);
  // The last event may lack its blank line when the body has properly ended.
  EXPECT_EQ(play({{1, text_event("a") + "data: [DONE]"}}).ending, Ending::kDone);
}

TEST(ExchangeEndings, WhatIsNotJsonBreaksTheStreamAndIsQuoted) {
  Exchange exchange;
  exchange.begin(true, false);
  EXPECT_EQ(exchange.on_bytes(std::string(kStreamHead) + chunk("data: oops\n\n"), at_ms(3)),
            Exchange::Status::kBroken);
  const auto x = exchange.take();
  EXPECT_EQ(x.ending, Ending::kBadStream);
  EXPECT_NE(x.detail.find("oops"), std::string::npos);
}

TEST(ExchangeEndings, LimitsAreNamedAndKeepTheStatus) {
  for (const auto& [limit, name] :
       std::vector<std::pair<Limit, std::string>>{{Limit::kTotal, "total timeout"},
                                                  {Limit::kIdle, "idle timeout"},
                                                  {Limit::kFirstToken, "first token timeout"},
                                                  {Limit::kConnect, "connect timeout"}}) {
    Exchange exchange;
    exchange.begin(true, false);
    if (limit != Limit::kConnect) exchange.on_bytes(kStreamHead, at_ms(3));
    exchange.on_limit(limit, at_ms(60'000));
    const auto x = exchange.take();
    EXPECT_EQ(x.ending, Ending::kTimedOut);
    EXPECT_EQ(x.detail, name);
    EXPECT_EQ(x.http_status, limit == Limit::kConnect ? 0 : 200);
    EXPECT_EQ(ms_of(x.closed), 60'000);
  }
}

TEST(ExchangeEndings, ARefusalKeepsItsCodeInWordsAndWhenToComeAgain) {
  const std::string body = R"({"error":{"message":"no more money","code":"insufficient_quota"}})";
  const auto refused = [&](const std::string& header) {
    Exchange exchange;
    exchange.begin(true, false);
    exchange.on_bytes(
        fmt::format("HTTP/1.1 429 x\r\n{}Content-Length: {}\r\n\r\n{}", header, body.size(), body),
        at_ms(1));
    return exchange.take();
  };
  EXPECT_EQ(refused("").detail, "HTTP 429: insufficient_quota: no more money");
  EXPECT_EQ(refused("").retry_after_s, std::nullopt);
  EXPECT_EQ(refused("Retry-After: 7\r\n").retry_after_s, 7);
}

TEST(ExchangeEndings, ALossBeforeTheResponseIsToldFromOneInside) {
  const auto lost = [](std::string_view bytes, Loss loss) {
    Exchange exchange;
    exchange.begin(true, false);
    exchange.on_bytes(bytes, at_ms(1));
    EXPECT_EQ(exchange.started(), !bytes.empty());
    exchange.on_lost(loss, at_ms(2));
    return exchange.take().detail;
  };
  EXPECT_EQ(lost("", Loss::kEof), "transport: closed before the response");
  EXPECT_EQ(lost("", Loss::kReset), "transport: connection reset");
  EXPECT_EQ(lost("HTTP/1.1 20", Loss::kEof), "transport: response head incomplete");
  EXPECT_EQ(lost(kStreamHead, Loss::kEof), "transport: body incomplete");
}

TEST(ExchangeEndings, ABodyThatEndsWithItsConnectionIsWhole) {
  Exchange exchange;
  exchange.begin(true, false);
  exchange.on_bytes("HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\n", at_ms(1));
  exchange.on_bytes(text_event("a") + finish_event("stop") + "data: [DONE]\n", at_ms(2));
  exchange.on_lost(Loss::kEof, at_ms(3));
  EXPECT_FALSE(exchange.keep_alive());
  EXPECT_EQ(exchange.take().ending, Ending::kDone);
}

TEST(ExchangeEndings, ACutRequestIsNobodysFault) {
  Exchange exchange;
  exchange.begin(true, false);
  exchange.on_bytes(std::string(kStreamHead) + chunk(text_event("a")), at_ms(1));
  exchange.on_cut(at_ms(9));
  const auto x = exchange.take();
  EXPECT_EQ(x.ending, Ending::kCutAtEnd);
  EXPECT_EQ(x.tokens.size(), 1U);
  EXPECT_EQ(ms_of(x.closed), 9);
}

}  // namespace
}  // namespace evenbench::wire
