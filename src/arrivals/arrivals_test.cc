#include "arrivals/arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace evenbench::arrivals {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<Nanos> make(const char* process, std::size_t count, Nanos span,
                        std::uint64_t seed = 42) {
  Rng rng(seed, "schedule");
  return schedule(*parse_process(process), count, span, rng);
}

double cv_of_gaps(const std::vector<Nanos>& at) {
  double sum = 0;
  double squares = 0;
  const auto n = static_cast<double>(at.size() - 1);
  for (std::size_t i = 1; i < at.size(); ++i) sum += to_seconds(at[i] - at[i - 1]);
  for (std::size_t i = 1; i < at.size(); ++i) {
    const double d = to_seconds(at[i] - at[i - 1]) - sum / n;
    squares += d * d;
  }
  return std::sqrt(squares / n) / (sum / n);
}

TEST(Arrivals, GivenGapsAreScaledToTheSpanAndTheLastOnePinsNoArrival) {
  EXPECT_EQ(schedule_from_gaps({1, 2, 3, 4}, seconds{10}),
            (std::vector<Nanos>{seconds{1}, seconds{3}, seconds{6}}));
}

TEST(Arrivals, EveryProcessGivesTheExactCountInOrderInsideTheSpan) {
  for (const char* process : {"poisson", "constant", "gamma:0.25", "gamma:4"}) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{5000}}) {
      const auto at = make(process, count, seconds{20});
      ASSERT_EQ(at.size(), count) << process;
      EXPECT_TRUE(std::is_sorted(at.begin(), at.end())) << process;
      EXPECT_GE(at.front(), Nanos{0});
      EXPECT_LT(at.back(), seconds{20});
    }
    EXPECT_TRUE(make(process, 0, seconds{20}).empty());
  }
}

TEST(Arrivals, ConstantArrivalsAt50PerSecondComeEvery20Milliseconds) {
  const auto at = make("constant", 500, seconds{10});
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_EQ(at[i], milliseconds{20} * static_cast<std::int64_t>(i));
  }
}

TEST(Arrivals, TheGammaShapeSetsTheCoefficientOfVariation) {
  EXPECT_NEAR(cv_of_gaps(make("gamma:0.25", 20'000, seconds{2000})), 2.0, 0.06);
  EXPECT_NEAR(cv_of_gaps(make("poisson", 20'000, seconds{2000})), 1.0, 0.03);
  EXPECT_NEAR(cv_of_gaps(make("gamma:4", 20'000, seconds{2000})), 0.5, 0.02);
}

// Given the count, Poisson arrivals are sorted uniforms: Kolmogorov-Smirnov at 1 %, D < 1.628 /
// sqrt(n).
TEST(Arrivals, PoissonArrivalsAreUniformInTheSpan) {
  const std::size_t n = 600;
  const auto at = make("poisson", n, seconds{60}, 7);
  double distance = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = to_seconds(at[i]) / 60.0;
    distance = std::max({distance, std::abs(x - static_cast<double>(i) / n),
                         std::abs(x - static_cast<double>(i + 1) / n)});
  }
  EXPECT_LT(distance, 1.628 / std::sqrt(static_cast<double>(n)));
}

TEST(Arrivals, TheSameSeedGivesTheSameScheduleAndAnotherSeedAnother) {
  EXPECT_EQ(make("poisson", 100, seconds{10}), make("poisson", 100, seconds{10}));
  EXPECT_NE(make("poisson", 100, seconds{10}), make("poisson", 100, seconds{10}, 43));
}

TEST(Arrivals, ProcessesAreReadAndWrittenAndTheRestIsRefusedWithTheForms) {
  for (const char* text : {"poisson", "constant", "gamma:0.5"}) {
    EXPECT_EQ(to_string(*parse_process(text)), text);
  }
  for (const char* bad : {"", "uniform", "gamma", "gamma:", "gamma:0", "gamma:-1", "gamma:x",
                          "gamma:nan", "gamma:1 ", "Poisson"}) {
    const auto process = parse_process(bad);
    ASSERT_FALSE(process) << bad;
    EXPECT_NE(process.error().message.find("poisson, constant or gamma:K"), std::string::npos);
  }
}

TEST(Arrivals, TheOfferedCountIsTheRoundedProduct) {
  EXPECT_EQ(offered_count(Rate::per_second(200), seconds{10}), 2000U);
  EXPECT_EQ(offered_count(Rate::per_second(0.1), seconds{24}), 2U);
}

}  // namespace
}  // namespace evenbench::arrivals
