#include "engine/agreement_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

namespace evenbench::engine {
namespace {

TEST(AgreementProbe, AsksGreedilyAndLetsAnswersEndByThemselves) {
  wire::RequestShape shape;
  shape.model = "m";
  shape.temperature = 0.7;
  shape.top_p = 0.5;
  shape.ignore_eos = true;
  shape.min_tokens = true;
  const auto body = nlohmann::json::parse(
      wire::request_body(greedy(shape), agreement_prompts()[0], kAgreementTokens));
  EXPECT_EQ(body["temperature"], 0);
  EXPECT_EQ(body["top_p"], 0.5);
  EXPECT_FALSE(body.contains("ignore_eos"));
  EXPECT_FALSE(body.contains("min_tokens"));
  EXPECT_EQ(body["max_tokens"], kAgreementTokens);
}

TEST(AgreementProbe, ItsPromptsDiffer) {
  const auto prompts = agreement_prompts();
  EXPECT_EQ(std::set<std::string_view>(prompts.begin(), prompts.end()).size(), prompts.size());
}

}  // namespace
}  // namespace evenbench::engine
