#include "judge/step_span.h"

#include <gtest/gtest.h>

#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using testing::at_ms;
using testing::FakeReader;
using testing::RequestBuilder;

TEST(Window, HoldsItsEndButNotItsBegin) {
  const Window window{at_ms(0), at_ms(1000)};
  EXPECT_FALSE(window.holds(at_ms(0)));
  EXPECT_TRUE(window.holds(at_ms(1000)));
  EXPECT_FALSE(window.holds(at_ms(1001)));
  EXPECT_FALSE(window.holds(kNever));
  EXPECT_FALSE(Window{}.holds(at_ms(1)));
}

TEST(StepSpan, OfAFinishedStepIsTheRecordedOne) {
  FakeReader reader;
  const record::StepRow row = reader.add_step(0, 1000, 1);
  EXPECT_TRUE(span_is_recorded(row));
  const StepSpan span = span_of(row, SeenInstants{});
  EXPECT_EQ(span.window.end, at_ms(1000));
  EXPECT_DOUBLE_EQ(span.window.seconds(), 1);
}

TEST(StepSpan, ReachesToTheEndOfTheWindowWhereTheCohortWasOverSooner) {
  FakeReader reader;
  record::StepRow row = reader.add_step(0, 3000, 1);
  row.end = at_ms(1500);
  EXPECT_EQ(span_of(row, SeenInstants{}).end, at_ms(3000));
}

TEST(StepSpan, OfAStepThatWasKilledEndsWithTheLastThingSeen) {
  FakeReader reader;
  record::StepRow row = reader.add_step(0, 10'000, 1);
  row.finished = false;
  row.begin = row.window_begin = row.end = kNever;
  EXPECT_FALSE(span_is_recorded(row));
  SeenInstants seen;
  seen.add(RequestBuilder(100).tokens({10, 20}).phase(Phase::kWarmup));
  seen.add(RequestBuilder(500).tokens({10, 300}).closed(400));
  const StepSpan span = span_of(row, seen);
  EXPECT_EQ(span.begin, at_ms(100));
  EXPECT_EQ(span.window.begin, at_ms(500));
  EXPECT_EQ(span.window.end, at_ms(900));
  EXPECT_EQ(span.end, at_ms(900));
}

TEST(StepSpan, OfAKilledStepWithoutRequestsHasNoWindow) {
  FakeReader reader;
  record::StepRow row = reader.add_step(0, 10'000, 1);
  row.finished = false;
  EXPECT_FALSE(span_of(row, SeenInstants{}).window.known());
}

}  // namespace
}  // namespace evenbench::judge
