#include "truth/server_log.h"

#include <gtest/gtest.h>

namespace evenbench::truth {
namespace {

MonoTime at(std::int64_t ns) {
  return MonoTime{Nanos{ns}};
}

Served served() {
  Served out;
  out.id = "1-0";
  out.received = at(90);
  out.arrival = at(100);
  out.first_due = at(200);
  out.step = Nanos{50};
  out.writes = {at(201), at(257), at(300)};
  out.tokens = 3;
  out.done = true;
  return out;
}

TEST(TruthLog, GivesEveryWriteWithWhatItWasLateBy) {
  EXPECT_EQ(log_line(served()),
            R"({"id":"1-0","received_ns":90,"arrival_ns":100,"writes_ns":[201,257,300],)"
            R"("late_ns":[1,7,0],)"
            R"("tokens":3,"blocked":0,"done":true})");
}

TEST(TruthLog, ReceptionIsNullWhereTheKernelDidNotSay) {
  Served unstamped = served();
  unstamped.received = kNever;
  EXPECT_NE(log_line(unstamped).find(R"("received_ns":null,)"), std::string::npos);
}

TEST(TruthLog, FlatOutOnlyTheFirstSendCanBeLate) {
  Served flat = served();
  flat.step = Nanos{0};
  EXPECT_NE(log_line(flat).find(R"("late_ns":[1],)"), std::string::npos);
}

TEST(TruthLog, AnIdCannotBreakItsLine) {
  Served odd = served();
  odd.id = "a\"b\n\xff";
  const std::string line = log_line(odd);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_NE(line.find(R"("id":"a\"b\n)"), std::string::npos);
}

}  // namespace
}  // namespace evenbench::truth
