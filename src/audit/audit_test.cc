#include "audit/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::audit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A system of which everything is known.
SystemFacts whole(std::string name) {
  SystemFacts out;
  out.name = std::move(name);
  for (const Term& term : terms()) out.settings[std::string(term.key)] = {"", "same", "/info"};
  return out;
}

std::vector<SystemFacts> three() {
  return {whole("vllm"), whole("trtllm"), whole("tgi")};
}

TEST(Audit, OfSystemsThatAreAlikeIsLikeForLike) {
  const Audit result = audit(three());
  EXPECT_EQ(result.label, Comparability::kLikeForLike);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(result.lines, SizeIs(terms().size()));
}

TEST(Audit, FindsADifferenceInEveryTermAndGivesItItsWeight) {
  for (const Term& term : terms()) {
    auto systems = three();
    systems[1].settings[std::string(term.key)].effective = "other";
    const Audit result = audit(systems);
    if (term.weight == Weight::kNote) {
      EXPECT_EQ(result.label, Comparability::kLikeForLike) << term.key;
      continue;
    }
    EXPECT_EQ(result.label, term.weight == Weight::kDecide ? Comparability::kNotComparable
                                                           : Comparability::kWithReservations)
        << term.key;
    ASSERT_THAT(result.findings, SizeIs(1)) << term.key;
    EXPECT_EQ(result.findings[0].key, term.key);
    EXPECT_THAT(
        result.findings[0].text,
        testing::AllOf(HasSubstr(std::string(term.title)),
                       HasSubstr("vllm same (/info), trtllm other (/info), tgi same (/info)"),
                       HasSubstr(std::string(term.remedy))));
  }
}

TEST(Audit, EveryTermThatIsJudgedHasARemedy) {
  for (const Term& term : terms()) {
    EXPECT_EQ(term.remedy.empty(), term.weight == Weight::kNote) << term.key;
  }
}

TEST(Audit, WhatMustBeKnownAndIsNotIsAReservation) {
  for (const Term& term : terms()) {
    auto systems = three();
    systems[2].settings[std::string(term.key)].effective = "";
    const Audit result = audit(systems);
    if (term.must_be_known) {
      EXPECT_EQ(result.label, Comparability::kWithReservations) << term.key;
      ASSERT_THAT(result.findings, SizeIs(1)) << term.key;
      EXPECT_THAT(result.findings[0].text, HasSubstr("tgi unknown"));
    } else {
      EXPECT_EQ(result.label, Comparability::kLikeForLike) << term.key;
    }
  }
}

TEST(Audit, ThreeUnlikeValuesAreADifferenceEvenBesideAnUnknown) {
  auto systems = three();
  systems[0].settings["dtype"].effective = "";
  systems[1].settings["dtype"].effective = "float16";
  EXPECT_EQ(audit(systems).label, Comparability::kNotComparable);
}

TEST(Audit, TheGravestFindingComesFirst) {
  auto systems = three();
  systems[0].settings["prefix_cache"].effective = "off";
  systems[1].settings["quantization"].effective = "awq";
  const Audit result = audit(systems);
  ASSERT_THAT(result.findings, SizeIs(2));
  EXPECT_EQ(result.findings[0].key, "quantization");
  EXPECT_EQ(result.label, Comparability::kNotComparable);
}

TEST(Audit, SaysWhereSomethingElseIsInForceThanWasAskedForThoughEqual) {
  auto systems = three();
  for (SystemFacts& system : systems) system.settings["dtype"].requested = "bfloat16";
  const Audit result = audit(systems);
  EXPECT_EQ(result.label, Comparability::kWithReservations);
  ASSERT_THAT(result.findings, SizeIs(3));
  EXPECT_EQ(result.findings[0].text, "vllm was asked for dtype bfloat16 and has same (/info).");
}

TEST(Audit, TokenizersAreKnownByTheirFilesOrByTheirCounts) {
  auto systems = three();
  systems[1].settings["tokenizer_hash"].effective = "";
  EXPECT_EQ(audit(systems).label, Comparability::kLikeForLike);
  systems[1].settings["token_counts"].effective = "";
  const Audit result = audit(systems);
  EXPECT_EQ(result.label, Comparability::kWithReservations);
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(result.findings[0].text, HasSubstr("Neither the tokenizer of trtllm"));
}

TEST(Audit, WhatARequestDoesNotStateIsTheServersDefault) {
  auto systems = three();
  systems[0].settings.erase("temperature");
  systems[0].settings["default_temperature"] = {"", "0.6", "generation_config.json"};
  const Audit result = audit(systems);
  EXPECT_EQ(result.label, Comparability::kWithReservations);
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(result.findings[0].text, HasSubstr("vllm 0.6 (generation_config.json)"));
}

TEST(Audit, WhatARequestStatesHidesTheServersDefault) {
  auto systems = three();
  systems[0].settings["default_temperature"] = {"", "0.6", "generation_config.json"};
  EXPECT_EQ(audit(systems).label, Comparability::kLikeForLike);
}

TEST(Audit, ASimulatedEngineNeverStandsBesideARealOne) {
  auto systems = three();
  systems[0].simulated = true;
  const Audit result = audit(systems);
  EXPECT_EQ(result.label, Comparability::kNotComparable);
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(result.findings[0].text, HasSubstr("vllm is simulated, trtllm, tgi is not"));
  for (SystemFacts& system : systems) system.simulated = true;
  EXPECT_EQ(audit(systems).label, Comparability::kLikeForLike);
}

TEST(Audit, ARemoteSystemNeverSharesAVerdictWithALocalOne) {
  auto systems = three();
  systems[2].remote = true;
  EXPECT_EQ(audit(systems).label, Comparability::kNotComparable);
  for (SystemFacts& system : systems) system.remote = true;
  EXPECT_EQ(audit(systems).label, Comparability::kWithReservations);
}

TEST(Audit, ASettingThatChangedBetweenVisitsIsNamed) {
  auto systems = three();
  systems[0].changed = {{"driver", "570.1", "580.2", 2}, {"kv_cache_tokens", "1", "2", 2}};
  const Audit result = audit(systems);
  EXPECT_EQ(result.label, Comparability::kWithReservations);
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].text,
            "In visit 2 of vllm another value of GPU driver was in force: 570.1, then 580.2.");
}

TEST(Audit, OfOneSystemHasNoLabelAndStillSaysWhatIsWrongWithIt) {
  SystemFacts alone = whole("vllm");
  alone.settings["dtype"].requested = "float16";
  const Audit result = audit({alone});
  EXPECT_FALSE(result.label);
  EXPECT_THAT(result.findings, SizeIs(1));
}

TEST(Audit, NamesItsLabelsAsTheDesignDoes) {
  EXPECT_EQ(name_of(Comparability::kLikeForLike), "LIKE_FOR_LIKE");
  EXPECT_EQ(name_of(Comparability::kWithReservations), "WITH_RESERVATIONS");
  EXPECT_EQ(name_of(Comparability::kNotComparable), "NOT_COMPARABLE");
}

}  // namespace
}  // namespace evenbench::audit
