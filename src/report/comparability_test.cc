#include "report/comparability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/headline.h"
#include "report/report.h"
#include "report/testing/sample_run.h"

namespace evenbench::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

judge::JudgedRun refused_run() {
  judge::JudgedRun run = testing::sample_run();
  run.audit.label = audit::Comparability::kNotComparable;
  run.audit.findings.insert(run.audit.findings.begin(),
                            {audit::Weight::kDecide, "dtype",
                             "The systems differ in dtype: north float16, south bfloat16."});
  return run;
}

TEST(ComparabilityReport, StandsBeforeAnyNumberInEveryForm) {
  const judge::JudgedRun run = refused_run();
  const std::string number = "Highest rate held";
  for (const std::string& text : {html(run), markdown(run)}) {
    const auto label = text.find("NOT_COMPARABLE");
    const auto reason = text.find("The systems differ in dtype");
    ASSERT_NE(label, std::string::npos);
    ASSERT_NE(reason, std::string::npos);
    EXPECT_LT(label, text.find(number));
    EXPECT_LT(reason, text.find(number));
  }
  const std::string seen = console(run);
  EXPECT_LT(seen.find("NOT_COMPARABLE"), seen.find("north"));
  EXPECT_THAT(seen, HasSubstr("error: The systems differ in dtype"));
}

TEST(ComparabilityReport, SetsNoFigureAgainstAnotherWhereSystemsAreNotComparable) {
  EXPECT_FALSE(change_table(testing::sample_run()).rows.empty());
  EXPECT_TRUE(change_table(refused_run()).rows.empty());
  EXPECT_THAT(html(refused_run()), HasSubstr("None are shown: the systems are not comparable"));
}

TEST(ComparabilityReport, TheTableShowsWhatWasAskedWhereSomethingElseIsInForce) {
  const Table table = terms_table(testing::sample_run());
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].cells[1], "bfloat16 (/info)");
  EXPECT_EQ(table.rows[2].cells[1], "unknown; asked: auto");
  EXPECT_EQ(table.rows[2].cells[3], "unknown for some");
}

TEST(ComparabilityReport, EveryRowOfTheTermsHasACellForEveryColumnWhateverTheAuditWasOf) {
  judge::JudgedRun fewer = testing::sample_run();
  fewer.systems.pop_back();
  judge::JudgedRun more = testing::sample_run();
  more.systems.push_back(more.systems.front());
  for (const judge::JudgedRun& run : {fewer, more}) {
    const Table table = terms_table(run);
    ASSERT_FALSE(table.rows.empty());
    for (const Row& row : table.rows) EXPECT_EQ(row.cells.size(), table.columns.size());
  }
}

TEST(ComparabilityReport, OfARunThatWasNotAuditedSaysNothing) {
  judge::JudgedRun run = testing::sample_run();
  run.audit = {};
  EXPECT_EQ(comparability(run), "");
  EXPECT_THAT(markdown(run), Not(HasSubstr("LIKE_FOR_LIKE:")));
  EXPECT_THAT(markdown(run), HasSubstr("The run file holds no settings."));
}

}  // namespace
}  // namespace evenbench::report
