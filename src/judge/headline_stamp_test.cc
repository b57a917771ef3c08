#include "judge/headline_stamp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using testing::FakeReader;
using ::testing::HasSubstr;
using testing::RequestBuilder;

// Answers of two tokens, `stamped` of them with a kernel stamp 2 ms before the program's.
void add_answers(FakeReader& reader, int count, int stamped) {
  for (int i = 0; i < count; ++i) {
    RequestBuilder request(i * 10.0);
    request.tokens({20, 40}).usage(5, 2);
    if (i < stamped) request.kernel(2);
    reader.add(request);
  }
}

// North, of whose 100 first tokens every one has a kernel stamp, and south.
FakeReader two_systems(StampChoice asked, int south_stamped) {
  FakeReader reader;
  reader.run_row.stamp = asked;
  reader.add_step(0, 1000, 100);
  add_answers(reader, 100, 100);
  reader.system_rows.push_back({2, "south", "sim", true, ""});
  record::VisitRow visit;
  visit.id = visit.system_id = 2;
  reader.visit_rows.push_back(visit);
  reader.add_step(0, 1000, 100);
  add_answers(reader, 100, south_stamped);
  return reader;
}

TEST(HeadlineStamp, AutoIsTheKernelsWhereEverySystemHasNinetyNinePercent) {
  const JudgedRun run = judge(two_systems(StampChoice::kAuto, 99)).value();
  EXPECT_EQ(run.stamp.asked, StampChoice::kAuto);
  EXPECT_EQ(run.stamp.used, StampChoice::kKernel);
  EXPECT_DOUBLE_EQ(*run.systems[0].steps[0].ttft.max, 18);
  EXPECT_DOUBLE_EQ(*run.systems[1].steps[0].ttft.min, 18);
  EXPECT_DOUBLE_EQ(*run.systems[1].steps[0].ttft.max, 20);  // the one without uses the program's
}

TEST(HeadlineStamp, AutoIsTheProgramsForAllWhereOneSystemHasLess) {
  const JudgedRun run = judge(two_systems(StampChoice::kAuto, 98)).value();
  EXPECT_EQ(run.stamp.used, StampChoice::kUser);
  EXPECT_THAT(run.stamp.why, HasSubstr("only 98 of 100 first tokens of south"));
  for (const JudgedSystem& system : run.systems) {
    EXPECT_DOUBLE_EQ(*system.steps[0].ttft.min, 20) << system.name;
  }
}

TEST(HeadlineStamp, AutoWithoutAFirstTokenIsTheProgramsAndASystemWithoutOneDecidesNothing) {
  FakeReader none;
  none.run_row.stamp = StampChoice::kAuto;
  none.add_step(0, 1000, 1);
  EXPECT_EQ(headline_stamp(none)->used, StampChoice::kUser);
  EXPECT_THAT(headline_stamp(none)->why, HasSubstr("no first token"));
  FakeReader one = two_systems(StampChoice::kAuto, 0);
  one.requests[2].clear();
  EXPECT_EQ(headline_stamp(one)->used, StampChoice::kKernel);
}

TEST(HeadlineStamp, WhatWasAskedForIsUsed) {
  EXPECT_EQ(headline_stamp(two_systems(StampChoice::kUser, 100))->used, StampChoice::kUser);
  EXPECT_EQ(headline_stamp(two_systems(StampChoice::kKernel, 100))->used, StampChoice::kKernel);
  EXPECT_FALSE(headline_stamp(two_systems(StampChoice::kKernel, 100))->mixed);
}

TEST(HeadlineStamp, ASystemThatLacksTheStampThatWasAskedForIsAWarning) {
  const JudgedRun run = judge(two_systems(StampChoice::kKernel, 10)).value();
  EXPECT_EQ(run.stamp.used, StampChoice::kKernel);
  EXPECT_TRUE(run.stamp.mixed);
  ASSERT_FALSE(run.findings.empty());
  EXPECT_EQ(run.findings[0].code, "stamp_mixed");
  EXPECT_EQ(run.findings[0].severity, "warning");
  EXPECT_THAT(run.findings[0].text, HasSubstr("10 of 100 first tokens of south"));
}

// Every number that is made of a stamp follows it, not only TTFT.
TEST(HeadlineStamp, EveryInstantOfAnAnswerFollowsIt) {
  for (const auto& [asked, late] :
       {std::pair{StampChoice::kKernel, 0.0}, std::pair{StampChoice::kUser, 5.0}}) {
    FakeReader reader;
    reader.run_row.stamp = asked;
    reader.add_step(0, 1000, 2);
    // The second token reached the kernel inside the window and the program after it.
    reader.add(RequestBuilder(0).tokens({505, 1005}).usage(5, 2).kernel(5));
    reader.add(RequestBuilder(0).failed(Ending::kReset, "reset", 105).kernel(5));
    const JudgedStep step = reader.judged_step();
    EXPECT_DOUBLE_EQ(*step.ttft.p50, 500 + late);
    EXPECT_DOUBLE_EQ(*step.e2e.p50, 1000 + late);
    EXPECT_DOUBLE_EQ(*step.completed_rate, late > 0 ? 0 : 1);
    EXPECT_DOUBLE_EQ(*step.output_tokens_per_s, late > 0 ? 1 : 2);
    EXPECT_DOUBLE_EQ(*step.failed_after.max, 100 + late);
    EXPECT_DOUBLE_EQ(*step.failures.at(0).first_seen_s, (100 + late) / 1000);
  }
}

}  // namespace
}  // namespace evenbench::judge
