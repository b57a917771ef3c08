#include "report/levels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace evenbench::report {
namespace {

using judge::JudgedStep;
using judge::Label;

JudgedStep step_at(const char* kind, double rate, Label label = Label::kSteady, double ttft = 1) {
  JudgedStep step;
  step.kind = kind;
  step.planned_rate = rate;
  step.completed_rate = rate;
  step.label = label;
  step.ttft.p50 = ttft;
  return step;
}

std::optional<double> ttft(const JudgedStep& step) {
  return step.ttft.p50;
}

TEST(Levels, SeveralBlocksOfOneRateAreOneLevel) {
  judge::JudgedRun run;
  run.systems.resize(2);
  run.systems[0].steps = {step_at("replay", 4), step_at("ladder", 4), step_at("ladder", 1),
                          step_at("ladder", 4.0000000001)};
  run.systems[1].steps = {step_at("ladder", 8), JudgedStep{}};
  const std::vector<Level> levels = levels_of(run);
  ASSERT_EQ(levels.size(), 4u);
  EXPECT_EQ(levels[0].value, 1);
  EXPECT_EQ(levels[1].value, 4);
  EXPECT_EQ(levels[2].value, 8);
  EXPECT_EQ(levels[3].kind, "replay");
  EXPECT_TRUE(levels[1].systems[0].any());
  EXPECT_FALSE(levels[1].systems[1].any());
}

TEST(Levels, OnlySteadyAndSuspectVisitsHoldALevel) {
  for (const auto& [label, held, usable] : {std::tuple{Label::kSteady, true, true},
                                            {Label::kSuspect, true, true},
                                            {Label::kSaturated, false, true},
                                            {Label::kNotSteady, false, true},
                                            {Label::kInvalidClient, false, false},
                                            {Label::kFailed, false, false}}) {
    const JudgedStep step = step_at("ladder", 1, label);
    Visits visits;
    visits.add(step);
    EXPECT_EQ(visits.held(), held) << judge::name_of(label);
    EXPECT_EQ(visits.usable(), usable) << judge::name_of(label);
  }
}

TEST(Levels, ARateAtWhichMoreThanOnePercentFailsIsNotHeld) {
  JudgedStep step = step_at("ladder", 1, Label::kSuspect);
  step.good = 990;
  step.failed = 10;
  EXPECT_TRUE(is_held(step));
  step.failed = 11;
  EXPECT_FALSE(is_held(step));
  step.failed = 0;
  step.completed_rate = 0;
  EXPECT_FALSE(is_held(step));
}

TEST(Levels, TheMedianLeavesOutUnusableVisitsAndIsUnboundedWhenItDependsOnIt) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const JudgedStep one = step_at("ladder", 1, Label::kSteady, 1);
  const JudgedStep three = step_at("ladder", 1, Label::kSteady, 3);
  const JudgedStep endless = step_at("ladder", 1, Label::kSteady, kInfinity);
  const JudgedStep invalid = step_at("ladder", 1, Label::kInvalidClient, 1000);
  Visits visits;
  EXPECT_EQ(visits.median(ttft), std::nullopt);
  visits.add(invalid);
  EXPECT_EQ(visits.median(ttft), std::nullopt);
  visits.add(one);
  visits.add(three);
  EXPECT_EQ(visits.median(ttft), 2);
  visits.add(endless);
  EXPECT_EQ(visits.median(ttft), 3);
  visits.add(endless);
  EXPECT_EQ(visits.median(ttft), kInfinity);
  EXPECT_EQ(visits.labels(), "INVALID_CLIENT, STEADY");
}

}  // namespace
}  // namespace evenbench::report
