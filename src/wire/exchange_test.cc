#include "wire/exchange.h"

#include <gtest/gtest.h>

#include "wire/testing/stream_script.h"

namespace evenbench::wire {
namespace {

using namespace testing;  // NOLINT: the short hand of the cases

std::vector<double> token_instants(const Exchanged& x) {
  std::vector<double> out;
  for (const auto& token : x.tokens) out.push_back(ms_of(token.at));
  return out;
}
std::vector<std::uint32_t> token_counts(const Exchanged& x) {
  std::vector<std::uint32_t> out;
  for (const auto& token : x.tokens) out.push_back(token.tokens);
  return out;
}
using Instants = std::vector<double>;
using Counts = std::vector<std::uint32_t>;

Exchanged answer(std::string_view head, std::string_view body, bool stream = true) {
  Exchange exchange;
  exchange.begin(stream, true);
  exchange.on_bytes(fmt::format("{}content-length: {}\r\n\r\n{}", head, body.size(), body),
                    at_ms(5));
  return exchange.take();
}

TEST(Exchange, O01_RoleChunkIsNotTheFirstToken) {
  for (const char* role : {R"("role":"assistant","content":"")",
                           R"("role":"assistant","content":null)", R"("role":"assistant")"}) {
    const auto x = play({{5, delta(role)},
                         {120, text_event("A")},
                         {130, text_event("B")},
                         {140, text_event("C")},
                         {141, usage_event(8, 3) + finish_event("stop") + done_event()}});
    EXPECT_EQ(x.ending, Ending::kDone) << x.detail;
    EXPECT_EQ(ms_of(x.first_event), 5);
    EXPECT_EQ(ms_of(x.first_token), 120);
    EXPECT_EQ(ms_of(x.last_token), 140);
    EXPECT_EQ(token_instants(x), (Instants{120, 130, 140}));
    EXPECT_EQ(x.output_tokens, 3U);
    EXPECT_EQ(x.prompt_tokens, 8U);
    EXPECT_EQ(x.source, TokenSource::kUsage);
  }
}

TEST(Exchange, O02_ReasoningIsTheFirstTokenAndContentHasItsOwnInstant) {
  const auto think = delta(R"("reasoning_content":"t")");
  const auto usage = event(R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5,)"
                           R"("completion_tokens_details":{"reasoning_tokens":3}}})");
  const auto x = play({{4, role_event()},
                       {100, think},
                       {110, think},
                       {120, think},
                       {130, text_event("x")},
                       {140, text_event("y")},
                       {141, usage + done_event()}});
  EXPECT_EQ(ms_of(x.first_token), 100);
  EXPECT_EQ(ms_of(x.first_content), 130);
  EXPECT_EQ(ms_of(x.last_token), 140);
  EXPECT_EQ(x.output_tokens, 5U);
  EXPECT_EQ(x.reasoning_tokens, 3U);
}

TEST(Exchange, O03_AnAnswerWithoutATokenIsEmptyAndHasNoFirstToken) {
  const auto x =
      play({{10, role_event()}, {60, finish_event("stop") + usage_event(9, 0) + done_event()}});
  EXPECT_EQ(x.ending, Ending::kEmpty);
  EXPECT_FALSE(observed(x.first_token));
  EXPECT_FALSE(observed(x.last_token));
  EXPECT_TRUE(x.tokens.empty());
}

TEST(Exchange, O04_AnAnswerThatIsNotStreamedHasAnEndButNoFirstToken) {
  const std::string body =
      R"({"choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"length"}],)"
      R"("usage":{"prompt_tokens":7,"completion_tokens":40}})";
  for (const bool asked : {false, true}) {  // also where a stream was asked for
    Exchange exchange;
    exchange.begin(asked, false);
    exchange.on_bytes(fmt::format("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                                  "content-length: {}\r\n\r\n",
                                  body.size()),
                      at_ms(790));
    ASSERT_EQ(exchange.on_bytes(body, at_ms(800)), Exchange::Status::kComplete);
    const auto x = exchange.take();
    EXPECT_EQ(x.ending, Ending::kDone) << x.detail;
    EXPECT_FALSE(x.streamed);
    EXPECT_FALSE(observed(x.first_token));
    EXPECT_EQ(ms_of(x.last_token), 800);
    EXPECT_EQ(ms_of(x.closed), 800);
    EXPECT_EQ(x.output_tokens, 40U);
    EXPECT_EQ(x.finish_reason, "length");
  }
}

TEST(Exchange, O06_RunningUsageTellsHowManyTokensAnEventCarries) {
  const auto running = [](std::string_view text, int total) {
    return event(fmt::format(R"({{"choices":[{{"delta":{{"content":"{}"}}}}],)"
                             R"("usage":{{"prompt_tokens":5,"completion_tokens":{}}}}})",
                             text, total));
  };
  const auto x = play({{100, running("a", 1)},
                       {140, running("bcde", 5)},
                       {180, running("fghi", 9)},
                       {181, usage_event(5, 9) + done_event()}});
  EXPECT_EQ(token_counts(x), (Counts{1, 4, 4}));
  EXPECT_EQ(x.output_tokens, 9U);
  const auto unknown = play({{100, text_event("a")},
                             {140, text_event("bcde")},
                             {180, text_event("fghi")},
                             {181, usage_event(5, 9) + done_event()}});
  EXPECT_EQ(token_counts(unknown), (Counts{0, 0, 0}));
  EXPECT_EQ(unknown.output_tokens, 9U);
}

TEST(Exchange, AGainThatCoversEarlierUncountedEventsTellsNothingOfOneEvent) {
  const auto x = play({{50, text_event("a")},
                       {60, event(R"({"choices":[{"delta":{"content":"b"}}],)"
                                  R"("usage":{"prompt_tokens":7,"completion_tokens":2}})") +
                                done_event()}});
  EXPECT_EQ(token_counts(x), (Counts{0, 0}));
  EXPECT_EQ(x.output_tokens, 2U);
}

TEST(Exchange, O07_LateUsageDoesNotMoveTheLastToken) {
  const auto x = play({{100, text_event("a")},
                       {110, text_event("b")},
                       {120, text_event("c")},
                       {121, finish_event("stop")},
                       {400, usage_event(5, 3) + done_event()}});
  EXPECT_EQ(ms_of(x.last_token), 120);
  EXPECT_EQ(ms_of(x.closed), 400);
  EXPECT_EQ(x.finish_reason, "stop");
}

TEST(Exchange, O08_A200WithAnEmptyBodyIsEmpty) {
  const auto x = answer("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n", "");
  EXPECT_EQ(x.ending, Ending::kEmpty);
  EXPECT_EQ(answer("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n", "").ending,
            Ending::kEmpty);
}

TEST(Exchange, O09_UsageIsReadWhereverItStands) {
  const std::string usage = R"("usage":{"prompt_tokens":7,"completion_tokens":2})";
  const std::string b_null = event(R"({"choices":[{"delta":{"content":"b"}}],"usage":null})");
  const std::vector<std::string> ends = {
      text_event("b") + event("{\"choices\":[]," + usage + "}"),
      text_event("b") + event("{\"choices\":null," + usage + "}"),
      text_event("b") + event("{" + usage + "}"),
      event(R"({"choices":[{"delta":{"content":"b"}}],)" + usage + "}"),
      b_null + event("{\"choices\":[]," + usage + "}"),
  };
  for (const auto& end : ends) {
    const auto x = play({{50, text_event("a")}, {60, end + done_event()}});
    EXPECT_EQ(x.ending, Ending::kDone) << end;
    EXPECT_EQ(x.prompt_tokens, 7U) << end;
    EXPECT_EQ(x.output_tokens, 2U) << end;
    EXPECT_EQ(token_instants(x), (Instants{50, 60})) << end;
  }
}

TEST(Exchange, O10_RunningTotalsAreNeverSummed) {
  Pieces pieces;
  for (int i = 1; i <= 3; ++i) {
    pieces.emplace_back(i, event(fmt::format(R"({{"choices":[{{"delta":{{"content":"a"}}}}],)"
                                             R"("usage":{{"completion_tokens":{}}}}})",
                                             i)));
  }
  pieces.emplace_back(4, done_event());
  const auto x = play(pieces);
  EXPECT_EQ(x.output_tokens, 3U);
  EXPECT_EQ(x.source, TokenSource::kRunningUsage);
  const auto split = play({{1, text_event("a")},
                           {2, event(R"({"usage":{"completion_tokens":100,)"
                                     R"("completion_tokens_details":{"reasoning_tokens":80}}})") +
                                   done_event()}});
  EXPECT_EQ(split.output_tokens, 100U);
  EXPECT_EQ(split.reasoning_tokens, 80U);
}

TEST(Exchange, O13_AnErrorInsideA200StreamIsAFailure) {
  const auto x = play(
      {{50, text_event("a")},
       {60, text_event("b")},
       {70, event(R"({"error":{"message":"engine stopped","type":"server_error","code":500}})") +
                done_event()}});
  EXPECT_EQ(x.ending, Ending::kStreamError);
  EXPECT_EQ(x.detail, "in-stream error 500: engine stopped");
  EXPECT_EQ(x.http_status, 200);
  EXPECT_EQ(x.tokens.size(), 2U);
  EXPECT_EQ(ms_of(x.closed), 70);
}

TEST(Exchange, O13_WhatTheServerSaidOutlivesTheLossOfItsConnection) {
  Exchange exchange;
  exchange.begin(true, false);
  exchange.on_bytes(std::string(kStreamHead) + chunk(event(R"({"error":"out of memory"})")),
                    at_ms(5));
  exchange.on_lost(Loss::kReset, at_ms(6));
  const auto x = exchange.take();
  EXPECT_EQ(x.ending, Ending::kStreamError);
  EXPECT_EQ(x.detail, "in-stream error: out of memory");
}

TEST(Exchange, O14_AConnectionCutMidwayKeepsWhatCame) {
  Exchange exchange;
  exchange.begin(true, false);
  exchange.on_bytes(std::string(kStreamHead) + chunk(text_event("a")), at_ms(100));
  exchange.on_bytes(chunk(text_event("b")), at_ms(110));
  exchange.on_bytes("40\r\n" + std::string(20, 'x'), at_ms(200));
  exchange.on_lost(Loss::kReset, at_ms(300));
  const auto x = exchange.take();
  EXPECT_EQ(x.ending, Ending::kReset);
  EXPECT_EQ(x.detail, "transport: body incomplete");
  EXPECT_EQ(x.http_status, 200);
  EXPECT_EQ(x.tokens.size(), 2U);
  EXPECT_EQ(ms_of(x.closed), 300);
}

TEST(Exchange, O15_ARefusalIsAFailureWithItsStatusAndReason) {
  const auto x = answer(
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\ncontent-type: application/json\r\n",
      R"({"error":{"message":"queue is full","code":503}})");
  EXPECT_EQ(x.ending, Ending::kHttpError);
  EXPECT_EQ(x.detail, "HTTP 503: queue is full");
  EXPECT_EQ(x.http_status, 503);
  Exchange exchange;
  exchange.begin(true, false);
  exchange.on_bytes("HTTP/1.1 429 x\r\nRetry-After: 7\r\ncontent-length: 0\r\n\r\n", at_ms(1));
  EXPECT_EQ(exchange.http_status(), 429);
  EXPECT_EQ(exchange.retry_after_s(), 7);
  EXPECT_EQ(exchange.take().detail, "HTTP 429");
}

TEST(Exchange, O20_AnEventCountsWhenItIsComplete) {
  const std::string a = text_event("A");
  Exchange exchange;
  exchange.begin(true, true);
  exchange.on_bytes(kStreamHead, at_ms(1));
  exchange.on_bytes(chunk(role_event()), at_ms(5));
  exchange.on_bytes(chunk(a.substr(0, 20)), at_ms(120));
  exchange.on_bytes(chunk(a.substr(20)), at_ms(150));
  exchange.on_bytes(chunk(text_event("B") + text_event("C")), at_ms(170));
  exchange.on_bytes(chunk(usage_event(8, 3) + done_event()) + "0\r\n\r\n", at_ms(171));
  const auto x = exchange.take();
  EXPECT_EQ(x.ending, Ending::kDone);
  EXPECT_EQ(x.text, "ABC");
  EXPECT_EQ(token_instants(x), (Instants{150, 170, 170}));
  EXPECT_FALSE(x.tokens[0].merged);
  EXPECT_TRUE(x.tokens[1].merged);
  EXPECT_TRUE(x.tokens[2].merged);
  EXPECT_EQ(x.merged_reads, 1U);
}

TEST(Exchange, O21_ACharacterMayBeSplitAnywhere) {
  for (const std::string text : {"\xE5\xA5\xBD", "\xF0\x9F\x98\x80"}) {
    const std::string one = text_event(text);
    const std::size_t begin = one.find(text);
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
      const auto x = play({{1, one.substr(0, begin + cut)},
                           {2, one.substr(begin + cut)},
                           {3, usage_event(1, 1) + done_event()}});
      EXPECT_EQ(x.ending, Ending::kDone);
      EXPECT_EQ(x.text, text);
    }
  }
}

TEST(Exchange, O22_EveryLineEndingGivesTheSameAnswer) {
  const auto rewritten = [](std::string body, std::string_view from, std::string_view to) {
    for (std::size_t i = body.find(from); i != std::string::npos; i = body.find(from, i)) {
      body.replace(i, from.size(), to);
      i += to.size();
    }
    return body;
  };
  const Pieces lf = {{5, role_event()},
                     {120, text_event("A")},
                     {130, text_event("B")},
                     {140, text_event("C")},
                     {141, usage_event(8, 3) + done_event()}};
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\n", "\n"}, {"\n", "\r\n"}, {"\n", "\r"}, {"data: ", "data:"}}) {
    Pieces form;
    for (const auto& [ms, body] : lf) form.emplace_back(ms, rewritten(body, from, to));
    const auto x = play(form);
    EXPECT_EQ(x.ending, Ending::kDone) << x.detail;
    // A lone CR may be half of a CR LF, yet an event is complete with it.
    EXPECT_EQ(token_instants(x), (Instants{120, 130, 140}));
    EXPECT_EQ(x.text, "ABC");
    EXPECT_EQ(x.output_tokens, 3U);
  }
}

TEST(Exchange, O23_CommentsAreNeitherEventsNorTokens) {
  const auto x = play({{30, ":\n\n"},
                       {60, ": keep-alive\n\n"},
                       {200, text_event("A")},
                       {205, ":\n\n"},
                       {210, text_event("B")},
                       {211, finish_event("stop") + done_event()}});
  EXPECT_EQ(x.ending, Ending::kDone);
  EXPECT_EQ(ms_of(x.first_event), 200);
  EXPECT_EQ(token_instants(x), (Instants{200, 210}));
}

TEST(Exchange, ItIsReadyForTheNextRequestWithNothingLeftOver) {
  Exchange exchange;
  exchange.begin(true, true);
  exchange.on_bytes(whole({{1, text_event("a") + usage_event(3, 4) + done_event()}}), at_ms(1));
  EXPECT_TRUE(exchange.keep_alive());
  EXPECT_EQ(exchange.take().output_tokens, 4U);
  exchange.begin(true, true);
  exchange.on_bytes(whole({{1, text_event("b") + done_event()}}), at_ms(2));
  const auto x = exchange.take();
  EXPECT_EQ(x.text, "b");
  EXPECT_EQ(x.output_tokens, std::nullopt);
  EXPECT_EQ(x.source, TokenSource::kUnknown);
  EXPECT_EQ(x.reads, 1U);
}

}  // namespace
}  // namespace evenbench::wire
