#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/judge.h"
#include "judge/testing/fake_reader.h"

namespace evenbench::judge {
namespace {

using testing::FakeReader;
using ::testing::IsEmpty;

FakeReader two_systems() {
  FakeReader run;
  record::SystemRow second = run.system_rows.front();
  second.id = 2;
  second.name = "second";
  run.system_rows.push_back(second);
  record::VisitRow visit = run.visit_rows.front();
  visit.id = 2;
  visit.system_id = 2;
  run.visit_rows.push_back(visit);
  return run;
}

TEST(AuditedRun, HasTheLabelThatItsSettingsGive) {
  FakeReader run = two_systems();
  run.setting_rows = {{1, "quantization", "", "none", "config.json"},
                      {2, "quantization", "", "Q4_1", "GGUF"}};
  const auto judged = judge(run);
  ASSERT_TRUE(judged) << judged.error().message;
  EXPECT_EQ(judged->audit.label, audit::Comparability::kNotComparable);
  ASSERT_FALSE(judged->audit.findings.empty());
  EXPECT_EQ(judged->audit.findings[0].key, "quantization");
}

TEST(AuditedRun, AFileThatHoldsNoSettingsHasNoLabel) {
  const auto judged = judge(two_systems());
  ASSERT_TRUE(judged) << judged.error().message;
  EXPECT_FALSE(judged->audit.label);
  EXPECT_THAT(judged->audit.findings, IsEmpty());
}

}  // namespace
}  // namespace evenbench::judge
