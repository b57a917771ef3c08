// The same bytes in any pieces give the same exchange, and every truncation is a failure.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "wire/testing/stream_script.h"

namespace evenbench::wire {
namespace {

using namespace testing;  // NOLINT: the short hand of the cases

// What may not depend on how the bytes were cut.
std::string summary(const Exchanged& x) {
  std::string counts;
  for (const auto& token : x.tokens) counts += fmt::format("{},", token.tokens);
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", name_of(x.ending), x.detail,
                     x.http_status, x.streamed, counts, x.prompt_tokens.value_or(0),
                     x.output_tokens.value_or(0), x.cached_tokens.value_or(0), name_of(x.source),
                     x.finish_reason, x.done_mark, x.text);
}

std::string sized(std::string_view status, std::string_view json) {
  return fmt::format(
      "HTTP/1.1 {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{}", status,
      json.size(), json);
}

std::vector<std::string> streams() {
  const std::string running =
      R"({"choices":[{"delta":{"content":"ab"}}],"usage":{"prompt_tokens":5,"completion_tokens":2}})";
  return {
      whole({{1, role_event()},
             {2, text_event("A") + text_event("\xE5\xA5\xBD")},
             {3, finish_event("stop")},
             {4, usage_event(8, 2) + done_event()}}),
      whole({{1, ": ping\r\n\r\n" + event(running)}, {2, "data:{}\r\rdata: [DONE]"}}),
      whole({{1, text_event("a")}, {2, event(R"({"error":{"message":"no","code":"500"}})")}}),
      whole({{1, "data: {\"choices\":\ndata: [{\"text\":\"x\",\"finish_reason\":\"stop\"}]}\n\n"}}),
      "HTTP/1.1 100 Continue\r\n\r\n" + sized("404 Not Found", "{\"detail\":\"Not Found\"}\n"),
      sized("200 OK", R"({"choices":[{"text":"hi"}],"usage":{"completion_tokens":2,"x":[1,2]}})"),
  };
}

TEST(ExchangeSplits, EveryPairOfPiecesGivesTheSameExchange) {
  for (const auto& bytes : streams()) {
    Exchange exchange;
    exchange.begin(true, true);
    ASSERT_EQ(exchange.on_bytes(bytes, at_ms(1)), Exchange::Status::kComplete) << bytes;
    const std::string expected = summary(exchange.take());
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      exchange.begin(true, true);
      ASSERT_EQ(exchange.on_bytes(bytes.substr(0, cut), at_ms(1)), Exchange::Status::kMore);
      ASSERT_EQ(exchange.on_bytes(bytes.substr(cut), at_ms(2)), Exchange::Status::kComplete);
      ASSERT_EQ(summary(exchange.take()), expected) << "cut at " << cut;
    }
  }
}

TEST(ExchangeSplits, OneByteAtATimeGivesTheSameExchange) {
  for (const auto& bytes : streams()) {
    Exchange exchange;
    exchange.begin(true, true);
    exchange.on_bytes(bytes, at_ms(1));
    const std::string expected = summary(exchange.take());
    exchange.begin(true, true);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto status = exchange.on_bytes(bytes.substr(i, 1), at_ms(1));
      ASSERT_EQ(status == Exchange::Status::kComplete, i + 1 == bytes.size());
    }
    EXPECT_EQ(summary(exchange.take()), expected);
  }
}

TEST(ExchangeSplits, EveryTruncationIsAFailureThatKeepsItsTokens) {
  for (const auto& bytes : streams()) {
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      Exchange exchange;
      exchange.begin(true, true);
      exchange.on_bytes(bytes.substr(0, length), at_ms(1));
      exchange.on_lost(Loss::kEof, at_ms(2));
      const auto x = exchange.take();
      ASSERT_NE(x.ending, Ending::kDone) << "length " << length;
      ASSERT_NE(x.ending, Ending::kEmpty) << "length " << length;
      ASSERT_FALSE(x.detail.empty());
    }
  }
}

TEST(ExchangeSplits, NoBytesAtAllBringItDown) {
  Rng rng(7, "exchange junk");
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = round % 2 == 0 ? std::string(kStreamHead) : "";
    if (round % 4 == 2) bytes += chunk(text_event("a"));
    const std::size_t at = bytes.size();
    for (std::uint64_t n = rng.below(60); n > 0; --n) bytes += static_cast<char>(rng.below(256));
    if (round % 3 == 0) bytes += whole({{1, done_event()}});
    for (int flips = 0; flips < 2 && at > 0; ++flips) {
      bytes[rng.below(bytes.size())] = static_cast<char>(rng.below(256));
    }
    Exchange exchange;
    exchange.begin(true, false);
    auto status = Exchange::Status::kMore;
    for (std::size_t i = 0; i < bytes.size() && status == Exchange::Status::kMore;) {
      const std::size_t n = 1 + rng.below(40);
      status = exchange.on_bytes(std::string_view(bytes).substr(i, n), at_ms(1));
      i += n;
    }
    exchange.on_lost(Loss::kReset, at_ms(2));
    const auto x = exchange.take();
    ASSERT_LE(x.detail.size(), 300U);
  }
}

}  // namespace
}  // namespace evenbench::wire
