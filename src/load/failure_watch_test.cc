#include "load/failure_watch.h"

#include <gtest/gtest.h>

namespace evenbench::load {
namespace {

using namespace std::chrono_literals;
using enum wire::ErrorClass;

Exchanged ended(Ending ending, Nanos at, int status = 200, const std::string& detail = "") {
  Exchanged x;
  x.ending = ending;
  x.http_status = status;
  x.detail = detail;
  x.closed.user = MonoTime{at};
  return x;
}

Exchanged good(Nanos at) {
  return ended(Ending::kDone, at);
}

Exchanged refused(Nanos at, const std::string& words = "HTTP 401: expired") {
  return ended(Ending::kHttpError, at, 401, words);
}

TEST(FailureWatch, AKeyThatIsRefusedForASecondIsLost) {
  FailureWatch watch;
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(watch.on_ended(good(i * 10ms)));
  EXPECT_FALSE(watch.on_ended(refused(1000ms, "HTTP 401: the first")));
  for (int i = 1; i < 20; ++i) EXPECT_FALSE(watch.on_ended(refused(1000ms + i * 50ms))) << i;
  EXPECT_TRUE(watch.on_ended(refused(2000ms)));
  const auto lost = watch.key_lost();
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->error, kKeyRefused);
  EXPECT_EQ(lost->first, MonoTime{1000ms});
  EXPECT_EQ(lost->detail, "HTTP 401: the first");
}

TEST(FailureWatch, FewSlowRefusalsInARowAreEnough) {
  FailureWatch watch;
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(watch.on_ended(refused(i * 10s)));
  EXPECT_TRUE(watch.on_ended(refused(40s)));
}

TEST(FailureWatch, AGatewayThatRefusesAValidKeyNowAndThenDoesNotEndAStep) {
  FailureWatch watch;
  for (int i = 0; i < 1000; ++i) {
    const auto x = i % 3 == 0 ? good(i * 100ms) : refused(i * 100ms);
    EXPECT_FALSE(watch.on_ended(x));
  }
  EXPECT_FALSE(watch.key_lost());
  EXPECT_EQ(watch.failures().front().count, 666U);
}

TEST(FailureWatch, ABurstOfRefusalsAtOneInstantIsAnAccidentUnlessItIsHuge) {
  FailureWatch watch;
  for (std::uint64_t i = 1; i < kManyRefusalsInARow; ++i) EXPECT_FALSE(watch.on_ended(refused(1s)));
  EXPECT_FALSE(watch.on_ended(good(1s)));
  for (std::uint64_t i = 1; i < kManyRefusalsInARow; ++i) EXPECT_FALSE(watch.on_ended(refused(9s)));
  EXPECT_TRUE(watch.on_ended(refused(9s)));
}

TEST(FailureWatch, MoneyAndPermissionEndAStepAsAKeyDoes) {
  for (const auto& [status, error] : {std::pair{402, kQuota}, std::pair{403, kPermission}}) {
    FailureWatch watch;
    for (int i = 0; i < 5; ++i) {
      watch.on_ended(ended(Ending::kHttpError, i * 1s, status, "HTTP 40x: no"));
    }
    ASSERT_TRUE(watch.key_lost());
    EXPECT_EQ(watch.key_lost()->error, error);
  }
}

TEST(FailureWatch, ThrottlesOverloadAndBrokenConnectionsAreOnlyCounted) {
  FailureWatch watch;
  for (int i = 0; i < 300; ++i) {
    EXPECT_FALSE(watch.on_ended(ended(Ending::kHttpError, i * 1s, 429, "HTTP 429: slow down")));
    EXPECT_FALSE(watch.on_ended(
        ended(Ending::kStreamError, i * 1s, 200, "in-stream error 422: Model is overloaded")));
    if (i % 2 == 0) watch.on_ended(ended(Ending::kReset, i * 1s, 0, "transport: reset"));
  }
  const auto failures = watch.failures();
  ASSERT_EQ(failures.size(), 3U);
  EXPECT_EQ(failures[0].error, kThrottled);
  EXPECT_EQ(failures[1].error, kOverloaded);
  EXPECT_EQ(failures[2].ending, Ending::kReset);
  EXPECT_EQ(failures[2].error, std::nullopt);
  EXPECT_EQ(failures[2].count, 150U);
  EXPECT_EQ(failures[0].first, MonoTime{0s});
}

TEST(FailureWatch, WhatIsCutAtTheEndIsNeitherGoodNorAFailure) {
  FailureWatch watch;
  for (int i = 0; i < 4; ++i) watch.on_ended(refused(i * 1s));
  watch.on_ended(ended(Ending::kCutAtEnd, 5s));
  EXPECT_TRUE(watch.on_ended(refused(6s)));
  EXPECT_EQ(watch.failures().size(), 1U);
}

}  // namespace
}  // namespace evenbench::load
