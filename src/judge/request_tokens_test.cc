#include "judge/request_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using testing::RequestBuilder;

TEST(RequestTokens, AServerThatClaimsNoTokensForTextIsNotBelieved) {
  EXPECT_EQ(output_count(RequestBuilder(0).tokens({1, 2}).usage(5, 0).exchanged()), std::nullopt);
  EXPECT_EQ(output_count(RequestBuilder(0).usage(5, 0).exchanged()), 0U);
}

TEST(RequestTokens, ACountWithoutASourceIsNoCount) {
  RequestBuilder request(0);
  request.tokens({1, 2}).usage(5, 2);
  request.exchanged().source = TokenSource::kUnknown;
  EXPECT_EQ(output_count(request.exchanged()), std::nullopt);
}

TEST(RequestTokens, AreSpreadEvenlyOverUncountedEvents) {
  RequestBuilder request(0);
  request.tokens({1, 2, 3}).usage(5, 7);
  EXPECT_THAT(*tokens_per_event(request.exchanged()),
              ElementsAre(DoubleEq(7.0 / 3), DoubleEq(7.0 / 3), DoubleEq(7.0 / 3)));
  request.counts({1, 4, 0});
  EXPECT_THAT(*tokens_per_event(request.exchanged()), ElementsAre(1, 4, 2));
}

// A final end-of-sequence token counts in n but travels in no event.
TEST(RequestTokens, CountedEventsAddUpToTheServersCount) {
  RequestBuilder request(0);
  request.tokens({1, 2, 3}).counts({1, 1, 2}).usage(5, 5);
  EXPECT_THAT(*tokens_per_event(request.exchanged()), ElementsAre(1.25, 1.25, 2.5));
}

TEST(RequestTokens, CountsThatContradictTheServerGiveWayToIt) {
  RequestBuilder request(0);
  request.tokens({1, 2, 3}).counts({4, 4, 0}).usage(5, 6);
  EXPECT_THAT(*tokens_per_event(request.exchanged()), ElementsAre(2, 2, 2));
}

TEST(RequestTokens, WithoutAnyCountAreUnknown) {
  EXPECT_EQ(tokens_per_event(RequestBuilder(0).tokens({1, 2}).exchanged()), std::nullopt);
  RequestBuilder counted(0);
  counted.tokens({1, 2}).counts({1, 2});
  EXPECT_THAT(*tokens_per_event(counted.exchanged()), ElementsAre(1, 2));
}

TEST(RequestTokens, OfEachEventAreKnownWhereTheyAreCountedOrAsManyAsEvents) {
  RequestBuilder request(0);
  request.tokens({1, 2, 3}).usage(5, 3);
  EXPECT_TRUE(event_counts_are_known(request.exchanged()));
  request.exchanged().source = TokenSource::kTokenizer;
  EXPECT_FALSE(event_counts_are_known(request.exchanged()));
  request.usage(5, 9);
  EXPECT_FALSE(event_counts_are_known(request.exchanged()));
  request.counts({1, 4, 4});
  EXPECT_TRUE(event_counts_are_known(request.exchanged()));
}

}  // namespace
}  // namespace evenbench::judge
