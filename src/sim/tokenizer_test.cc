#include "sim/tokenizer.h"

#include <gtest/gtest.h>

namespace evenbench::sim {
namespace {

TEST(Tokenizer, CountsWordsTimesItsRatioAndNeverNoneForAWord) {
  EXPECT_EQ(tokens_of(0, 3.0), 0U);
  EXPECT_EQ(tokens_of(7, 1.0), 7U);
  EXPECT_EQ(tokens_of(7, 1.5), 11U);
  EXPECT_EQ(tokens_of(1, 0.2), 1U);
}

TEST(Tokenizer, ItsTokensCoverTheWordsAndAreAsManyAsItCounts) {
  const std::string text = "one  three\tfive seven";
  for (const double ratio : {0.5, 1.0, 1.5, 3.0}) {
    const auto tokens = tokenize(text, ratio);
    EXPECT_EQ(tokens.size(), tokens_of(4, ratio)) << ratio;
    std::string left = text;
    for (const Token& token : tokens) {
      for (std::size_t i = token.start; i < token.stop; ++i) left[i] = ' ';
    }
    EXPECT_EQ(left.find_first_not_of(" \t"), std::string::npos) << ratio << ": " << left;
  }
  const auto words = tokenize(text, 1.0);
  EXPECT_EQ(text.substr(words[1].start, words[1].stop - words[1].start), "three");
}

TEST(Tokenizer, ReadsAPromptOrTheContentsOfMessages) {
  EXPECT_EQ(text_to_tokenize(R"({"prompt":"a b"})", "prompt"), "a b");
  EXPECT_EQ(text_to_tokenize(R"({"messages":[{"content":"a"},{"content":"b"}]})", "prompt"), "a b");
  EXPECT_EQ(text_to_tokenize(R"({"messages":7})", "prompt"), std::nullopt);
  EXPECT_EQ(text_to_tokenize("{", "prompt"), std::nullopt);
  EXPECT_EQ(token_ids(R"({"prompt":"a a b"})", 1.0)->size(), 3U);
}

}  // namespace
}  // namespace evenbench::sim
