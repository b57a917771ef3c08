#include "workload/workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "workload/dataset.h"
#include "workload/prompt_text.h"

namespace evenbench::workload {
namespace {

using std::chrono::milliseconds;

std::size_t words_in(const std::string& text) {
  return text.empty() ? 0 : static_cast<std::size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
}

LengthSpec lognormal(double median, double sigma, std::uint32_t max) {
  LengthSpec spec;
  spec.law = LengthSpec::Law::kLognormal;
  spec.median = median;
  spec.sigma = sigma;
  spec.max = max;
  return spec;
}

TEST(Lengths, LognormalHasItsMedianAndCountsWhatItClips) {
  Rng rng(1, "lengths");
  std::vector<std::uint32_t> drawn;
  int clips = 0;
  for (int i = 0; i < 20'000; ++i) {
    bool clipped = false;
    drawn.push_back(draw_length(lognormal(512, 0.8, 2048), rng, &clipped));
    clips += clipped ? 1 : 0;
  }
  std::nth_element(drawn.begin(), drawn.begin() + 10'000, drawn.end());
  EXPECT_NEAR(drawn[10'000], 512, 15);
  EXPECT_EQ(*std::max_element(drawn.begin(), drawn.end()), 2048U);
  // P[X > 2048] = 1 - Phi(ln 4 / 0.8) = 0.0416
  EXPECT_NEAR(clips / 20'000.0, 0.0416, 0.006);
}

TEST(Lengths, UniformReachesBothEndsAndFixedIsFixed) {
  LengthSpec uniform;
  uniform.law = LengthSpec::Law::kUniform;
  uniform.low = 3;
  uniform.high = 5;
  Rng rng(1, "lengths");
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(draw_length(uniform, rng));
  EXPECT_EQ(seen, (std::set<std::uint32_t>{3, 4, 5}));
  LengthSpec fixed;
  fixed.fixed = 64;
  EXPECT_EQ(draw_length(fixed, rng), 64U);
  fixed.fixed = 0;
  EXPECT_EQ(draw_length(fixed, rng), 0U);
}

TEST(Durations, ThinkTimesFollowTheirLaw) {
  Rng rng(1, "think");
  DurationSpec uniform{DurationSpec::Law::kUniform, Nanos{0}, milliseconds{100}, milliseconds{500}};
  Nanos sum{0};
  for (int i = 0; i < 10'000; ++i) {
    const Nanos d = draw_duration(uniform, rng);
    ASSERT_GE(d, milliseconds{100});
    ASSERT_LE(d, milliseconds{500});
    sum += d;
  }
  EXPECT_NEAR(to_millis(sum) / 10'000, 300, 5);
  DurationSpec exponential{DurationSpec::Law::kExponential, milliseconds{200}, {}, {}};
  sum = Nanos{0};
  for (int i = 0; i < 20'000; ++i) sum += draw_duration(exponential, rng);
  EXPECT_NEAR(to_millis(sum) / 20'000, 200, 6);
}

Workload generated(std::uint64_t seed = 42) {
  WorkloadSpec spec;
  spec.input.fixed = 100;
  spec.output.fixed = 20;
  return {spec, seed};
}

TEST(Prompts, O33_NoPromptIsRepeatedBetweenStepsOrWithWarmup) {
  const Workload workload = generated();
  std::set<std::string> texts;
  std::set<std::string> beginnings;
  for (const char* stream : {"s1/warmup", "s1/measure", "s2/warmup", "s2/measure", "s3/measure"}) {
    for (std::uint64_t i = 0; i < 20; ++i) {
      const std::string text = workload.prompt(workload.item(stream, i));
      EXPECT_EQ(words_in(text), 100U);
      texts.insert(text);
      beginnings.insert(text.substr(0, 40));
    }
  }
  EXPECT_EQ(texts.size(), 100U);
  EXPECT_EQ(beginnings.size(), 100U)
      << "a shared first block would be served from the prefix cache";
}

TEST(Prompts, O33_TheSameSeedGivesEverySystemTheSamePromptsAndAnotherSeedOthers) {
  const Item item = generated().item("s1/measure", 3);
  EXPECT_EQ(generated().prompt(item), generated().prompt(generated().item("s1/measure", 3)));
  EXPECT_NE(generated().prompt(item), generated(43).prompt(generated(43).item("s1/measure", 3)));
}

TEST(Prompts, OnePromptForAllWhereReuseIsAskedFor) {
  WorkloadSpec spec;
  spec.input.fixed = 10;
  spec.unique_prompts = false;
  const Workload workload(spec, 1);
  EXPECT_EQ(workload.prompt(workload.item("a", 0)), workload.prompt(workload.item("b", 9)));
}

TEST(Prompts, O36_ADataSetIsCycledInPermutationsSoThatRepeatsAreEven) {
  WorkloadSpec spec;
  spec.prompts = {"one", "two"};
  const Workload workload(spec, 1);
  std::multiset<std::string> sent;
  for (std::uint64_t i = 0; i < 4; ++i) sent.insert(workload.prompt(workload.item("m", i)));
  EXPECT_EQ(sent, (std::multiset<std::string>{"one", "one", "two", "two"}));
}

// The toy tokenizer of case O-12: tokens a, b, ab, longest match first.
std::size_t toy_count(std::string_view text) {
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < text.size(); ++i, ++tokens) {
    if (text.substr(i, 2) == "ab") ++i;
  }
  return tokens;
}

TEST(Prompts, O12_APromptIsAdjustedUntilItReEncodesToTheLengthAskedFor) {
  ASSERT_EQ(toy_count("abaabbab"), 5U);
  constexpr std::array<std::string_view, 2> kLetters = {"a", "b"};
  const Vocabulary letters{kLetters, ""};
  for (std::uint64_t id = 0; id < 50; ++id) {
    EXPECT_EQ(toy_count(counted_prompt(letters, id, 8, toy_count)), 8U) << id;
  }
}

TEST(Prompts, O12_AnImpossibleLengthGivesTheClosestTextInBoundedTime) {
  constexpr std::array<std::string_view, 2> kLetters = {"a", "b"};
  int calls = 0;
  const auto even_only = [&](std::string_view text) {
    ++calls;
    return text.size() * 2;
  };
  const std::string text = counted_prompt({kLetters, ""}, 1, 7, even_only);
  EXPECT_LE(std::abs(static_cast<int>(text.size() * 2) - 7), 1);
  EXPECT_LT(calls, 200);
}

TEST(Dataset, BadRowsAreNamedAndBlankLinesAndAMarkAreNoError) {
  const Dataset data = parse_dataset(
      "\xEF\xBB\xBF{\"prompt\":\"one\"}\r\n\n{\"prompt\":\"\"}\n{oops\n[1]\n{\"prompt\":"
      "\"\xE5\xA5\xBD\"}",
      true);
  EXPECT_EQ(data.prompts, (std::vector<std::string>{"one", "\xE5\xA5\xBD"}));
  EXPECT_EQ(data.skipped,
            (std::vector<std::string>{"row 3: no text under \"prompt\"", "row 4: not JSON",
                                      "row 5: no text under \"prompt\""}));
}

TEST(Dataset, TextLinesAreTakenAsTheyAre) {
  EXPECT_EQ(parse_dataset("a {b}\r\n\r\nc", false).prompts,
            (std::vector<std::string>{"a {b}", "c"}));
}

TEST(Dataset, AMissingFileIsAUsageErrorThatNamesIt) {
  const auto data = load_dataset("/nonexistent/prompts.jsonl");
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().code, ErrorCode::kUsage);
  EXPECT_NE(data.error().message.find("prompts.jsonl"), std::string::npos);
}

}  // namespace
}  // namespace evenbench::workload
