#include "net/flight.h"

#include <gtest/gtest.h>

#include <string>

#include "net/alarms.h"

namespace evenbench::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr MonoTime kStart{seconds{100}};

Flight started() {
  Flight flight;
  flight.exchange.begin(true, false);
  flight.begin(1, "request", kStart);
  flight.written = true;
  return flight;
}

void feed(Flight& flight, const std::string& bytes, MonoTime at) {
  flight.exchange.on_bytes(bytes, Stamp{.user = at, .kernel = kNever});
  flight.last_bytes = at;
}

const std::string kHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\n";
const std::string kToken = "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n";
std::string refusal(const std::string& headers) {
  return "HTTP/1.1 503 No\r\n" + headers + "Content-Length: 0\r\n\r\n";
}

TEST(FlightDue, WithoutLimitsItIsNever) {
  EXPECT_EQ(started().due({.connect = Nanos{0}}).at, MonoTime::max());
}

TEST(FlightDue, TheEarliestLimitComesFirst) {
  const Limits limits{
      .connect = seconds{1}, .total = seconds{9}, .idle = seconds{2}, .first_token = seconds{5}};
  Flight flight = started();
  flight.opening_since = kStart;
  EXPECT_EQ(flight.due(limits).limit, wire::Limit::kConnect);
  EXPECT_EQ(flight.due(limits).at, kStart + seconds{1});
  flight.opening_since = kNever;
  EXPECT_EQ(flight.due(limits).limit, wire::Limit::kIdle);
  EXPECT_EQ(flight.due(limits).at, kStart + seconds{2});
  feed(flight, kHead, kStart + seconds{4});
  EXPECT_EQ(flight.due(limits).limit, wire::Limit::kFirstToken);
  feed(flight, kToken, kStart + seconds{4});
  EXPECT_EQ(flight.due(limits).limit, wire::Limit::kIdle);
  feed(flight, kToken, kStart + seconds{8});
  EXPECT_EQ(flight.due(limits).limit, wire::Limit::kTotal);
  EXPECT_EQ(flight.due(limits).at, kStart + seconds{9});
}

TEST(FlightDue, O28_ATokenASecondForFiveMinutesIsAnAnswerByDefault) {
  const Limits defaults;
  Flight flight = started();
  feed(flight, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", kStart);
  for (int second = 1; second <= 310; ++second) {
    ASSERT_GT(flight.due(defaults).at, kStart + seconds{second}) << second;
    feed(flight, kToken, kStart + seconds{second});
  }
  flight.exchange.on_bytes("data: [DONE]\n\n", Stamp{.user = kStart + seconds{310}});
  flight.exchange.on_lost(wire::Loss::kEof, Stamp{.user = kStart + seconds{310}});
  const Exchanged got = flight.take();
  EXPECT_EQ(got.first_token.user - got.sent, seconds{1});
  EXPECT_EQ(got.last_token.user - got.sent, seconds{310});
  EXPECT_EQ(got.tokens.size(), 310U);
}

TEST(FlightDue, O28_SilenceBehindTheHeadersMeetsTheIdleLimitAfterTheLastByte) {
  const Limits limits{.idle = seconds{10}};
  Flight flight = started();
  feed(flight, kHead, kStart + milliseconds{10});
  const Due due = flight.due(limits);
  EXPECT_EQ(due.at, kStart + milliseconds{10} + seconds{10});
  flight.exchange.on_limit(due.limit, Stamp{.user = due.at});
  const Exchanged got = flight.take();
  EXPECT_EQ(got.ending, Ending::kTimedOut);
  EXPECT_EQ(got.detail, "idle timeout");
  EXPECT_EQ(got.closed.user, due.at);
}

TEST(FlightDue, WhileItWaitsToBeSentAgainOnlyTheTotalLimitRuns) {
  const Limits limits{.connect = seconds{1},
                      .total = seconds{60},
                      .idle = milliseconds{1},
                      .first_token = seconds{2}};
  Flight flight = started();
  feed(flight, refusal(""), kStart);
  flight.note_refusal(true, false, kStart + seconds{30});
  EXPECT_EQ(flight.due(limits).limit, wire::Limit::kTotal);
}

TEST(Flight, OnlyAPooledConnectionWithoutAnAnswerIsOpenedAnewAndOnce) {
  Flight flight = started();
  EXPECT_FALSE(flight.may_reopen());
  flight.pooled = true;
  EXPECT_TRUE(flight.may_reopen());
  flight.reopened = true;
  EXPECT_FALSE(flight.may_reopen());
  flight.reopened = false;
  feed(flight, "H", kStart);
  EXPECT_FALSE(flight.may_reopen());
}

TEST(Flight, TheWaitIsTheLongerOfTheServersAndTheOptions) {
  const Retries retries{.max = 1, .wait = milliseconds{500}};
  const auto wait = [&](const std::string& headers) {
    Flight flight = started();
    feed(flight, refusal(headers), kStart);
    return flight.retry_wait(retries);
  };
  EXPECT_EQ(wait(""), milliseconds{500});
  EXPECT_EQ(wait("Retry-After: 0\r\n"), milliseconds{500});
  EXPECT_EQ(wait("Retry-After: 7\r\n"), seconds{7});
}

TEST(Flight, O15_RefusalsAreCountedAndTheFirstSendStands) {
  const Retries retries{.max = 1, .wait = milliseconds{500}};
  Flight flight = started();
  feed(flight, refusal(""), kStart + milliseconds{5});
  ASSERT_TRUE(flight.retry_wait(retries));
  flight.note_refusal(true, false, kStart + milliseconds{505});
  flight.resend_at = kNever;
  ++flight.attempts;
  flight.attempt_sent = kStart + milliseconds{505};
  feed(flight, refusal(""), kStart + milliseconds{510});
  EXPECT_FALSE(flight.retry_wait(retries));
  const Exchanged out = flight.take();
  EXPECT_EQ(out.sent, kStart);
  EXPECT_EQ(out.attempts, 2U);
  EXPECT_EQ(out.refusals, 2U);
  EXPECT_EQ(out.bytes, 2 * refusal("").size());
}

TEST(Flight, AServerThatAsksForADayIsNotWaitedForSoLong) {
  Flight flight = started();
  feed(flight, refusal("Retry-After: 99999\r\n"), kStart);
  EXPECT_EQ(flight.retry_wait({.max = 1, .wait = milliseconds{1}}), seconds{60});
}

TEST(Flight, WhatFoundNoConnectionWasNeverSent) {
  Flight flight = started();
  flight.written = false;
  flight.exchange.on_connect_failed("connection refused", Stamp{.user = kStart, .kernel = kNever});
  EXPECT_EQ(flight.take().sent, kNever);
}

TEST(Flight, O15_WithoutRetriesARefusalIsTheEnd) {
  Flight flight = started();
  feed(flight, refusal("Retry-After: 0\r\n"), kStart);
  EXPECT_FALSE(flight.retry_wait({}));
}

TEST(Alarms, TheEarliestIsTakenFirst) {
  Alarms alarms;
  EXPECT_EQ(alarms.next(), MonoTime::max());
  alarms.add({.at = kStart + seconds{2}, .tag = 2, .serial = 1});
  alarms.add({.at = kStart + seconds{1}, .tag = 1, .serial = 1});
  EXPECT_EQ(alarms.next(), kStart + seconds{1});
  EXPECT_EQ(alarms.take().tag, 1U);
  EXPECT_EQ(alarms.take().tag, 2U);
  EXPECT_EQ(alarms.next(), MonoTime::max());
}

}  // namespace
}  // namespace evenbench::net
