#include "load/raised_priority.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace evenbench::load {
namespace {

TEST(RaisedPriority, EndsWithItsScope) {
  const int before = ::getpriority(PRIO_PROCESS, 0);
  {
    const RaisedPriority raised;
    EXPECT_LE(raised.nice(), before);
  }
  EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), before);
}

}  // namespace
}  // namespace evenbench::load
