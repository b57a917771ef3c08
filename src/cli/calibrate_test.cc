#include "cli/calibrate.h"

#include <gmock/gmock.h>

namespace evenbench::cli {
namespace {

using calibrate::LimitedBy;
using calibrate::Quantity;
using testing::HasSubstr;

TEST(CalibrationTable, SaysOfEveryLimitWhatEndedIt) {
  calibrate::Calibration c;
  c.limit(Quantity::kStreams) = {4096, std::nullopt, LimitedBy::kBound, ""};
  c.limit(Quantity::kTokenRate) = {50'000, 60'000, LimitedBy::kServer, "it was late"};
  c.limit(Quantity::kRequestRate) = {0, 50, LimitedBy::kClient, "3 requests failed"};
  const std::string table = print_calibration(c);
  c.limit(Quantity::kStreams) = {0, 8, LimitedBy::kServer, "it was late"};
  EXPECT_THAT(print_calibration(c), HasSubstr("not known: streams    at 8 streams: it was late\n"));
  EXPECT_THAT(table, HasSubstr("With 1 worker,"));
  EXPECT_THAT(table, HasSubstr("4096 streams          at least; no more was tried\n"));
  EXPECT_THAT(table, HasSubstr("50000 tokens/s        at least; at 60000 tokens/s: it was late\n"));
  EXPECT_THAT(table, HasSubstr("down to 50 requests/s"));
  EXPECT_THAT(table, HasSubstr("3 requests failed\n"));
}

}  // namespace
}  // namespace evenbench::cli
