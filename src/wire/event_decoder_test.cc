#include "wire/event_decoder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace evenbench::wire {
namespace {

DecodedEvent decode(std::string_view json) {
  EventDecoder decoder;
  return decoder.decode(json, true);
}

TEST(EventDecoder, O01_ARoleWithEmptyNullOrNoContentIsNoTokenEvent) {
  for (const char* delta : {R"({"role":"assistant","content":""})",
                            R"({"role":"assistant","content":null})", R"({"role":"assistant"})"}) {
    const auto event = decode(std::string(R"({"choices":[{"index":0,"delta":)") + delta +
                              R"(,"finish_reason":null}]})");
    EXPECT_TRUE(event.broken.empty());
    EXPECT_TRUE(event.has_choices);
    EXPECT_FALSE(event.is_token_event()) << delta;
    EXPECT_FALSE(event.finished);
  }
}

TEST(EventDecoder, O02_ReasoningUnderEitherNameIsATokenEventWithoutVisibleContent) {
  for (const char* name : {"reasoning", "reasoning_content"}) {
    const auto event =
        decode(std::string(R"({"choices":[{"delta":{"content":null,")") + name + R"(":"t"}}]})");
    EXPECT_TRUE(event.is_token_event());
    EXPECT_EQ(event.reasoning_bytes, 1U);
    EXPECT_EQ(event.content_bytes, 0U);
  }
}

TEST(EventDecoder, ToolCallPiecesAndTokenIdsAreTokenEvents) {
  EXPECT_TRUE(decode(R"({"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"{"}}]}}]})")
                  .is_token_event());
  EXPECT_FALSE(decode(R"({"choices":[{"delta":{"tool_calls":[{"function":{"arguments":""}}]}}]})")
                   .is_token_event());
  const auto ids = decode(R"({"choices":[{"text":"","token_ids":[7,8]}]})");
  EXPECT_EQ(ids.token_ids, 2U);
  EXPECT_TRUE(ids.is_token_event());
}

TEST(EventDecoder, O09_UsageIsFoundWhateverStandsUnderChoices) {
  for (const char* choices : {R"("choices":[],)", R"("choices":null,)", ""}) {
    const auto event =
        decode(std::string("{") + choices +
               R"("usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}})");
    EXPECT_TRUE(event.has_usage) << choices;
    EXPECT_EQ(event.prompt_tokens, 7U);
    EXPECT_EQ(event.completion_tokens, 2U);
    EXPECT_FALSE(event.has_choices);
  }
  EXPECT_FALSE(decode(R"({"choices":[{"delta":{"content":"a"}}],"usage":null})").has_usage);
}

TEST(EventDecoder, O10_DetailsOfUsageStayApartFromItsTotals) {
  const auto event = decode(
      R"({"usage":{"completion_tokens_details":{"reasoning_tokens":80},"completion_tokens":100,)"
      R"("prompt_tokens_details":{"cached_tokens":900},"prompt_tokens":1000}})");
  EXPECT_EQ(event.completion_tokens, 100U);
  EXPECT_EQ(event.reasoning_tokens, 80U);
  EXPECT_EQ(event.cached_tokens, 900U);
}

TEST(EventDecoder, AFinishReasonIsOneOnlyWhenItSaysSomething) {
  EXPECT_TRUE(decode(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})").finished);
  EXPECT_FALSE(decode(R"({"choices":[{"text":"a","finish_reason":""}]})").finished);
  EXPECT_FALSE(decode(R"({"choices":[{"text":"a","finish_reason":null}]})").finished);
}

TEST(EventDecoder, O13_EveryShapeOfAnErrorIsRead) {
  const auto object =
      decode(R"({"error":{"message":"engine stopped","type":"server_error","code":500}})");
  EXPECT_EQ(object.error_message, "engine stopped");
  EXPECT_EQ(object.error_code, 500);
  EXPECT_EQ(decode(R"({"error":{"message":"slow down","code":"429"}})").error_code, 429);
  EXPECT_EQ(
      decode(R"({"error":{"message":"Model is overloaded","http_status_code":422}})").error_code,
      422);
  EXPECT_EQ(decode(R"({"error":"Unauthorized"})").error_message, "Unauthorized");
  const auto quota = decode(R"({"error":{"message":"no money","code":"insufficient_quota"}})");
  EXPECT_EQ(quota.error_word, "insufficient_quota");
  EXPECT_EQ(quota.error_code, 0);
  EXPECT_EQ(decode(R"({"object":"error","message":"m","code":"model_not_found"})").error_word,
            "model_not_found");
  for (const char* none : {"429", "None", "", "two words"}) {
    EXPECT_EQ(decode(fmt::format(R"({{"error":{{"message":"m","code":"{}"}}}})", none)).error_word,
              "")
        << none;
  }
  const auto top =
      decode(R"({"object":"error","message":"too long","type":"BadRequestError","code":400})");
  EXPECT_TRUE(top.has_error);
  EXPECT_EQ(top.error_message, "too long");
  EXPECT_EQ(top.error_code, 400);
  EXPECT_EQ(decode(R"({"detail":"Not Found"})").error_message, "Not Found");
  EXPECT_TRUE(decode(R"({"detail":[{"loc":["body","x"]}]})").has_error);
  EXPECT_FALSE(decode(R"({"choices":[{"delta":{"content":"a"}}],"error":null})").has_error);
}

TEST(EventDecoder, O21_TextComesOutAsItWasGenerated) {
  EXPECT_EQ(decode("{\"choices\":[{\"delta\":{\"content\":\"\xE5\xA5\xBD\\u597d\\n\"}}]}").text,
            "\xE5\xA5\xBD\xE5\xA5\xBD\n");
}

TEST(EventDecoder, NativeTgiEventsAreTokensAndTheLastOneFinishes) {
  const auto token =
      decode(R"({"index":1,"token":{"id":1,"text":"hi","logprob":0,"special":false},)"
             R"("generated_text":null,"details":null})");
  EXPECT_TRUE(token.is_token_event());
  EXPECT_FALSE(token.finished);
  const auto last =
      decode(R"({"index":2,"token":{"id":2,"text":"</s>","special":true},"generated_text":"hi",)"
             R"("details":{"finish_reason":"eos_token","generated_tokens":2,"input_length":5}})");
  EXPECT_TRUE(last.finished);
  EXPECT_EQ(last.completion_tokens, 2U);
}

TEST(EventDecoder, DoneMarksAndTrailingBlanksAreUnderstood) {
  EXPECT_TRUE(decode("[DONE]").done_mark);
  EXPECT_TRUE(decode("[DONE] ").done_mark);
  EXPECT_TRUE(decode(R"({"choices":[{"delta":{"role":"assistant"}}]} )").broken.empty());
}

TEST(EventDecoder, WhatIsNoJsonObjectIsBrokenAndLeavesNothingBehind) {
  EventDecoder decoder;
  for (const char* bad : {"", "{", "nothing", "[1]", "7", R"({"choices":[{"delta":{"content":"a)",
                          R"({"choices":[{"delta":{"content":"a"}}]} extra)"}) {
    EXPECT_FALSE(decoder.decode(bad, true).broken.empty()) << bad;
  }
  EXPECT_TRUE(decoder.decode(R"({"choices":[]})", true).broken.empty());
  EXPECT_TRUE(decoder.decode(R"({"choices":[]})", true).text.empty());
}

TEST(EventDecoder, NumbersThatAreNoCountsAreAbsentNotZero) {
  const auto event = decode(R"({"usage":{"prompt_tokens":null,"completion_tokens":-3}})");
  EXPECT_TRUE(event.has_usage);
  EXPECT_EQ(event.prompt_tokens, std::nullopt);
  EXPECT_EQ(event.completion_tokens, std::nullopt);
}

}  // namespace
}  // namespace evenbench::wire
