// Every recorded answer of a real engine, replayed: tests/data/captures/expected.tsv holds what
// each README says of its answers, derived by a second reader that shares no code with this room.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "wire/error_class.h"
#include "wire/testing/captures.h"
#include "wire/testing/stream_script.h"

namespace evenbench::wire {
namespace {

using namespace testing;  // NOLINT: the short hand of the cases

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

std::string seen(const Exchanged& x) {
  const auto error = error_class(x);
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", x.http_status, name_of(x.ending),
                     x.output_tokens ? std::to_string(*x.output_tokens) : "-", name_of(x.source),
                     x.tokens.size(), or_dash(x.finish_reason), x.done_mark ? "done" : "-",
                     error ? name_of(*error) : "-");
}

// `piece`: how many bytes the next read brings.
template <typename Piece>
std::string replay(Exchange& exchange, const Capture& capture, Piece&& piece) {
  exchange.begin(capture.asked == "stream", false);
  auto status = Exchange::Status::kMore;
  std::string_view left = capture.bytes;
  while (!left.empty() && status == Exchange::Status::kMore) {
    const std::size_t n = std::min<std::size_t>(left.size(), piece());
    status = exchange.on_bytes(left.substr(0, n), at_ms(1));
    left.remove_prefix(n);
  }
  if (status == Exchange::Status::kMore && capture.end == "eof") {
    exchange.on_lost(Loss::kEof, at_ms(2));
  } else if (status == Exchange::Status::kMore && capture.end == "client-abort") {
    exchange.on_cut(at_ms(2));
  }
  if (status == Exchange::Status::kMore && capture.end == "proper") return "never ended";
  return seen(exchange.take());
}

TEST(Captures, EveryRealAnswerGivesItsTokensUsageEndingAndErrorClass) {
  const auto all = captures();
  EXPECT_GE(all.size(), 240U);
  Exchange exchange;
  for (const auto& c : all) {
    EXPECT_EQ(replay(exchange, c, [] { return std::size_t{65536}; }), c.expected)
        << c.folder << "/" << c.name;
  }
}

TEST(Captures, EveryRealAnswerIsTheSameByteByByte) {
  Exchange exchange;
  for (const auto& c : captures()) {
    EXPECT_EQ(replay(exchange, c, [] { return std::size_t{1}; }), c.expected)
        << c.folder << "/" << c.name;
  }
}

TEST(Captures, EveryRealAnswerIsTheSameInRandomPieces) {
  Rng rng(11, "capture pieces");
  Exchange exchange;
  for (const auto& c : captures()) {
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(replay(exchange, c, [&] { return std::size_t{1 + rng.below(200)}; }), c.expected)
          << c.folder << "/" << c.name;
    }
  }
}

}  // namespace
}  // namespace evenbench::wire
