// The run file of schema version 1 that lies in tests/data/run-files was written once and stays as
// it is: whatever this program becomes, it must read these rows from it.
#include <gtest/gtest.h>

#include "record/reader.h"
#include "record/sample_run.h"
#include "record/sqlite.h"

namespace evenbench::record {
namespace {

const std::string kV1 = EVENBENCH_TEST_DATA "/run-files/v1.sqlite";
constexpr MonoTime kZero{Nanos{86'400'000'000'123}};

MonoTime at(std::int64_t offset) {
  return kZero + Nanos{offset};
}
Stamp stamp(std::int64_t user, std::int64_t before) {
  return {at(user), at(user - before)};
}

RunRow v1_run() {
  RunRow run;
  run.title = "One of every row 对比";
  run.tool_version = "0.1.0";
  run.spec_sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  run.spec_yaml = "evenbench: 1\ntitle: One of every row 对比\n";
  run.seed = 18'446'744'073'709'551'557U;
  run.anchor = kZero;
  run.started = WallTime{Nanos{1'796'042'765'123'456'789}};
  run.host_json = R"({"cpu":{"value":"test machine","source":"fixture"}})";
  return run;
}
std::vector<SystemRow> v1_systems() {
  return {{1, "vllm", "vllm", false, "http://127.0.0.1:8000"}, {2, "model of it", "sim", true, ""}};
}
std::vector<VisitRow> v1_visits() {
  return {
      {1, 1, 1, at(0), at(31'000'000'001), at(95'000'000'000), "0.11.0",
       "vllm serve /models/m --port 8000", R"({"dtype":{"value":"bfloat16","source":"log"}})", ""},
      {2, 2, 1, at(96'000'000'000), kNever, kNever, "", "", "{}", "did not become ready"}};
}
std::vector<StepRow> v1_steps() {
  return {{1, 1, 1, "ladder", 2.5, std::nullopt, "poisson", at(32'000'000'000), at(37'000'000'000),
           at(67'000'000'000), at(69'500'000'000), 75, 256, true, "", R"({"temperature":0})"},
          {2, 1, 2, "closed", std::nullopt, 8U, "", at(70'000'000'000), kNever, kNever, kNever, 0,
           0, false, "stopped by SIGINT", "{}"}};
}
std::vector<WorkerHealthRow> v1_health() {
  return {{1, 0, Nanos{37'500'000'000}, Nanos{1'250'000'000}, Nanos{3'000'001}, Nanos{999},
           std::nullopt, std::nullopt, std::nullopt, false, std::nullopt, "{}"}};
}
std::vector<FindingRow> v1_findings() {
  return {{"run", 0, "note", "proxy_in_use", "A proxy stands between: unset http_proxy."},
          {"step", 2, "error", "interrupted", "The step was stopped before its window."}};
}
RequestRow v1_good() {
  RequestRow row{1, 0, Phase::kMeasure, 0, at(37'000'000'000), 17, 512, 128, {}};
  Exchanged& e = row.exchanged;
  e.ending = Ending::kDone;
  e.http_status = 200;
  e.streamed = true;
  e.connect_started = at(37'000'010'000);
  e.connected = at(37'000'060'000);
  e.sent = at(37'000'070'000);
  e.headers = stamp(37'012'000'000, 8'000);
  e.first_event = stamp(37'012'500'000, 7'000);
  e.first_token = e.first_content = stamp(37'050'000'000, 9'000);
  e.last_token = stamp(37'070'000'000, 6'500);
  e.closed = stamp(37'070'100'000, 6'600);
  e.tokens = {
      {e.first_token, 1, false}, {e.last_token, 40, true}, {{at(37'070'000'000), kNever}, 0, true}};
  e.prompt_tokens = 512;
  e.cached_tokens = 0;
  e.output_tokens = 41;
  e.source = TokenSource::kUsage;
  e.finish_reason = "length";
  e.done_mark = true;
  e.bytes = 1'234;
  e.reads = 3;
  e.merged_reads = 1;
  e.text = "kept";
  return row;
}
RequestRow v1_refused() {
  RequestRow row{1, 1, Phase::kCooldown, 3, at(67'000'000'000), 18'446'744'073'709'551'615U, 0,
                 0, {}};
  Exchanged& e = row.exchanged;
  e.ending = Ending::kHttpError;
  e.detail = "HTTP 503: bad, \"very\" bad\n坏";
  e.http_status = 503;
  e.sent = at(67'000'000'100);
  e.headers = e.closed = {at(67'001'000'000), kNever};
  e.attempts = 3;
  e.refusals = 3;
  e.reopened = true;
  return row;
}
RequestRow v1_unsent() {
  return {1, 2, Phase::kWarmup, 1, kNever, 0, 0, 0, {}};
}

TEST(RunFileV1, IsReadRowByRow) {
  const auto opened = Reader::open(kV1);
  ASSERT_TRUE(opened) << opened.error().message;
  const Reader& reader = **opened;
  EXPECT_EQ(text_of(reader.run()), text_of(v1_run()));
  EXPECT_FALSE(reader.complete());
  EXPECT_EQ(reader.reason(), "stopped by SIGINT");
  EXPECT_EQ(texts(reader.systems()), texts(v1_systems()));
  EXPECT_EQ(texts(reader.visits()), texts(v1_visits()));
  EXPECT_EQ(texts(reader.steps()), texts(v1_steps()));
  EXPECT_EQ(texts(reader.health()), texts(v1_health()));
  EXPECT_EQ(texts(reader.findings()), texts(v1_findings()));
  std::vector<RequestRow> requests;
  ASSERT_TRUE(reader.for_each_request(1, [&](const RequestRow& r) { requests.push_back(r); }));
  EXPECT_EQ(texts(requests), texts(std::vector{v1_unsent(), v1_good(), v1_refused()}));
}

// The line of docs/run-file.md for a person with a SQLite shell.
TEST(RunFileV1, AnswersTheDocumentedQuery) {
  sql::Database db;
  ASSERT_FALSE(db.open("file:" + kV1 + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI));
  sql::Statement query(db,
                       "SELECT step_id, count(*), avg(first_token_ns - planned_ns) / 1e6 "
                       "FROM request WHERE ending = 'done' GROUP BY step_id");
  int step = 0;
  int count = 0;
  double ttft_ms = 0;
  ASSERT_TRUE(query.next());
  query.get(step).get(count).get(ttft_ms);
  EXPECT_EQ(step, 1);
  EXPECT_EQ(count, 1);
  EXPECT_DOUBLE_EQ(ttft_ms, 50.0);
  EXPECT_FALSE(query.next());
}

}  // namespace
}  // namespace evenbench::record
