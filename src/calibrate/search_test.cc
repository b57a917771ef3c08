#include "calibrate/search.h"

#include <gmock/gmock.h>

#include <vector>

namespace evenbench::calibrate {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::Le;

const Trial kHeld{Verdict::kHeld, ""};
const Trial kFailed{Verdict::kFailed, "late"};
const Trial kServerLate{Verdict::kServerLate, "server"};

// Holds up to `truth`.
struct Scripted {
  double truth = 0;
  Trial beyond = kFailed;
  std::size_t time_for = 1000;  // trials
  std::vector<double> levels = {};
  std::optional<Trial> operator()(double level) {
    if (levels.size() >= time_for) return std::nullopt;
    levels.push_back(level);
    return level <= truth ? kHeld : beyond;
  }
};

Limit find(Scripted& script, const SearchRange& range) {
  return find_limit(range, [&script](double level) { return script(level); });
}

TEST(Search, FindsEveryLimitToItsResolution) {
  for (const double truth : {8.0, 9.0, 100.0, 511.0, 512.0, 700.0, 1023.0, 3000.0, 4095.0}) {
    Scripted script{truth};
    const Limit limit = find(script, {.least = 8, .first = 512, .most = 4096, .tries = 1});
    ASSERT_LE(limit.holds, truth);
    ASSERT_TRUE(limit.fails_at);
    EXPECT_GT(*limit.fails_at, truth);
    EXPECT_TRUE(*limit.fails_at <= 1.1 * limit.holds || *limit.fails_at == limit.holds + 1)
        << truth << ": " << limit.holds << " to " << *limit.fails_at;
    EXPECT_EQ(limit.by, LimitedBy::kClient);
    EXPECT_EQ(limit.why, "late");
    EXPECT_LT(script.levels.size(), 16U) << truth;
  }
}

TEST(Search, DoublesFirstThenBisectsInRatios) {
  Scripted script{1200};
  find(script, {.least = 8, .first = 512, .most = 4096, .tries = 1});
  EXPECT_THAT(script.levels, ElementsAre(512, 1024, 2048, 1448, 1218, 1117));
}

TEST(Search, HalvesWhereTheFirstDoesNotHold) {
  Scripted script{100};
  find(script, {.least = 8, .first = 512, .most = 4096, .tries = 1});
  EXPECT_THAT(script.levels, ElementsAre(512, 256, 128, 64, 91, 108, 99));
}

TEST(Search, NeverLeavesItsRange) {
  for (const double truth : {0.0, 20.0, 1e9}) {
    Scripted script{truth};
    find(script, {.least = 10, .first = 512, .most = 3000, .tries = 1});
    EXPECT_THAT(script.levels, Each(testing::AllOf(Ge(10), Le(3000))));
  }
}

TEST(Search, WhatHoldsToTheEndOfTheRangeIsLimitedByTheSearchAlone) {
  Scripted script{1e9};
  const Limit limit = find(script, {.least = 8, .first = 512, .most = 3000});
  EXPECT_EQ(limit, (Limit{3000, std::nullopt, LimitedBy::kBound, ""}));
}

TEST(Search, WhatHoldsNowhereIsZeroAndSaysWhereItGaveUp) {
  Scripted script{0};
  const Limit limit = find(script, {.least = 50, .first = 512, .most = 4096, .tries = 1});
  EXPECT_EQ(limit, (Limit{0, 50, LimitedBy::kClient, "late"}));
}

TEST(Search, AServerThatIsLateItselfIsNotTheClientsLimit) {
  Scripted script{1000, kServerLate};
  EXPECT_EQ(find(script, {.least = 8, .first = 512, .most = 4096}).by, LimitedBy::kServer);
}

TEST(Search, OneHiccupIsNoLimit) {
  int calls = 0;
  const auto every_other = [&calls](double) {
    return std::optional(++calls % 2 ? kFailed : kHeld);
  };
  const Limit limit = find_limit({.least = 8, .first = 512, .most = 4096, .tries = 2}, every_other);
  EXPECT_EQ(limit.holds, 4096);
}

TEST(Search, AClientThatFailedOnceIsNotExcusedByALateServer) {
  int calls = 0;
  const auto mixed = [&calls](double) {
    return std::optional(++calls % 2 ? kFailed : kServerLate);
  };
  EXPECT_EQ(find_limit({.least = 8, .first = 8, .most = 64, .tries = 2}, mixed).by,
            LimitedBy::kClient);
}

TEST(Search, WhenTheTimeIsOverItSaysSoAndKeepsWhatItKnows) {
  Scripted script{1500, kFailed, 3};
  const Limit limit = find(script, {.least = 8, .first = 512, .most = 4096, .tries = 1});
  EXPECT_EQ(limit, (Limit{1024, 2048, LimitedBy::kTime, "late"}));
  Scripted none{1500, kFailed, 0};
  EXPECT_EQ(find(none, {.least = 8, .first = 512, .most = 4096}), Limit{});
}

}  // namespace
}  // namespace evenbench::calibrate
