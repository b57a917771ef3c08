#include "wire/sse_scanner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace evenbench::wire {
namespace {

using Events = std::vector<std::string>;

Events events_of(const std::vector<std::string>& pieces) {
  SseScanner scanner;
  Events out;
  for (const std::string& piece : pieces) {
    EXPECT_TRUE(scanner.feed(piece, [&](std::string_view data) { out.emplace_back(data); }));
  }
  return out;
}

// One stream with everything that may stand in one.
const std::string kStream =
    "\xEF\xBB\xBF"
    "data: {\"a\":1}\n\n: keep-alive\n\nevent: x\nid: 7\ndata:{\"b\":\"\xE5\xA5\xBD\"} \r\n\r\n"
    "data: two\rdata: lines\r\rdata: 3\r\ndata: 4\r\n\r\ndata:\n\ndatabase: no\n\nretry: "
    "5\n\ndata:  [DONE]\n\n";
const Events kEvents = {"{\"a\":1}", "{\"b\":\"\xE5\xA5\xBD\"} ", "two\nlines", "3\n4", " [DONE]"};

TEST(SseScanner, O22_O23_ReadsEveryLineEndCommentAndOptionalSpace) {
  EXPECT_EQ(events_of({kStream}), kEvents);
}

TEST(SseScanner, O20_O21_GivesTheSameEventsForEverySplitInTwo) {
  for (std::size_t cut = 0; cut <= kStream.size(); ++cut) {
    EXPECT_EQ(events_of({kStream.substr(0, cut), kStream.substr(cut)}), kEvents) << "cut " << cut;
  }
}

TEST(SseScanner, O20_GivesTheSameEventsByteByByte) {
  std::vector<std::string> bytes;
  for (const char c : kStream) bytes.emplace_back(1, c);
  EXPECT_EQ(events_of(bytes), kEvents);
}

TEST(SseScanner, O22_AllFourFormsOfAStreamGiveTheSameEvents) {
  const Events expected = {"{\"x\":1}", "[DONE]"};
  EXPECT_EQ(events_of({"data: {\"x\":1}\n\ndata: [DONE]\n\n"}), expected);
  EXPECT_EQ(events_of({"data: {\"x\":1}\r\n\r\ndata: [DONE]\r\n\r\n"}), expected);
  EXPECT_EQ(events_of({"data: {\"x\":1}\r\rdata: [DONE]\r\r"}), expected);
  EXPECT_EQ(events_of({"data:{\"x\":1}\n\ndata:[DONE]\n\n"}), expected);
}

TEST(SseScanner, AnUnfinishedEventIsNotGivenButSeen) {
  SseScanner scanner;
  int events = 0;
  EXPECT_TRUE(scanner.feed("data: {\"x\":1}\n", [&](std::string_view) { ++events; }));
  EXPECT_EQ(events, 0);
  EXPECT_TRUE(scanner.has_partial());
  EXPECT_TRUE(scanner.feed("\n", [&](std::string_view) { ++events; }));
  EXPECT_EQ(events, 1);
  EXPECT_FALSE(scanner.has_partial());
}

TEST(SseScanner, AnEventBeyondTheLimitBreaksTheStreamInsteadOfGrowing) {
  SseScanner scanner;
  const std::string piece(1 << 16, 'x');
  bool good = scanner.feed("data: ", [](std::string_view) {});
  int fed = 0;
  while (good && fed < 100) {
    good = scanner.feed(piece, [](std::string_view) {});
    ++fed;
  }
  EXPECT_FALSE(good);
  EXPECT_LE(fed, 17);
}

TEST(SseScanner, AnEventMayBeAsLargeAsTheLimitInOneReadToo) {
  for (const std::size_t size : {SseScanner::kMaxEvent, SseScanner::kMaxEvent + 1}) {
    SseScanner scanner;
    std::size_t seen = 0;
    const bool good = scanner.feed("data: " + std::string(size, 'x') + "\n\n",
                                   [&](std::string_view data) { seen = data.size(); });
    EXPECT_EQ(good, size == SseScanner::kMaxEvent);
    EXPECT_EQ(seen, good ? size : 0U);
  }
}

TEST(SseScanner, ManyDataLinesCannotGrowAnEventBeyondTheLimit) {
  SseScanner scanner;
  const std::string line = "data: " + std::string(1 << 16, 'x') + "\n";
  bool good = true;
  int fed = 0;
  while (good && fed < 100) {
    good = scanner.feed(line, [](std::string_view) {});
    ++fed;
  }
  EXPECT_FALSE(good);
}

TEST(SseScanner, ResetForgetsAnUnfinishedEventAndAcceptsAMarkAgain) {
  SseScanner scanner;
  Events out;
  const auto keep = [&](std::string_view data) { out.emplace_back(data); };
  EXPECT_TRUE(scanner.feed("data: old", keep));
  scanner.reset();
  EXPECT_TRUE(
      scanner.feed("\xEF\xBB\xBF"
                   "data: new\n\n",
                   keep));
  EXPECT_EQ(out, Events{"new"});
}

}  // namespace
}  // namespace evenbench::wire
