#include "calibrate/tally.h"

#include <gmock/gmock.h>

#include <sstream>

namespace evenbench::calibrate {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::HasSubstr;

MonoTime at(Nanos t) {
  return MonoTime{} + std::chrono::hours{1} + t;
}

const Window kWindow{at(milliseconds{1000}), at(milliseconds{2000})};

// A request whose tokens are written every 100 ms from `begin`, on time, and recorded `delay`
// later.
struct Exchange {
  ServerEntry server;
  record::RequestRow row;
};
Exchange exchange(Nanos begin, int tokens, Nanos delay) {
  Exchange out;
  out.row.planned = at(begin);
  out.row.exchanged.ending = Ending::kDone;
  out.row.exchanged.sent = at(begin);
  for (int i = 0; i < tokens; ++i) {
    const MonoTime written = at(begin + i * milliseconds{100});
    out.server.writes.push_back(written);
    out.server.late.emplace_back(0);
    out.row.exchanged.tokens.push_back({{written + delay, kNever}, 1, false});
    out.row.exchanged.closed.user = written + delay;
  }
  return out;
}

Seen seen_of(const Exchange& one) {
  Tally tally({{"7-0", one.server}}, 7, kWindow);
  tally.add(one.row);
  return tally.seen();
}

TEST(Tally, TakesOnlyWhatTheServerWroteInTheWindow) {
  const Seen seen = seen_of(exchange(milliseconds{0}, 30, microseconds{40}));
  EXPECT_EQ(seen.tokens, 10U);
  EXPECT_EQ(seen.streams, 1U);
  EXPECT_EQ(seen.token_late, microseconds{40});
  EXPECT_FALSE(seen.send_late);  // it was sent before the window
  EXPECT_EQ(verdict_of(seen, 1).verdict, Verdict::kHeld);
}

TEST(Tally, TheErrorIsAgainstTheWriteNotAgainstWhatWasDue) {
  Exchange one = exchange(milliseconds{1000}, 5, microseconds{40});
  for (auto& late : one.server.late) late = microseconds{300};
  const Seen seen = seen_of(one);
  EXPECT_EQ(seen.token_late, microseconds{40});
  EXPECT_EQ(seen.server_late, microseconds{300});
}

TEST(Tally, ATokenThatNeverCameIsAsLateAsTheRequestsEnd) {
  Exchange one = exchange(milliseconds{1000}, 5, microseconds{40});
  one.row.exchanged.ending = Ending::kCutAtEnd;
  one.row.exchanged.tokens.resize(3);
  one.row.exchanged.closed.user = one.server.writes[4] + milliseconds{7};
  const Seen seen = seen_of(one);
  EXPECT_EQ(seen.tokens, 5U);
  EXPECT_NEAR(to_millis(*seen.token_late), 107, 0.2);
  EXPECT_THAT(verdict_of(seen, 1).why, HasSubstr("tokens recorded late"));
}

TEST(Tally, LatenessOfSendsIsOfThoseThatWerePlannedInTheWindow) {
  Exchange one = exchange(milliseconds{1500}, 2, microseconds{40});
  one.row.exchanged.sent = one.row.planned + milliseconds{3};
  const Seen seen = seen_of(one);
  EXPECT_EQ(seen.send_late, milliseconds{3});
  EXPECT_THAT(verdict_of(seen, 0).why, HasSubstr("requests sent late"));
  one.row.exchanged.sent = kNever;  // not at all: late to the window's end at least
  EXPECT_EQ(seen_of(one).send_late, milliseconds{500});
}

TEST(Tally, RequestsFindEachOtherByTheirName) {
  const Exchange one = exchange(milliseconds{1000}, 2, microseconds{40});
  Exchange two = exchange(milliseconds{1300}, 2, microseconds{50});
  two.row.index = 1;
  Tally tally({{"7-0", one.server}, {"7-1", two.server}, {"6-0", two.server}}, 7, kWindow);
  tally.add(two.row);
  EXPECT_EQ(tally.seen().token_late, microseconds{50});
  tally.add(one.row);
  EXPECT_EQ(tally.seen().tokens, 4U);
  Tally unknown({{"7-2", one.server}}, 7, kWindow);
  unknown.add(one.row);
  EXPECT_EQ(verdict_of(unknown.seen(), 0).verdict, Verdict::kFailed);
}

TEST(Verdict, AFailedRequestOrAClientThatDoesNotReadIsItsFault) {
  Exchange one = exchange(milliseconds{1000}, 2, microseconds{40});
  one.row.exchanged.ending = Ending::kReset;
  one.row.exchanged.detail = "gone";
  EXPECT_EQ(verdict_of(seen_of(one), 0).why, "1 requests failed: gone");
  Exchange slow = exchange(milliseconds{1000}, 2, microseconds{40});
  slow.server.blocked = 2;
  slow.server.late = {milliseconds{9}, milliseconds{9}};
  EXPECT_EQ(verdict_of(seen_of(slow), 0).verdict, Verdict::kFailed);
}

TEST(Verdict, AServerThatWasLateProvesNothing) {
  Exchange one = exchange(milliseconds{1000}, 2, milliseconds{40});
  one.server.late = {microseconds{600}, microseconds{600}};
  EXPECT_EQ(verdict_of(seen_of(one), 0).verdict, Verdict::kServerLate);
  one.server.late = {microseconds{400}, microseconds{400}};
  EXPECT_EQ(verdict_of(seen_of(one), 0).verdict, Verdict::kFailed);
}

TEST(Verdict, StreamsThatAreNotUnderWayDoNotHold) {
  const Seen seen = seen_of(exchange(milliseconds{1000}, 5, microseconds{40}));
  EXPECT_EQ(verdict_of(seen, 2).why, "1 of 2 streams were under way");
}

TEST(ServerLogFile, IsReadAsTheServerWritesIt) {
  std::istringstream lines(
      "{\"id\":\"1-0\",\"arrival_ns\":5,\"writes_ns\":[10,20],\"late_ns\":[1,2],\"tokens\":2,"
      "\"blocked\":3,\"done\":true}\n");
  const auto log = read_server_log(lines);
  ASSERT_TRUE(log);
  const ServerEntry& entry = log->at("1-0");
  EXPECT_EQ(entry.writes[1].time_since_epoch(), Nanos{20});
  EXPECT_EQ(entry.late[1], Nanos{2});
  EXPECT_EQ(entry.blocked, 3U);
  std::istringstream broken("{\"id\":\"1-0\"\n");
  EXPECT_THAT(read_server_log(broken).error().message, HasSubstr("line 1"));
}

}  // namespace
}  // namespace evenbench::calibrate
