#include "judge/in_flight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/seconds.h"
#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using testing::at_ms;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(InFlight, IsTheMeanOfEverySecond) {
  InFlight open(at_ms(0), at_ms(4000));
  open.add(at_ms(500), at_ms(3250));
  open.add(at_ms(1000), at_ms(2000));
  open.add(at_ms(2100), at_ms(2300));
  EXPECT_THAT(open.mean_per_second(),
              ElementsAre(DoubleEq(0.5), DoubleEq(2), DoubleEq(1.2), DoubleEq(0.25)));
  EXPECT_EQ(open.peak(), 2U);
}

TEST(InFlight, TheLastSecondMayBeShort) {
  InFlight open(at_ms(0), at_ms(1500));
  open.add(at_ms(0), at_ms(9000));
  EXPECT_THAT(open.mean_per_second(), ElementsAre(DoubleEq(1), DoubleEq(1)));
}

TEST(InFlight, OneThatEndsAsAnotherBeginsIsNotBesideIt) {
  InFlight open(at_ms(0), at_ms(1000));
  open.add(at_ms(500), at_ms(900));
  open.add(at_ms(100), at_ms(500));
  EXPECT_EQ(open.peak(), 1U);
}

TEST(InFlight, OfAStepWithoutTimeIsEmpty) {
  InFlight open(kNever, kNever);
  open.add(at_ms(0), at_ms(10));
  EXPECT_THAT(open.mean_per_second(), IsEmpty());
  EXPECT_EQ(open.peak(), 0U);
}

TEST(InFlight, WhatWasNeverSentIsNotInFlight) {
  InFlight open(at_ms(0), at_ms(1000));
  open.add(kNever, at_ms(500));
  EXPECT_EQ(open.peak(), 0U);
}

TEST(Seconds, ABorderBelongsToTheNextSecondForBeginsAndToTheLastForEnds) {
  EXPECT_EQ(second_of_start(at_ms(0), at_ms(1000)), 1U);
  EXPECT_EQ(second_of_end(at_ms(0), at_ms(1000)), 0U);
  EXPECT_EQ(second_of_end(at_ms(0), at_ms(1001)), 1U);
  EXPECT_EQ(second_of_end(at_ms(0), at_ms(0)), 0U);
  EXPECT_EQ(seconds_between(at_ms(0), at_ms(2000)), 2U);
  EXPECT_EQ(seconds_between(at_ms(0), at_ms(2001)), 3U);
  EXPECT_EQ(seconds_between(at_ms(5), at_ms(1)), 0U);
}

}  // namespace
}  // namespace evenbench::judge
