#include "cli/units.h"

#include <gtest/gtest.h>

namespace evenbench::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Units, DurationsNeedAUnitAndNothingElse) {
  EXPECT_EQ(parse_duration("500ms"), milliseconds{500});
  EXPECT_EQ(parse_duration("1.5m"), seconds{90});
  EXPECT_EQ(parse_duration("2h"), seconds{7200});
  for (const char* bad : {"30", "s", "-3s", "3 s", "3sec", "", "1e3s", "99999999999h"}) {
    EXPECT_EQ(parse_duration(bad), std::nullopt) << bad;
  }
}

TEST(Units, PercentAndRatesAreReadAsWritten) {
  EXPECT_DOUBLE_EQ(*parse_percent("0.1%"), 0.001);
  EXPECT_EQ(parse_percent("10"), std::nullopt);
  EXPECT_DOUBLE_EQ(*parse_per_time("8/s"), 8.0);
  EXPECT_DOUBLE_EQ(*parse_per_time("30/m"), 0.5);
  EXPECT_EQ(parse_per_time("8/"), std::nullopt);
}

TEST(Units, PrintedDurationsAreReadBackAsTheSame) {
  for (const Nanos d : {Nanos{0}, Nanos{milliseconds{250}}, Nanos{seconds{90}},
                        Nanos{seconds{7200}}, Nanos{std::chrono::microseconds{1500}}}) {
    EXPECT_EQ(parse_duration(print_duration(d)), d) << print_duration(d);
  }
  EXPECT_EQ(print_duration(seconds{120}), "2m");
  EXPECT_EQ(print_duration(milliseconds{1500}), "1500ms");
}

TEST(Units, NearestFindsTheMisspeltWordAndNotAnUnrelatedOne) {
  const std::vector<std::string> keys = {"rates", "arrivals", "warmup", "measure"};
  EXPECT_EQ(nearest("arivals", keys), "arrivals");
  EXPECT_EQ(nearest("warm_up", keys), "warmup");
  EXPECT_EQ(nearest("temperature", keys), std::nullopt);
}

}  // namespace
}  // namespace evenbench::cli
