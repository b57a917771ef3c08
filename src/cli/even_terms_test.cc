#include "cli/even_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Counts what goes to the run file.
class CountingWriter final : public record::Writer {
 public:
  void put(const record::SystemRow&) override { ++rows; }
  void put(const record::VisitRow&) override { ++rows; }
  void put(const record::StepRow&) override { ++rows; }
  void put(const record::WorkerHealthRow&) override { ++rows; }
  void put(const record::FindingRow&) override { ++rows; }
  void put(const record::SettingRow&) override { ++rows; }
  void put(const record::GpuRow&) override { ++rows; }
  void put(const record::AgreementRow&) override { ++rows; }
  void put(const record::GpuSampleRow&) override { ++rows; }
  void put(const record::EngineSampleRow&) override { ++rows; }
  record::RequestSink& lane(std::size_t) override { std::abort(); }
  void flush() override {}
  [[nodiscard]] std::optional<Error> failure() const override { return std::nullopt; }
  Result<void> finish(bool, const std::string&) override { return {}; }
  int rows = 0;
};

struct Systems {
  Systems() {
    for (const std::int64_t id : {1, 2, 3}) {
      terms.put(record::SystemRow{id, std::string(1, static_cast<char>('a' + id - 1)), "vllm",
                                  false, ""});
    }
  }
  // A visit of the system with the same number, with what the audit must know.
  void visit(std::int64_t id, const std::string& dtype) {
    record::VisitRow row;
    row.id = row.system_id = id;
    row.ready = MonoTime{Nanos{1}};
    terms.put(row);
    for (const char* key : {"weights_hash", "quantization", "host", "token_counts"}) {
      terms.put(record::SettingRow{id, key, "", "same", "test"});
    }
    terms.put(record::SettingRow{id, "dtype", "", dtype, "test"});
  }
  CountingWriter writer;
  EvenTerms terms{writer};
};

TEST(EvenTerms, EveryRowGoesToTheRunFileToo) {
  Systems systems;
  systems.visit(1, "float16");
  EXPECT_EQ(systems.writer.rows, 3 + 1 + 5);
  systems.terms.put(record::AgreementRow{});
  systems.terms.put(record::GpuRow{});
  EXPECT_EQ(systems.writer.rows, 3 + 1 + 5 + 2);
}

TEST(EvenTerms, AreJudgedOverTheSystemsThatWereVisited) {
  Systems systems;
  systems.visit(1, "float16");
  EXPECT_FALSE(systems.terms.so_far().label);
  systems.visit(2, "float16");
  EXPECT_EQ(systems.terms.so_far().label, audit::Comparability::kLikeForLike);
  EXPECT_TRUE(systems.terms.refuse_uneven());
}

TEST(EvenTerms, AVisitThatDoesNotBecomeReadyIsNotJudged) {
  Systems systems;
  systems.visit(1, "float16");
  record::VisitRow starting;
  starting.id = starting.system_id = 2;
  systems.terms.put(starting);
  EXPECT_FALSE(systems.terms.so_far().label);
}

TEST(EvenTerms, ASystemThatIsPutAgainIsStillOne) {
  Systems systems;
  systems.visit(1, "float16");
  systems.terms.put(record::SystemRow{1, "a", "vllm", true, ""});
  EXPECT_FALSE(systems.terms.so_far().label);
}

TEST(EvenTerms, TellADifferenceOnce) {
  Systems systems;
  systems.visit(1, "float16");
  EXPECT_THAT(systems.terms.news(), IsEmpty());
  systems.visit(2, "bfloat16");
  EXPECT_THAT(systems.terms.news(), SizeIs(1));
  EXPECT_THAT(systems.terms.news(), IsEmpty());
}

TEST(EvenTerms, RefuseARunWhoseSystemsAreNotComparable) {
  Systems systems;
  systems.visit(1, "float16");
  systems.visit(2, "bfloat16");
  const auto refused = systems.terms.refuse_uneven();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNotPublishable);
  EXPECT_THAT(refused.error().message, HasSubstr("The systems differ in dtype: a float16"));
}

TEST(EvenTerms, KeepTheLastOfARowThatComesAgain) {
  Systems systems;
  systems.visit(1, "float16");
  systems.visit(2, "bfloat16");
  systems.terms.put(record::SettingRow{2, "dtype", "", "float16", "log"});
  EXPECT_TRUE(systems.terms.refuse_uneven());
}

}  // namespace
}  // namespace evenbench::cli
