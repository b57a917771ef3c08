#include "judge/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/judge.h"
#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using testing::at_ms;
using ::testing::ElementsAre;
using testing::FakeReader;
using testing::RequestBuilder;
using ::testing::SizeIs;

// Two systems; the first has visits 1 and 3, the second visit 2.
FakeReader two_systems() {
  FakeReader reader;
  reader.system_rows.push_back({2, "south", "sim", true, ""});
  for (const std::int64_t system : {2, 1}) {
    record::VisitRow visit;
    visit.id = static_cast<std::int64_t>(reader.visit_rows.size()) + 1;
    visit.system_id = system;
    visit.block = static_cast<int>(visit.id) - 1;
    reader.visit_rows.push_back(visit);
  }
  return reader;
}

TEST(Findings, NameTheirPlaceAndPutErrorsFirst) {
  FakeReader reader = two_systems();
  reader.add_step(0, 1000, 4.5);
  reader.finding_rows = {{"run", 0, "note", "a", "one"},
                         {"visit", 3, "warning", "b", "two"},
                         {"step", 1, "error", "c", "three"},
                         {"system", 2, "error", "d", "four"},
                         {"step", 9, "warning", "e", "five"}};
  std::vector<std::string> seen;
  for (const Finding& f : findings_of(reader, {}, {})) seen.push_back(f.where + ": " + f.text);
  EXPECT_THAT(seen, ElementsAre("north, visit 2, ladder 4.5/s: three", "south: four",
                                "north, visit 2: two", "step 9: five", ": one"));
}

TEST(Findings, AClosedStepIsNamedByItsConcurrency) {
  FakeReader reader;
  reader.add_closed(0, 1000, 16);
  EXPECT_EQ(place_of(reader, "step", 1), "north, visit 1, closed 16 at once");
}

TEST(Findings, SumUpTheStepsOfASystem) {
  FakeReader reader;
  for (const double begin : {0.0, 1000.0, 2000.0}) {
    reader.add_step(begin, begin + 1000, 1);
    RequestBuilder request(begin);
    if (begin > 0) {
      request.tokens({10, 20}).usage(10, 2).asked(10, 4);
    } else {
      request.failed(Ending::kReset, "reset", 5);
    }
    request.exchanged().cached_tokens = 1;
    reader.add(request);
  }
  const auto findings = judge(reader).value().findings;
  ASSERT_THAT(findings, SizeIs(3));
  EXPECT_EQ(findings[0].code, "step_failed");
  EXPECT_EQ(findings[0].severity, "error");
  EXPECT_EQ(findings[0].where, "north");
  EXPECT_EQ(findings[1].code, "length_not_honoured");
  EXPECT_TRUE(findings[1].text.starts_with("2 of 3 steps: "));
  EXPECT_EQ(findings[2].code, "cached_input");
}

TEST(Findings, TellWhatWentWrongInAVisit) {
  FakeReader reader;
  reader.visit_rows[0].note = "the engine ended under load";
  const auto findings = findings_of(reader, {}, {});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].where, "north, visit 1");
  EXPECT_EQ(findings[0].text, "the engine ended under load");
}

TEST(Findings, RowsThatBelongToNothingAreNotLostSilently) {
  FakeReader reader;
  reader.add_step(0, 1000, 1).visit_id = 7;
  reader.visit_rows[0].system_id = 5;
  const JudgedRun run = judge(reader).value();
  ASSERT_THAT(run.findings, SizeIs(2));
  EXPECT_EQ(run.findings[0].text,
            "visit 1 belongs to system 5, which the run file does not hold; it is in no table");
  EXPECT_EQ(run.findings[1].code, "row_without_owner");
}

TEST(JudgedRun, HoldsWhatTheRunFileSaysOfRunSystemsAndVisits) {
  FakeReader reader = two_systems();
  reader.run_row.title = "t";
  reader.run_row.seed = 42;
  reader.run_row.started = WallTime{std::chrono::seconds{1'767'323'045}};
  reader.run_row.host_json = R"({"kernel":{"value":"6.1","source":"uname"},"cores":16})";
  reader.visit_rows[0].manifest_json =
      R"({"model":{"value":"m","source":"spec"},"tls":{"value":"x","source":"spec"}})";
  reader.visit_rows[2].manifest_json =
      R"({"model":{"value":"other","source":"spec"},"tls":{"value":"x","source":"spec"}})";
  reader.visit_rows[0].command = "serve";
  reader.visit_rows[0].started = at_ms(0);
  reader.visit_rows[0].ready = at_ms(1500);
  reader.visit_rows[2].engine_version = "0.11.0";
  reader.add_step(2000, 3000, 1);
  const JudgedRun run = judge(reader).value();
  EXPECT_EQ(run.started, "2026-01-02T03:04:05Z");
  EXPECT_EQ(run.seed, 42U);
  EXPECT_TRUE(run.complete);
  ASSERT_THAT(run.host, SizeIs(2));
  EXPECT_EQ(run.host[0].key, "kernel");
  EXPECT_EQ(run.host[1].value, "16");
  ASSERT_THAT(run.systems, SizeIs(2));
  const JudgedSystem& north = run.systems[0];
  EXPECT_THAT(north.commands, ElementsAre("serve", ""));
  EXPECT_THAT(north.ready_s, ElementsAre(1.5));
  EXPECT_EQ(north.engine_version, "0.11.0");
  ASSERT_THAT(north.manifest, SizeIs(3));
  EXPECT_EQ(north.manifest[2].value, "other");
  EXPECT_EQ(north.manifest[2].source, "spec (visit 2)");
  ASSERT_THAT(north.steps, SizeIs(1));
  EXPECT_EQ(north.steps[0].visit, 2);
  EXPECT_EQ(north.steps[0].block, 2);
  EXPECT_DOUBLE_EQ(north.steps[0].begin_s, 2);
  EXPECT_TRUE(run.systems[1].simulated);
}

TEST(JudgedRun, ARunThatWasKilledSaysSo) {
  FakeReader reader;
  reader.is_complete = false;
  EXPECT_EQ(judge(reader).value().reason, "the program ended before the run did");
  reader.why_not = "interrupted";
  EXPECT_EQ(judge(reader).value().reason, "interrupted");
}

class BrokenReader : public FakeReader {
 public:
  Result<void> for_each_request(
      std::int64_t, const std::function<void(const record::RequestRow&)>&) const override {
    return environment_error("the file is damaged");
  }
};

TEST(JudgedRun, ARunFileThatCannotBeReadIsAnErrorThatNamesTheStep) {
  BrokenReader reader;
  reader.add_step(0, 1000, 4);
  const auto run = judge(reader);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, "north, visit 1, ladder 4/s: the file is damaged");
}

}  // namespace
}  // namespace evenbench::judge
