#include "calibrate/calibrate.h"

#include <gmock/gmock.h>

#include <vector>

namespace evenbench::calibrate {
namespace {

class ManualClock final : public Clock {
 public:
  [[nodiscard]] MonoTime now() const override { return now_; }
  [[nodiscard]] WallTime wall() const override { return {}; }
  void pass(Nanos time) { now_ += time; }

 private:
  MonoTime now_{std::chrono::hours{1}};
};

// Trials that take their time on a clock of their own, and hold up to 2000 streams, 50 000 tokens/s
// and any request rate.
struct Bench {
  ManualClock clock;
  std::vector<std::string> said;
  CalibrateOptions options;
  Bench() {
    options.tell = [this](const std::string& text) { said.push_back(text); };
    options.interrupted = [] { return false; };
    options.run = [this](const TrialPlan& plan) -> Result<Seen> {
      clock.pass(plan.length() + std::chrono::milliseconds{300});
      const bool few = plan.streams <= 2000;
      const double gap_ms = std::stod(plan.server.at(3));
      const bool slow = plan.streams != 100 || 100 / gap_ms * 1e3 <= 50'000;
      Seen seen;
      seen.tokens = 1000;
      seen.streams = plan.streams;
      seen.token_late = few && slow ? Nanos{1000} : Nanos{2'000'000};
      return seen;
    };
  }
};

TEST(FindLimits, FindsTheThreeWithinTheTimeGiven) {
  Bench bench;
  Calibration out;
  const MonoTime begin = bench.clock.now();
  ASSERT_TRUE(find_limits(bench.options, bench.clock, out));
  EXPECT_LE(bench.clock.now() - begin, std::chrono::seconds{60});
  EXPECT_GE(out.limit(Quantity::kStreams).holds, 2000 / 1.1);
  EXPECT_LE(out.limit(Quantity::kStreams).holds, 2000);
  EXPECT_GE(out.limit(Quantity::kTokenRate).holds, 50'000 / 1.1);
  EXPECT_LE(out.limit(Quantity::kTokenRate).holds, 50'001);
  EXPECT_EQ(out.limit(Quantity::kRequestRate).by, LimitedBy::kBound);
  EXPECT_THAT(bench.said.front(), testing::HasSubstr("512 streams: holds"));
}

TEST(FindLimits, LittleTimeIsKeptTooAndEveryLimitIsTried) {
  Bench bench;
  bench.options.budget = std::chrono::seconds{15};
  Calibration out;
  const MonoTime begin = bench.clock.now();
  ASSERT_TRUE(find_limits(bench.options, bench.clock, out));
  EXPECT_LE(bench.clock.now() - begin, std::chrono::seconds{15});
  for (const Limit& limit : out.limits) EXPECT_GT(limit.holds, 0);
}

TEST(FindLimits, AnInterruptEndsItBeforeTheNextTrial) {
  Bench bench;
  bench.options.interrupted = [&bench] { return bench.said.size() == 2; };
  Calibration out;
  const auto found = find_limits(bench.options, bench.clock, out);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(bench.said.size(), 2U);
}

TEST(FindLimits, ATrialThatCannotBeRunIsItsError) {
  Bench bench;
  bench.options.run = [](const TrialPlan&) -> Result<Seen> { return environment_error("no disk"); };
  Calibration out;
  EXPECT_EQ(find_limits(bench.options, bench.clock, out).error().message, "no disk");
}

}  // namespace
}  // namespace evenbench::calibrate
