#include "engine/exposition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace evenbench::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Sample only(std::string_view page) {
  const auto samples = read_exposition(page);
  EXPECT_TRUE(samples) << page;
  if (!samples || samples->size() != 1) return {"not one sample", {}, -1};
  return samples->front();
}

std::string refusal(std::string_view page) {
  const auto samples = read_exposition(page);
  return samples ? "" : samples.error().message;
}

TEST(Exposition, ReadsANameAndItsNumber) {
  const Sample sample = only("vllm:num_requests_running 7.0\n");
  EXPECT_EQ(sample.name, "vllm:num_requests_running");
  EXPECT_EQ(sample.value, 7.0);
  EXPECT_THAT(sample.labels, IsEmpty());
}

TEST(Exposition, ReadsLabelsAndUndoesTheirEscapes) {
  const Sample sample = only("a{path=\"C:\\\\x\",said=\"\\\"no\\\"\\n}\",last=\"\",} 1\n");
  EXPECT_EQ(sample.label("path"), "C:\\x");
  EXPECT_EQ(sample.label("said"), "\"no\"\n}");
  EXPECT_EQ(sample.label("last"), "");
  EXPECT_EQ(sample.labels.size(), 3U);
  EXPECT_EQ(sample.label("other"), "");
}

TEST(Exposition, BlanksStandAnywhereBetweenTheParts) {
  const Sample sample = only("  a \t{ b = \"c\" , d=\"e\" } \t 2.5e3 \t 1796033067 \n");
  EXPECT_EQ(sample.label("d"), "e");
  EXPECT_EQ(sample.value, 2500);
}

TEST(Exposition, InfinitiesAndNotANumberAreNumbersToo) {
  EXPECT_EQ(only("a +Inf\n").value, INFINITY);
  EXPECT_EQ(only("a -Inf\n").value, -INFINITY);
  EXPECT_EQ(only("a{le=\"+Inf\"} 3\n").value, 3);
  EXPECT_TRUE(std::isnan(only("a NaN\n").value));
}

TEST(Exposition, CommentsAndEmptyLinesAreNotLookedAt) {
  const Sample sample =
      only("# HELP a What it is: {\"}\n# TYPE a counter\n\n \t\n  # anything\na 1\n# EOF\n");
  EXPECT_EQ(sample.name, "a");
}

TEST(Exposition, AnEmptyPageHasNoSamples) {
  const auto samples = read_exposition("");
  ASSERT_TRUE(samples);
  EXPECT_THAT(*samples, IsEmpty());
}

TEST(Exposition, AnOddLineIsNamed) {
  EXPECT_THAT(refusal("a 1\nb{c=\"d\" 2\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal("a 1\nb{c=\"d\" 2\n"), HasSubstr("b{c=\"d\" 2"));
  for (const char* line : {"1a 1",
                           "{} 1",
                           "a",
                           "a ",
                           "a one",
                           "a 1 2 3",
                           "a 1 noon",
                           "a 1.5.2",
                           "a ++1",
                           "a +",
                           "a 1e999",
                           "a{b} 1",
                           "a{b=} 1",
                           "a{b=c} 1",
                           "a{=\"c\"} 1",
                           "a{b=\"c} 1",
                           "a{b=\"\\x\"} 1",
                           "a{b=\"c\"d=\"e\"} 1",
                           "a{b=\"c\" 1",
                           "a{b:c=\"d\"} 1",
                           "a{1b=\"c\"} 1",
                           "<html>",
                           "{\"error\":\"no\"}",
                           "a{,} 1"}) {
    EXPECT_THAT(refusal(std::string(line) + "\n"), HasSubstr("line 1")) << line;
  }
}

TEST(Exposition, APageThatIsCutShortIsRefused) {
  EXPECT_THAT(refusal("a 12"), HasSubstr("cut short"));
  EXPECT_THAT(refusal("a 1\nb"), HasSubstr("cut short"));
}

}  // namespace
}  // namespace evenbench::engine
