#include "truth/answer.h"

#include <gmock/gmock.h>

namespace evenbench::truth {
namespace {

int count_of(std::string_view text, std::string_view part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

std::string all_of(const Script& script) {
  std::string out;
  for (int i = 0; i < script.sends(); ++i) out += script.bytes(i);
  return out;
}

const Asked kStream{.valid = true, .chat = true, .stream = true, .usage = true};

TEST(TruthScript, CutsAStreamIntoSendsThatTogetherHoldEveryToken) {
  for (const int per_send : {1, 3, 16}) {
    for (const int tokens : {1, 2, 3, 15, 16, 17, 40}) {
      const Script script(kStream, tokens, 1, per_send);
      EXPECT_EQ(script.sends(), (tokens + per_send - 1) / per_send);
      EXPECT_EQ(script.tokens_before(0), 0);
      EXPECT_EQ(script.tokens_before(script.sends()), tokens);
      int before = 0;
      for (int i = 0; i < script.sends(); ++i) {
        EXPECT_EQ(script.tokens_before(i), before);
        before += count_of(script.bytes(i), "\" t\"");
      }
      EXPECT_EQ(before, tokens);
      const std::string all = all_of(script);
      EXPECT_EQ(count_of(all, "HTTP/1.1 200"), 1);
      EXPECT_EQ(count_of(all, "[DONE]"), 1);
      EXPECT_THAT(all, testing::EndsWith("0\r\n\r\n"));
      EXPECT_THAT(all, testing::HasSubstr("\"completion_tokens\":" + std::to_string(tokens)));
    }
  }
}

TEST(TruthScript, EveryEventBeginsAsAnEnginesDoes) {
  const std::string all = all_of(Script(kStream, 3, 1, 1));
  EXPECT_EQ(count_of(all, R"(data: {"id":"chatcmpl-8521d57ce1de566a",)"
                          R"("object":"chat.completion.chunk","created":1796033400,)"
                          R"("model":"truth","choices":)"),
            5);  // three tokens, the reason of the end, the usage
}

TEST(TruthScript, AnEventOfSeveralTokensCountsThemAll) {
  const Script script(kStream, 10, 4, 2);  // 4 + 4 | 2
  EXPECT_EQ(script.sends(), 2);
  EXPECT_EQ(script.tokens_before(1), 8);
  EXPECT_EQ(count_of(script.bytes(0), "\" t t t t\""), 2);
  EXPECT_EQ(count_of(script.bytes(1), "\" t t\""), 1);
}

TEST(TruthScript, WithoutAStreamTheAnswerIsOneSend) {
  Asked asked = kStream;
  asked.stream = false;
  const Script script(asked, 5, 1, 1);
  EXPECT_EQ(script.sends(), 1);
  EXPECT_EQ(script.tokens_before(1), 5);
  EXPECT_EQ(count_of(script.bytes(0), " t"), 5);
}

}  // namespace
}  // namespace evenbench::truth
