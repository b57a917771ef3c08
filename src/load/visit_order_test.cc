#include "load/visit_order.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace evenbench::load {
namespace {

TEST(VisitOrder, TwoSystemsChangePlacesFromBlockToBlock) {
  const auto orders = visit_orders(2, 4, 42);
  ASSERT_EQ(orders.size(), 4U);
  EXPECT_EQ(orders[0][0], orders[1][1]);
  EXPECT_EQ(orders[0][1], orders[1][0]);
  EXPECT_EQ(orders[0], orders[2]);
}

TEST(VisitOrder, EveryBlockVisitsEverySystemOnce) {
  for (int n = 1; n <= 6; ++n) {
    for (const auto& row : visit_orders(n, 7, 3)) {
      EXPECT_EQ(std::set<int>(row.begin(), row.end()).size(), static_cast<std::size_t>(n));
    }
  }
}

TEST(VisitOrder, EverySystemFollowsEveryOtherEquallyOften) {
  for (int n = 2; n <= 6; ++n) {
    const int blocks = n % 2 == 0 ? n : 2 * n;
    std::map<std::pair<int, int>, int> follows;
    for (const auto& row : visit_orders(n, blocks, 3)) {
      for (std::size_t i = 1; i < row.size(); ++i) ++follows[{row[i - 1], row[i]}];
    }
    EXPECT_EQ(follows.size(), static_cast<std::size_t>(n * (n - 1)));
    for (const auto& [pair, count] : follows) EXPECT_EQ(count, follows.begin()->second);
  }
}

TEST(VisitOrder, TheSeedDecidesWhoComesFirst) {
  std::set<int> first;
  for (std::uint64_t seed = 0; seed < 40; ++seed) first.insert(visit_orders(3, 1, seed)[0][0]);
  EXPECT_EQ(first.size(), 3U);
  EXPECT_EQ(visit_orders(3, 6, 5), visit_orders(3, 6, 5));
}

}  // namespace
}  // namespace evenbench::load
