#include "wire/event_template.h"

#include <gtest/gtest.h>

#include <string>

namespace evenbench::wire {
namespace {

constexpr std::string_view kLearned = R"({"choices":[{"text":"one"}],"n":1})";

EventTemplate learned() {
  EventTemplate out;
  out.learn(kLearned, kLearned.find("one"), 3);
  return out;
}

std::string with(std::string_view text) {
  return R"({"choices":[{"text":")" + std::string(text) + R"("}],"n":1})";
}

TEST(EventTemplate, FindsAnotherTextBetweenTheSameBytes) {
  const auto form = learned();
  for (const std::string_view text : {"", "a", "one", "eight888", "nine99999",
                                      " \x7F\xE5\xA5\xBD\xF0\x9F\x98\x80", "}]}", "1:,"}) {
    const std::string event = with(text);
    EXPECT_EQ(form.text_of(event), text);
  }
}

TEST(EventTemplate, LeavesAloneWhatIsNotPlainTextBetweenTheSameBytes) {
  const auto form = learned();
  for (const std::string_view text : {"\"", "a\"}],\"x\":[{\"text\":\"b", "\\n", "\\", "\n", "\x1F",
                                      "\xFF", "\xE5\xA5", "\xED\xA0\x80", "\xC0\x80"}) {
    EXPECT_EQ(form.text_of(with(text)), std::nullopt) << text;
    EXPECT_EQ(form.text_of(with("eight888" + std::string(text))), std::nullopt) << text;
    EXPECT_EQ(form.text_of(with(std::string(text) + "eight888")), std::nullopt) << text;
  }
}

TEST(EventTemplate, LeavesAloneWhatHasOtherBytesAround) {
  const auto form = learned();
  const std::string same = with("once");
  const std::size_t begin = same.find("once");
  for (std::size_t i = 0; i < same.size(); ++i) {
    if (i >= begin && i < begin + 4) continue;
    std::string other = same;
    other[i] ^= 1;
    EXPECT_EQ(form.text_of(other), std::nullopt) << other;
    other.erase(i, 1);
    EXPECT_EQ(form.text_of(other), std::nullopt) << other;
  }
  EXPECT_EQ(form.text_of(same + " "), std::nullopt);
  EXPECT_EQ(form.text_of(""), std::nullopt);
  // What stands before and behind may not share a byte.
  EventTemplate quotes;
  quotes.learn(R"("")", 1, 0);
  EXPECT_EQ(quotes.text_of("\""), std::nullopt);
}

TEST(EventTemplate, KnowsNothingBeforeItLearnedAndAfterItForgot) {
  EventTemplate form;
  EXPECT_EQ(form.text_of(""), std::nullopt);
  EXPECT_EQ(form.text_of("a"), std::nullopt);
  form = learned();
  form.forget();
  EXPECT_EQ(form.text_of(kLearned), std::nullopt);
}

TEST(EventTemplate, EveryByteAtEveryPlaceOfAWordIsPlainOrNot) {
  for (int byte = 0; byte < 128; ++byte) {
    const char c = static_cast<char>(byte);
    for (std::size_t size = 1; size <= 17; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        std::string text(size, 'x');
        text[at] = c;
        ASSERT_EQ(is_plain(text), byte >= 0x20 && c != '"' && c != '\\') << byte << " at " << at;
      }
    }
  }
}

}  // namespace
}  // namespace evenbench::wire
