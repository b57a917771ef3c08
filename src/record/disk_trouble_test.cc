#include "record/disk_trouble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "record/reader.h"
#include "record/run_writer.h"
#include "record/sample_run.h"

namespace evenbench::record {
namespace {

using testing::HasSubstr;

const WriterOptions kOnFlushOnly = {.commit_interval = std::chrono::hours(1)};

// As many requests, with a commit after every ten, as it takes to fail.
std::uint32_t add_until_failure(Writer& writer) {
  Rng rng(1, "many");
  std::uint32_t added = 0;
  while (!writer.failure() && added < 20'000) {
    for (int i = 0; i < 10; ++i) writer.lane(0).add(sample_request(1, added++, rng));
    writer.flush();
  }
  return added;
}

std::uint32_t count_requests(const std::filesystem::path& file) {
  const auto reader = Reader::open(file);
  EXPECT_TRUE(reader) << reader.error().message;
  std::uint32_t count = 0;
  if (reader) {
    const auto read = (*reader)->for_each_request(1, [&](const RequestRow&) { ++count; });
    EXPECT_TRUE(read) << read.error().message;
  }
  return count;
}

TEST(DiskTrouble, HasACauseAndARemedyForEveryFault) {
  const std::filesystem::path file = "/runs/x/run.sqlite";
  EXPECT_EQ(write_trouble({SQLITE_FULL, 0, "database or disk is full"}, file).cause,
            "no space is left");
  EXPECT_THAT(write_trouble({SQLITE_FULL, 0, ""}, file).remedy, HasSubstr("free space in /runs/x"));
  EXPECT_THAT(write_trouble({SQLITE_FULL, 0, ""}, "run.sqlite").remedy, HasSubstr("in ., or"));
  EXPECT_THAT(write_trouble({SQLITE_IOERR_WRITE, EFBIG, ""}, file).remedy, HasSubstr("ulimit -f"));
  EXPECT_THAT(write_trouble({SQLITE_IOERR_WRITE, EDQUOT, ""}, file).cause, HasSubstr("quota"));
  EXPECT_THAT(write_trouble({SQLITE_IOERR_WRITE, EIO, "disk I/O error"}, file).cause,
              HasSubstr("disk I/O error (Input/output error)"));
  EXPECT_THAT(write_trouble({SQLITE_READONLY, 0, ""}, file).remedy, HasSubstr("writable"));
  EXPECT_THAT(write_trouble({SQLITE_BUSY, 0, ""}, file).cause, HasSubstr("locked"));
  EXPECT_THAT(write_trouble({SQLITE_CORRUPT, 0, ""}, file).cause, HasSubstr("from outside"));
  EXPECT_THAT(write_trouble({SQLITE_MISUSE, 0, "misuse"}, file).remedy, HasSubstr("report"));
}

TEST(DiskTrouble, OfAFullDiskIsToldAndLeavesWhatWasCommitted) {
  const TempFolder folder;
  WriterOptions options = kOnFlushOnly;
  options.max_pages = 60;
  const auto writer = *RunWriter::create(folder.run_file(), sample_run(), 1, options);
  EXPECT_FALSE(writer->failure());
  StepRow step;
  step.id = 1;
  writer->put(step);
  const std::uint32_t added = add_until_failure(*writer);
  ASSERT_TRUE(writer->failure());
  EXPECT_EQ(writer->failure()->code, ErrorCode::kEnvironment);
  EXPECT_THAT(writer->failure()->message,
              testing::AllOf(HasSubstr("no space is left"), HasSubstr("lost so far: 10,"),
                             HasSubstr("free space in " + folder.path().string())));
  EXPECT_EQ(count_requests(folder.run_file()), added - 10);

  // It goes on and counts what it cannot keep.
  Rng rng(2, "late");
  for (std::uint32_t i = 0; i < 500; ++i) writer->lane(0).add(sample_request(2, i, rng));
  writer->flush();
  EXPECT_THAT(writer->failure()->message, HasSubstr("lost so far: 510,"));

  const auto finished = writer->finish(true, "");
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().message, writer->failure()->message);
  EXPECT_EQ(count_requests(folder.run_file()), added - 10);
  const auto reader = *Reader::open(folder.run_file());
  EXPECT_FALSE(reader->complete()) << "a run that lost requests is not complete";
  EXPECT_THAT(reader->reason(), HasSubstr("lost so far: 510,"));
}

// When space comes back, the steps that were put meanwhile are there before their requests.
TEST(DiskTrouble, ThatPassesKeepsEveryControlRow) {
  const TempFolder folder;
  const auto writer = *RunWriter::create(folder.run_file(), sample_run(), 1, kOnFlushOnly);
  writer->flush();
  sql::Database other;
  ASSERT_FALSE(other.open(folder.run_file().string(), SQLITE_OPEN_READWRITE));
  // Another program makes the table refuse steps for a while, as an unwritable page would.
  ASSERT_FALSE(
      other.run("CREATE TRIGGER refuse BEFORE INSERT ON step "
                "BEGIN SELECT RAISE(ABORT, 'not now'); END"));
  StepRow step;
  step.id = 1;
  writer->put(step);
  Rng rng(3, "refused");
  writer->lane(0).add(sample_request(1, 0, rng));
  writer->flush();
  ASSERT_TRUE(writer->failure());
  EXPECT_EQ(count_requests(folder.run_file()), 0U);
  ASSERT_FALSE(other.run("DROP TRIGGER refuse"));
  writer->lane(0).add(sample_request(1, 1, rng));
  writer->flush();
  EXPECT_EQ((*Reader::open(folder.run_file()))->steps().size(), 1U);
  EXPECT_EQ(count_requests(folder.run_file()), 1U);
  EXPECT_THAT(writer->failure()->message, HasSubstr("lost so far: 1,"));
  other.close();
  EXPECT_FALSE(writer->finish(true, ""));
}

// In a child, because the limit cannot be raised again. `ignore`: whether the program ignores
// SIGXFSZ, whose default is death; the writer's own thread must be safe from it either way.
void write_under_a_size_limit(const std::filesystem::path& file, bool ignore) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (ignore) ::signal(SIGXFSZ, SIG_IGN);
    const auto writer = *RunWriter::create(file, sample_run(), 1, kOnFlushOnly);
    StepRow step;
    step.id = 1;
    writer->put(step);
    writer->flush();
    const rlimit limit{300'000, 300'000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(2);
    (void)add_until_failure(*writer);
    const auto failed = writer->failure();
    const bool told = failed && failed->message.find("ulimit -f") != std::string::npos;
    const bool kept = !writer->finish(true, "");
    ::_exit(told && kept ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_GE(count_requests(file), 10U);
  const auto reader = *Reader::open(file);
  EXPECT_FALSE(reader->complete());
  EXPECT_EQ(reader->steps().size(), 1U);
}

TEST(DiskTrouble, OfAFileSizeLimitIsToldAndLeavesWhatWasCommitted) {
  const TempFolder folder;
  write_under_a_size_limit(folder.path() / "ignored.sqlite", true);
  write_under_a_size_limit(folder.path() / "default.sqlite", false);
}

// Adds requests and says after every flush how many are on disk, until it is killed.
[[noreturn]] void write_for_ever(const std::filesystem::path& file, int tell) {
  const auto writer =
      *RunWriter::create(file, sample_run(), 1, {.commit_interval = std::chrono::milliseconds(0)});
  StepRow step;
  step.id = 1;
  writer->put(step);
  Rng rng(1, "killed");
  for (std::uint32_t added = 0; added < 1'000'000;) {
    for (int i = 0; i < 7; ++i) writer->lane(0).add(sample_request(1, added++, rng));
    writer->flush();
    if (::write(tell, &added, sizeof added) != sizeof added) break;
  }
  ::_exit(1);
}

TEST(DiskTrouble, OfAKilledProgramLosesNothingThatWasCommitted) {
  Rng rng(77, "moments");
  for (int round = 0; round < 6; ++round) {
    const TempFolder folder;
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) write_for_ever(folder.run_file(), pipe[1]);
    ::close(pipe[1]);
    std::uint32_t told = 0;
    for (std::uint64_t reports = 1 + rng.below(25); reports > 0; --reports) {
      ASSERT_EQ(::read(pipe[0], &told, sizeof told), static_cast<ssize_t>(sizeof told));
    }
    // The child is by now somewhere in the commits that follow.
    for (std::uint64_t spin = rng.below(300'000); spin > 0; --spin) (void)rng.bits();
    ::kill(child, SIGKILL);
    ::close(pipe[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));

    const auto reader = Reader::open(folder.run_file());
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_FALSE((*reader)->complete());
    EXPECT_EQ((*reader)->steps().size(), 1U);
    // Each row is whole: the child's draws can be made again here.
    Rng again(1, "killed");
    std::vector<std::string> read(2000);
    std::uint32_t count = 0;
    ASSERT_TRUE((*reader)->for_each_request(1, [&](const RequestRow& row) {
      ++count;
      if (row.index < read.size()) read[row.index] = text_of(row);
    }));
    EXPECT_GE(count, told);
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(read.at(i), text_of(sample_request(1, i, again))) << "of " << count;
    }
  }
}

}  // namespace
}  // namespace evenbench::record
