#include "judge/failures.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using testing::at_ms;
using testing::RequestBuilder;
using ::testing::SizeIs;

TEST(Failures, AreGroupedByEndingAndDetailTheMostFrequentFirst) {
  Failures failures;
  failures.add(RequestBuilder(0).failed(Ending::kReset, "a", 900).exchanged(), at_ms(0));
  failures.add(RequestBuilder(0).failed(Ending::kHttpError, "b", 800).exchanged(), at_ms(0));
  failures.add(RequestBuilder(0).failed(Ending::kHttpError, "b", 300).exchanged(), at_ms(0));
  failures.add(RequestBuilder(0).failed(Ending::kTimedOut, "a", 700).exchanged(), at_ms(0));
  const auto classes = failures.classes();
  ASSERT_THAT(classes, SizeIs(3));
  EXPECT_EQ(classes[0].ending, Ending::kHttpError);
  EXPECT_EQ(classes[0].detail, "b");
  EXPECT_EQ(classes[0].count, 2U);
  EXPECT_DOUBLE_EQ(*classes[0].first_seen_s, 0.3);
}

TEST(Failures, OfAServerThatNeverSaysTheSameTwiceAreSummedUp) {
  Failures failures;
  for (int i = 0; i < 5000; ++i) {
    const auto ending = i % 2 == 0 ? Ending::kHttpError : Ending::kStreamError;
    failures.add(RequestBuilder(0).failed(ending, fmt::format("id {}", i), i).exchanged(),
                 at_ms(0));
  }
  const auto classes = failures.classes();
  EXPECT_LE(classes.size(), 22U);
  const auto total = std::accumulate(classes.begin(), classes.end(), std::uint64_t{0},
                                     [](auto sum, const auto& c) { return sum + c.count; });
  EXPECT_EQ(total, 5000U);
}

TEST(Failures, RefusalsAreTooManyRequestsUnavailableAndTimeLimits) {
  EXPECT_TRUE(is_refusal(RequestBuilder(0).failed(Ending::kHttpError, "", 1, 429).exchanged()));
  EXPECT_TRUE(is_refusal(RequestBuilder(0).failed(Ending::kHttpError, "", 1, 503).exchanged()));
  EXPECT_TRUE(is_refusal(RequestBuilder(0).failed(Ending::kTimedOut, "", 1, 200).exchanged()));
  EXPECT_FALSE(is_refusal(RequestBuilder(0).failed(Ending::kHttpError, "", 1, 401).exchanged()));
  const auto in_stream = [](const char* detail) {
    return is_refusal(RequestBuilder(0).failed(Ending::kStreamError, detail, 1, 200).exchanged());
  };
  EXPECT_TRUE(in_stream("in-stream error 422: Model is overloaded"));
  EXPECT_TRUE(in_stream("in-stream error 503: queue is full"));
  EXPECT_FALSE(in_stream("in-stream error 500: engine stopped"));
  EXPECT_FALSE(is_refusal(RequestBuilder(0).tokens({1}).exchanged()));
}

}  // namespace
}  // namespace evenbench::judge
