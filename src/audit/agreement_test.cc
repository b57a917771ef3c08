#include "audit/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::audit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

SystemFacts answering(std::string name, const std::vector<std::string>& texts) {
  SystemFacts out;
  out.name = std::move(name);
  int prompt = 0;
  for (const std::string& text : texts) {
    ++prompt;
    for (const int repeat : {1, 2}) out.answers.push_back({prompt, repeat, Ending::kDone, text});
  }
  return out;
}

std::vector<Finding> judged(const std::vector<SystemFacts>& systems) {
  std::vector<Finding> out;
  judge_answers(systems, out);
  return out;
}

TEST(Agreement, IsTheShareOfWordsThatBothBeginWith) {
  EXPECT_DOUBLE_EQ(common_prefix("a b c d", "a b x d"), 0.5);
  EXPECT_DOUBLE_EQ(common_prefix("a b", " a\nb  c d "), 0.5);
  EXPECT_DOUBLE_EQ(common_prefix("", ""), 1);
  EXPECT_DOUBLE_EQ(common_prefix("", "a"), 0);
  EXPECT_DOUBLE_EQ(common_prefix("a", "a"), 1);
}

TEST(Agreement, OfEqualModelsIsNoFinding) {
  EXPECT_THAT(judged({answering("a", {"one two", "three"}), answering("b", {"one two", "three"})}),
              IsEmpty());
}

TEST(Agreement, AnswersThatPartLateAreOfTheSameModel) {
  EXPECT_THAT(judged({answering("a", {"one two three four"}), answering("b", {"one two x y"})}),
              IsEmpty());
}

TEST(Agreement, AnswersThatPartAtOnceAreOfAnotherModel) {
  const auto findings = judged(
      {answering("a", {"one two three", "b c d"}), answering("b", {"x two three", "b y z"})});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].weight, Weight::kDecide);
  EXPECT_THAT(findings[0].text, HasSubstr("a and b answer the fixed prompts differently"));
  EXPECT_THAT(findings[0].text, HasSubstr("the same 17 % of words (median), where one of them "
                                          "repeats 100 % of its own"));
}

TEST(Agreement, TheMedianPromptDecidesNotTheWorst) {
  EXPECT_THAT(
      judged({answering("a", {"one two", "b c", "d e"}), answering("b", {"x two", "b c", "d e"})}),
      IsEmpty());
}

TEST(Agreement, AServerThatDoesNotRepeatItselfIsNoMeasureForAnother) {
  SystemFacts a = answering("a", {"one two three four"});
  SystemFacts b = answering("b", {"x y z w"});
  for (SystemFacts* s : {&a, &b}) s->answers[1].text = "quite another thing altogether";
  EXPECT_THAT(judged({a, b}), IsEmpty());
}

TEST(Agreement, TheSteadierOfTwoIsTheMeasure) {
  SystemFacts steady = answering("a", {"one two three four"});
  SystemFacts wild = answering("b", {"x y z w"});
  wild.answers[1].text = "quite another thing altogether";
  EXPECT_THAT(judged({steady, wild}), SizeIs(1));
  EXPECT_THAT(judged({wild, steady}), SizeIs(1));
}

TEST(Agreement, BetweenSystemsTheFirstRepeatsAreCompared) {
  SystemFacts a = answering("a", {"one two"});
  const SystemFacts b = answering("b", {"one two"});
  a.answers[1].text = "x y";
  EXPECT_EQ(agreement_between(a, b), 1);
  EXPECT_EQ(agreement_with_itself(a), 0);
}

TEST(Agreement, IsNotJudgedWherePromptsHaveNoGoodAnswer) {
  SystemFacts a = answering("a", {"one"});
  SystemFacts none;
  none.name = "b";
  EXPECT_THAT(judged({a, none}), IsEmpty());
  EXPECT_FALSE(agreement_between(a, none));
  EXPECT_FALSE(agreement_with_itself(none));
}

TEST(Agreement, EmptyAndFailedAnswersAndGibberishAreNamed) {
  SystemFacts a = answering("a", {"one", "two", "la la la la la la la la la la", "four"});
  a.answers[0].ending = Ending::kEmpty;
  a.answers[2].ending = Ending::kHttpError;
  const auto findings = judged({a});
  ASSERT_THAT(findings, SizeIs(3));
  EXPECT_THAT(findings[0].text, HasSubstr("1 of 8 answers of a to the fixed prompts are empty"));
  EXPECT_THAT(findings[1].text, HasSubstr("1 of 8 answers of a to the fixed prompts failed"));
  EXPECT_THAT(findings[2].text,
              HasSubstr("2 of 8 answers of a to the fixed prompts are gibberish"));
}

TEST(Agreement, AServerMostOfWhoseAnswersAreEmptyGeneratesNothing) {
  SystemFacts a = answering("a", {"one", "two"});
  a.answers[0].ending = a.answers[1].ending = Ending::kEmpty;
  ASSERT_THAT(judged({a}), SizeIs(1));
  EXPECT_EQ(judged({a})[0].weight, Weight::kReserve);
  a.answers[2].ending = Ending::kEmpty;
  EXPECT_EQ(judged({a})[0].weight, Weight::kDecide);
}

TEST(Agreement, GibberishIsOneWordOverAndOverOrBrokenCharacters) {
  EXPECT_TRUE(is_gibberish("! ! ! ! ! ! ! ! ! !"));
  EXPECT_TRUE(is_gibberish("a\xEF\xBF\xBD b\xEF\xBF\xBD c\xEF\xBF\xBD d e f g h i j"));
  EXPECT_FALSE(is_gibberish("no no no no"));
  EXPECT_FALSE(is_gibberish("the cat and the dog and the bird sat on the mat"));
}

}  // namespace
}  // namespace evenbench::audit
