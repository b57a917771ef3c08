#include "engine/metrics_scrape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using M = EngineMetric;

MetricsSource two_routes() {
  return {{"/first", "/second"},
          {{{""}, {{M::kRequestsRunning, {{"running"}}}}, {{M::kRequestsFinished, "/done", ""}}}},
          ""};
}

net::Fetched ok(const std::string& body) {
  return {200, "text/plain", body};
}

TEST(MetricsScrape, TheFirstRouteThatAnswersIsKept) {
  const MetricsSource source = two_routes();
  MetricsScrape scrape(source);
  EXPECT_EQ(*scrape.route(), "/first");
  EXPECT_THAT(scrape.on_answer(net::Fetched{404, "", "{}"}), IsEmpty());
  EXPECT_EQ(*scrape.route(), "/second");
  EXPECT_EQ(scrape.on_answer(ok("running 3\n")).at(0).value, 3);
  EXPECT_EQ(scrape.trouble(), "");
  EXPECT_THAT(scrape.on_answer(environment_error("timed out")), IsEmpty());
  EXPECT_EQ(*scrape.route(), "/second") << "a gap, not another route";
}

TEST(MetricsScrape, WhereNoRouteAnswersItSaysWhatEachSaid) {
  const MetricsSource source = two_routes();
  MetricsScrape scrape(source);
  scrape.on_answer(net::Fetched{404, "", ""});
  scrape.on_answer(ok("not metrics\n"));
  EXPECT_EQ(scrape.route(), nullptr);
  EXPECT_THAT(scrape.trouble(), HasSubstr("/first answered 404; /second: line 1"));
  EXPECT_THAT(scrape.on_answer(ok("running 3\n")), IsEmpty());
}

TEST(MetricsScrape, AnEmptyPageIsAnAnswer) {
  const MetricsSource source = two_routes();
  MetricsScrape scrape(source);
  EXPECT_THAT(scrape.on_answer(ok("")), IsEmpty());
  EXPECT_EQ(*scrape.route(), "/first");
  EXPECT_EQ(scrape.trouble(), "");
}

TEST(MetricsScrape, WhatAnEngineForgetsIsAddedUp) {
  const MetricsSource source = two_routes();
  MetricsScrape scrape(source);
  EXPECT_EQ(scrape.on_answer(ok(R"([{"done":2},{"done":1}])")).at(0).value, 3);
  EXPECT_THAT(scrape.on_answer(ok("[]")), IsEmpty());
  EXPECT_EQ(scrape.on_answer(ok(R"([{"done":4}])")).at(0).value, 7);
}

TEST(MetricsScrape, AnEngineIsIdleWhenNothingRunsAndNothingWaits) {
  EXPECT_TRUE(is_idle({}));
  EXPECT_TRUE(is_idle({{M::kRequestsRunning, 0, ""}, {M::kPromptTokens, 9, ""}}));
  EXPECT_FALSE(is_idle({{M::kRequestsRunning, 1, ""}}));
  EXPECT_FALSE(is_idle({{M::kRequestsRunning, 0, ""}, {M::kRequestsWaiting, 1, ""}}));
}

}  // namespace
}  // namespace evenbench::engine
