#include "audit/from_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::audit {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

struct Recorded {
  std::vector<record::SystemRow> systems{{1, "a", "vllm", false, ""},
                                         {2, "b", "sim:tgi", true, ""}};
  std::vector<record::VisitRow> visits{visit(1, 1), visit(2, 2), visit(3, 1)};
  std::vector<record::SettingRow> settings;
  std::vector<record::GpuRow> gpus;
  std::vector<record::AgreementRow> agreement;

  static record::VisitRow visit(std::int64_t id, std::int64_t system) {
    record::VisitRow row;
    row.id = id;
    row.system_id = system;
    return row;
  }
  [[nodiscard]] std::vector<SystemFacts> facts() const {
    return facts_of({systems, visits, settings, gpus, agreement});
  }
};

record::GpuRow gpu(std::int64_t visit, int number, std::string name, std::string driver) {
  record::GpuRow row;
  row.visit_id = visit;
  row.gpu = number;
  row.name = std::move(name);
  row.source = "NVML";
  row.facts_json = R"({"driver": {"value": ")" + driver + R"("}, "power_limit_watts": 3})";
  return row;
}

TEST(FromRows, GivesEverySystemItsSettingsAndAnswers) {
  Recorded run;
  run.settings = {{1, "dtype", "auto", "float16", "log"}, {2, "dtype", "", "bfloat16", "/info"}};
  run.agreement = {{1, 1, 1, Ending::kDone, "", "Paris", {}, {}},
                   {1, 1, 2, Ending::kEmpty, "", "", {}, {}},
                   {3, 1, 1, Ending::kDone, "", "not this", {}, {}}};
  const auto facts = run.facts();
  ASSERT_THAT(facts, SizeIs(2));
  EXPECT_EQ(facts[0].name, "a");
  EXPECT_FALSE(facts[0].simulated);
  EXPECT_TRUE(facts[1].simulated);
  EXPECT_EQ(facts[0].settings.at("dtype").requested, "auto");
  EXPECT_EQ(facts[0].settings.at("dtype").effective, "float16");
  EXPECT_EQ(facts[0].settings.at("dtype").source, "log");
  EXPECT_EQ(facts[1].settings.at("dtype").effective, "bfloat16");
  ASSERT_THAT(facts[0].answers, SizeIs(2));
  EXPECT_EQ(facts[0].answers[0].text, "Paris");
  EXPECT_EQ(facts[0].answers[1].ending, Ending::kEmpty);
  EXPECT_THAT(facts[1].answers, IsEmpty());
}

TEST(FromRows, CountsGpusByNameAndTakesTheirFacts) {
  Recorded run;
  run.gpus = {gpu(1, 0, "A100", "570"), gpu(1, 1, "A100", "570"), gpu(1, 2, "H200", "570"),
              gpu(2, 0, "", "")};
  const auto facts = run.facts();
  EXPECT_EQ(facts[0].settings.at("gpu").effective, "2 x A100, 1 x H200");
  EXPECT_EQ(facts[0].settings.at("gpu").source, "NVML");
  EXPECT_EQ(facts[0].settings.at("driver").effective, "570");
  EXPECT_FALSE(facts[0].settings.contains("power_limit")) << "a number is no {value: text}";
  EXPECT_THAT(facts[1].settings, IsEmpty());
}

TEST(FromRows, KeepsWhatALaterVisitSaysOtherwise) {
  Recorded run;
  run.settings = {{1, "dtype", "", "float16", "log"},
                  {1, "host", "", "", ""},
                  {3, "dtype", "", "bfloat16", "log"},
                  {3, "host", "", "this machine", "spec"},
                  {3, "top_k", "", "40", "log"}};
  const auto facts = run.facts();
  EXPECT_EQ(facts[0].settings.at("dtype").effective, "float16");
  EXPECT_EQ(facts[0].settings.at("host").effective, "this machine");
  EXPECT_EQ(facts[0].settings.at("top_k").effective, "40");
  ASSERT_THAT(facts[0].changed, SizeIs(1));
  EXPECT_EQ(facts[0].changed[0].key, "dtype");
  EXPECT_EQ(facts[0].changed[0].before, "float16");
  EXPECT_EQ(facts[0].changed[0].after, "bfloat16");
  EXPECT_EQ(facts[0].changed[0].visit, 2);
}

TEST(FromRows, AnUnknownValueOfALaterVisitIsNoChange) {
  Recorded run;
  run.settings = {{1, "dtype", "", "float16", "log"}, {3, "dtype", "", "", ""}};
  EXPECT_THAT(run.facts()[0].changed, IsEmpty());
}

TEST(FromRows, AManifestThatSaysRemoteIsBelieved) {
  Recorded run;
  run.visits[1].manifest_json = R"({"remote": {"value": "yes", "source": "address"}})";
  run.visits[0].manifest_json = "no json";
  const auto facts = run.facts();
  EXPECT_FALSE(facts[0].remote);
  EXPECT_TRUE(facts[1].remote);
}

}  // namespace
}  // namespace evenbench::audit
