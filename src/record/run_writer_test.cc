#include "record/run_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>

#include "record/reader.h"
#include "record/sample_run.h"

namespace evenbench::record {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

std::unique_ptr<Writer> start(const std::filesystem::path& file, std::size_t lanes,
                              const WriterOptions& options = {}) {
  return *RunWriter::create(file, sample_run(), lanes, options);
}

std::vector<RequestRow> requests_of(const Reader& reader, std::int64_t step) {
  std::vector<RequestRow> rows;
  const auto read = reader.for_each_request(step, [&](const RequestRow& r) { rows.push_back(r); });
  EXPECT_TRUE(read) << read.error().message;
  return rows;
}

TEST(RunFile, GivesBackEveryFieldOfEveryRow) {
  const TempFolder folder;
  Rng rng(7, "rows");
  std::vector<SystemRow> systems;
  std::vector<VisitRow> visits;
  std::vector<StepRow> steps;
  std::vector<WorkerHealthRow> health;
  std::vector<FindingRow> findings;
  const auto writer = start(folder.run_file(), 1);
  for (int i = 1; i <= 30; ++i) {
    writer->put(systems.emplace_back(sample_system(i, rng)));
    writer->put(visits.emplace_back(sample_visit(i, rng)));
    writer->put(steps.emplace_back(sample_step(i, rng)));
    writer->put(health.emplace_back(sample_health(i, 0, rng)));
    writer->put(findings.emplace_back(sample_finding("code_" + std::to_string(i), rng)));
  }
  ASSERT_TRUE(writer->finish(true, ""));

  const auto reader = *Reader::open(folder.run_file());
  EXPECT_EQ(text_of(reader->run()), text_of(sample_run()));
  EXPECT_TRUE(reader->complete());
  EXPECT_EQ(reader->reason(), "");
  EXPECT_EQ(texts(reader->systems()), texts(systems));
  EXPECT_EQ(texts(reader->visits()), texts(visits));
  EXPECT_EQ(texts(reader->steps()), texts(steps));
  EXPECT_EQ(texts(reader->health()), texts(health));
  EXPECT_EQ(texts(reader->findings()), texts(findings));
}

TEST(RunFile, GivesBackEveryFieldOfEveryRequestInOrderOfPlan) {
  const TempFolder folder;
  Rng rng(11, "requests");
  std::vector<RequestRow> sent;
  const auto writer = start(folder.run_file(), 1);
  for (std::uint32_t i = 0; i < 150; ++i) {
    sent.push_back(sample_request(1, i, rng));
    writer->lane(0).add(RequestRow(sent.back()));
  }
  writer->lane(0).add(sample_request(2, 0, rng));
  ASSERT_TRUE(writer->finish(true, ""));

  std::stable_sort(sent.begin(), sent.end(),
                   [](const auto& a, const auto& b) { return a.planned < b.planned; });
  const auto reader = *Reader::open(folder.run_file());
  EXPECT_EQ(texts(requests_of(*reader, 1)), texts(sent));
  EXPECT_EQ(requests_of(*reader, 2).size(), 1U);
  EXPECT_TRUE(requests_of(*reader, 3).empty());
}

TEST(RunFile, CountsFirstTokensOfStreamsAndThoseThatTheKernelStamped) {
  const TempFolder folder;
  const auto writer = start(folder.run_file(), 1);
  std::uint32_t index = 0;
  const auto add = [&](std::int64_t step, bool streamed, Stamp first) {
    RequestRow row;
    row.step_id = step;
    row.index = index++;
    row.exchanged.streamed = streamed;
    row.exchanged.first_token = first;
    writer->lane(0).add(std::move(row));
  };
  add(1, true, {kSampleAnchor, kSampleAnchor});
  add(1, true, {kSampleAnchor, kNever});
  add(1, true, {kNever, kNever});
  add(1, true, {kNever, kSampleAnchor});
  add(1, false, {kSampleAnchor, kSampleAnchor});
  add(2, true, {kSampleAnchor, kSampleAnchor});
  ASSERT_TRUE(writer->finish(true, ""));
  const auto reader = *Reader::open(folder.run_file());
  EXPECT_EQ((*reader->first_tokens(1)).seen, 2U);
  EXPECT_EQ((*reader->first_tokens(1)).by_kernel, 1U);
  EXPECT_EQ((*reader->first_tokens(2)).by_kernel, 1U);
  EXPECT_EQ((*reader->first_tokens(3)).seen, 0U);
}

TEST(RunFile, KeepsAbsentApartFromZero) {
  const TempFolder folder;
  RequestRow absent;
  RequestRow zero;
  zero.index = 1;
  zero.planned = kSampleAnchor;  // stored as 0
  zero.exchanged.first_token = {kSampleAnchor, kSampleAnchor};
  zero.exchanged.output_tokens = 0;
  const auto writer = start(folder.run_file(), 1);
  writer->put(StepRow{});
  StepRow step;
  step.id = 1;
  step.planned_rate = 0.0;
  step.concurrency = 0;
  writer->put(step);
  writer->lane(0).add(RequestRow(absent));
  writer->lane(0).add(RequestRow(zero));
  ASSERT_TRUE(writer->finish(true, ""));

  const auto reader = *Reader::open(folder.run_file());
  EXPECT_EQ(texts(reader->steps()), texts(std::vector<StepRow>{StepRow{}, step}));
  EXPECT_EQ(texts(requests_of(*reader, 0)), texts(std::vector<RequestRow>{absent, zero}));
}

TEST(RunFile, ReplacesARowThatIsPutAgain) {
  const TempFolder folder;
  Rng rng(3, "again");
  const auto writer = start(folder.run_file(), 0);
  for (int i = 0; i < 2; ++i) {
    writer->put(sample_system(1, rng));
    writer->put(sample_visit(1, rng));
    writer->put(sample_step(1, rng));
    writer->put(sample_health(1, 2, rng));
    writer->put(FindingRow{"run", 0, "note", "same_code", "Same words."});
    writer->flush();  // so that the second comes in another commit
  }
  const SystemRow system = sample_system(1, rng);
  const VisitRow visit = sample_visit(1, rng);
  const StepRow step = sample_step(1, rng);
  const WorkerHealthRow health = sample_health(1, 2, rng);
  const FindingRow finding{"run", 0, "error", "same_code", "Same words."};
  writer->put(system);
  writer->put(visit);
  writer->put(step);
  writer->put(health);
  writer->put(finding);
  writer->put(FindingRow{"run", 0, "note", "same_code", "Other words."});
  ASSERT_TRUE(writer->finish(true, ""));

  const auto reader = *Reader::open(folder.run_file());
  EXPECT_EQ(texts(reader->systems()), texts(std::vector{system}));
  EXPECT_EQ(texts(reader->visits()), texts(std::vector{visit}));
  EXPECT_EQ(texts(reader->steps()), texts(std::vector{step}));
  EXPECT_EQ(texts(reader->health()), texts(std::vector{health}));
  ASSERT_EQ(reader->findings().size(), 2U);
  EXPECT_EQ(text_of(reader->findings().front()), text_of(finding));
}

TEST(RunWriter, NeverOverwritesAFile) {
  const TempFolder folder;
  ASSERT_TRUE(start(folder.run_file(), 0)->finish(true, ""));
  const auto again = RunWriter::create(folder.run_file(), sample_run(), 0, {});
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, testing::HasSubstr("never overwritten"));
  EXPECT_TRUE((*Reader::open(folder.run_file()))->complete());

  const auto nowhere = RunWriter::create(folder.path() / "no" / "run.sqlite", sample_run(), 0, {});
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error().message, testing::HasSubstr("No such file or directory"));
}

TEST(RunWriter, PutsEverythingOnDiskAtAFlush) {
  const TempFolder folder;
  Rng rng(5, "flush");
  const auto writer = start(folder.run_file(), 2, {.commit_interval = hours(1)});
  writer->put(sample_step(1, rng));
  for (std::uint32_t i = 0; i < 500; ++i) writer->lane(i % 2).add(sample_request(1, i, rng));
  writer->flush();

  const auto reader = *Reader::open(folder.run_file());
  EXPECT_EQ(reader->steps().size(), 1U);
  EXPECT_EQ(requests_of(*reader, 1).size(), 500U);
  EXPECT_FALSE(reader->complete());
  EXPECT_EQ(reader->reason(), "");
}

// The deadline of the test program is the only limit here: without the timer this never ends.
TEST(RunWriter, CommitsByItselfWhenTheIntervalIsOver) {
  const TempFolder folder;
  Rng rng(5, "interval");
  const auto writer = start(folder.run_file(), 1, {.commit_interval = milliseconds(1)});
  writer->lane(0).add(sample_request(1, 0, rng));
  while (requests_of(**Reader::open(folder.run_file()), 1).empty()) {
  }
}

TEST(RunWriter, LeavesOnePlainFileWithTheReasonOfAnInterruptedRun) {
  const TempFolder folder;
  const auto writer = start(folder.run_file(), 0);
  ASSERT_TRUE(writer->finish(false, "stopped by SIGINT"));
  ASSERT_TRUE(writer->finish(true, "")) << "a second call changes nothing";
  writer->flush();
  EXPECT_FALSE(std::filesystem::exists(folder.run_file().string() + "-wal"));
  EXPECT_FALSE(std::filesystem::exists(folder.run_file().string() + "-shm"));
  const auto reader = *Reader::open(folder.run_file());
  EXPECT_FALSE(reader->complete());
  EXPECT_EQ(reader->reason(), "stopped by SIGINT");
}

TEST(RunWriter, DrainsWhenItIsDestroyedUnfinished) {
  const TempFolder folder;
  Rng rng(9, "drain");
  {
    const auto writer = start(folder.run_file(), 1, {.commit_interval = hours(1)});
    writer->lane(0).add(sample_request(1, 0, rng));
  }
  const auto reader = *Reader::open(folder.run_file());
  EXPECT_FALSE(reader->complete());
  EXPECT_EQ(requests_of(*reader, 1).size(), 1U);
}

TEST(RunWriter, TakesFromManyThreads) {
  const TempFolder folder;
  constexpr std::size_t kLanes = 3;
  constexpr std::uint32_t kEach = 100;
  const auto writer = start(folder.run_file(), kLanes, {.commit_interval = milliseconds(0)});
  std::vector<std::thread> workers;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    workers.emplace_back([&writer, lane] {
      Rng rng(1, "lane", lane);
      for (std::uint32_t i = 0; i < kEach; ++i) {
        StepRow step;
        step.id = static_cast<std::int64_t>(lane * kEach + i + 1);
        writer->put(step);
        writer->lane(lane).add(sample_request(step.id, i, rng));
      }
    });
  }
  for (auto& worker : workers) worker.join();
  ASSERT_TRUE(writer->finish(true, ""));
  const auto reader = *Reader::open(folder.run_file());
  EXPECT_EQ(reader->steps().size(), kLanes * kEach);
  for (const StepRow& step : reader->steps()) {
    EXPECT_EQ(requests_of(*reader, step.id).size(), 1U);
  }
}

// In every turn of the writer a step and a request of it come at the worst moment.
TEST(RunWriter, NeverStoresARequestBeforeItsStep) {
  const TempFolder folder;
  std::int64_t steps = 0;
  Writer* put_to = nullptr;
  const auto put_both = [&] {
    if (put_to == nullptr || steps == 5) return;
    StepRow step;
    step.id = ++steps;
    put_to->put(step);
    RequestRow request;
    request.step_id = step.id;
    put_to->lane(0).add(std::move(request));
  };
  const auto writer = start(folder.run_file(), 1,
                            {.commit_interval = hours(1), .between_looks = [&] { put_both(); }});
  put_to = writer.get();
  sql::Database other;
  ASSERT_FALSE(other.open(folder.run_file().string(), SQLITE_OPEN_READWRITE));
  ASSERT_FALSE(
      other.run("CREATE TABLE too_early (step_id INTEGER); "
                "CREATE TRIGGER watch AFTER INSERT ON request "
                "WHEN NOT EXISTS (SELECT 1 FROM step WHERE id = new.step_id) "
                "BEGIN INSERT INTO too_early VALUES (new.step_id); END"));
  for (int turn = 0; turn < 6; ++turn) writer->flush();
  sql::Statement ask(other, "SELECT (SELECT count(*) FROM too_early), count(*) FROM request");
  int too_early = -1;
  int all = -1;
  ASSERT_TRUE(ask.next());
  ask.get(too_early).get(all);
  EXPECT_EQ(too_early, 0);
  EXPECT_EQ(all, 5);
}

TEST(RunWriter, StandsALittleBehindTheSendingThreads) {
  const TempFolder folder;
  int nice = 0;
  WriterOptions options;
  options.between_looks = [&] { nice = ::getpriority(PRIO_PROCESS, 0); };  // of the calling thread
  start(folder.run_file(), 1, options)->flush();
  const int own = ::getpriority(PRIO_PROCESS, 0);
  const int where_senders_may_go_first = std::min(own, -10) + 4;
  const int where_they_may_not = std::min(own + 4, 19);
  EXPECT_THAT(nice, testing::AnyOf(where_senders_may_go_first, where_they_may_not));
}

TEST(RunWriter, WritesAControlRowOnce) {
  const TempFolder folder;
  Rng rng(6, "once");
  const auto writer = start(folder.run_file(), 1);
  writer->put(sample_step(1, rng));
  writer->flush();
  sql::Database other;
  ASSERT_FALSE(other.open(folder.run_file().string(), SQLITE_OPEN_READWRITE));
  ASSERT_FALSE(other.run("UPDATE step SET note = 'not written again'"));
  writer->put(sample_step(2, rng));
  writer->flush();
  EXPECT_EQ((*Reader::open(folder.run_file()))->steps().front().note, "not written again");
}

TEST(RunWriter, RefusesOnlyTheRequestThatComesTwice) {
  const TempFolder folder;
  Rng rng(2, "twice");
  const auto writer = start(folder.run_file(), 1);
  for (const std::uint32_t index : {0U, 1U, 1U, 2U}) {
    writer->lane(0).add(sample_request(1, index, rng));
  }
  const auto finished = writer->finish(true, "");
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().message, testing::HasSubstr("lost so far: 1,"));
  const auto reader = *Reader::open(folder.run_file());
  EXPECT_FALSE(reader->complete());
  EXPECT_EQ(requests_of(*reader, 1).size(), 3U);
}

}  // namespace
}  // namespace evenbench::record
