// Builds of engines by real processes: made of shell lines.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "engine/engine_build_run.h"
#include "launched.h"

namespace evenbench::process_tests {
namespace {

using engine::BuildCommand;
using engine::BuildJob;
using engine::find_or_build;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kKey(64, 'a');

// A build of shell lines that see their folder as $0.
BuildJob job_of(const std::vector<std::string>& lines, const std::string& tag,
                const Scratch& scratch) {
  BuildJob job;
  job.key = kKey;
  job.cache = scratch.path("cache");
  job.log = scratch.path("logs") / "build.log";
  job.watch.limit = std::chrono::minutes{2};
  job.commands = [=](const std::filesystem::path& folder) {
    std::vector<BuildCommand> out;
    for (const std::string& line : lines) {
      BuildCommand command{"builder " + std::to_string(out.size()), shell(line, tag, "")};
      command.launch.argv.push_back(folder.string());
      out.push_back(std::move(command));
    }
    return Result<std::vector<BuildCommand>>(std::move(out));
  };
  return job;
}

// Names in the cache that are no lock.
std::vector<std::string> entries(const Scratch& scratch) {
  std::vector<std::string> out;
  for (const auto& each : std::filesystem::directory_iterator(scratch.path("cache")))
    if (each.path().extension() != ".lock") out.push_back(each.path().filename());
  return out;
}

TEST(Build, RunsEveryProgramOnceAndIsThenCached) {
  const Scratch scratch;
  const SystemClock clock;
  BuildJob job = job_of({"echo one; echo c > $0/checkpoint/c",
                         "echo two; cp $0/checkpoint/c "
                         "$0/engine/e"},
                        new_tag(), scratch);
  const auto first = find_or_build(job, clock);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_FALSE(first->cached);
  EXPECT_GT(first->engine.seconds, 0);
  EXPECT_EQ(scratch.read("logs/build.log"), "one\ntwo\n");
  job.log = scratch.path("later") / "build.log";
  const auto second = find_or_build(job, clock);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->cached);
  EXPECT_EQ(second->engine.folder, first->engine.folder);
  EXPECT_DOUBLE_EQ(second->engine.seconds, first->engine.seconds);
  EXPECT_EQ(scratch.read("later/build.log"), "one\ntwo\n");
  EXPECT_EQ(scratch.read("cache/" + kKey + "/engine/e"), "c\n");
}

TEST(Build, AFailureIsExplainedAndNothingOfItIsKept) {
  const Scratch scratch;
  const auto failed = find_or_build(
      job_of({"echo x > $0/engine/e", "echo torch.OutOfMemoryError: CUDA out of memory; exit 7",
              "echo never"},
             new_tag(), scratch),
      SystemClock());
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(failed.error().message, HasSubstr("builder 1 ended with exit code 7"));
  EXPECT_THAT(failed.error().message, HasSubstr("too little free memory"));
  EXPECT_THAT(failed.error().message, HasSubstr("torch.OutOfMemoryError"));
  EXPECT_THAT(failed.error().message, HasSubstr((scratch.path("logs") / "build.log").string()));
  EXPECT_THAT(entries(scratch), IsEmpty());
  EXPECT_THAT(scratch.read("logs/build.log"), ::testing::Not(HasSubstr("never")));
}

TEST(Build, ACauseThatManyLinesFollowIsFoundInTheLog) {
  const Scratch scratch;
  const auto failed = find_or_build(
      job_of({"echo No space left on device; seq 100; exit 1"}, new_tag(), scratch), SystemClock());
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("a disk is full"));
}

TEST(Build, ABuilderThatIsNotThereIsSaid) {
  const Scratch scratch;
  BuildJob job = job_of({"true"}, new_tag(), scratch);
  job.commands = [](const auto&) {
    BuildCommand command{"trtllm-build", {}};
    command.launch.argv = {"no-such-trtllm-build"};
    return Result<std::vector<BuildCommand>>(std::vector{command});
  };
  const auto failed = find_or_build(job, SystemClock());
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("no-such-trtllm-build: not found in PATH"));
  EXPECT_THAT(entries(scratch), IsEmpty());
}

TEST(Build, AnInterruptEndsItsProcessesAndKeepsNothing) {
  const Scratch scratch;
  const std::string tag = new_tag();
  BuildJob job = job_of({"echo x > $0/engine/e; sleep 600 & trap '' TERM; sleep 600; sleep 600"},
                        tag, scratch);
  job.watch.grace = std::chrono::milliseconds{50};
  job.watch.interrupted = [&] { return tagged(tag).size() >= 3; };
  const auto ended = find_or_build(job, SystemClock());
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kInterrupted);
  EXPECT_THAT(tagged(tag), IsEmpty());
  EXPECT_THAT(entries(scratch), IsEmpty());
}

TEST(Build, ALimitEndsItAndIsNamed) {
  const Scratch scratch;
  const std::string tag = new_tag();
  BuildJob job = job_of({"exec sleep 600"}, tag, scratch);
  job.watch.limit = std::chrono::milliseconds{200};
  const auto ended = find_or_build(job, SystemClock());
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, HasSubstr("raise build.limit"));
  EXPECT_THAT(tagged(tag), IsEmpty());
  EXPECT_THAT(entries(scratch), IsEmpty());
}

TEST(Build, TwoAtOnceBuildTheSameOnce) {
  const Scratch scratch;
  const std::string go = scratch.path("go").string();
  BuildJob job = job_of({"echo b; echo x > $0/engine/e; while [ ! -e " + go +
                         " ]; do sleep 0.01; "
                         "done"},
                        new_tag(), scratch);
  BuildJob other = job;
  other.log = scratch.path("other") / "build.log";
  // Goes on when the second one has said that it waits for the first.
  other.watch.tell = [&](std::string_view text) {
    if (text.find("another run builds the same engine") != text.npos)
      ::close(::open(go.c_str(), O_CREAT | O_WRONLY, 0644));
  };
  const SystemClock clock;
  std::optional<Result<engine::FoundOrBuilt>> first;
  std::thread builder([&] { first = find_or_build(job, clock); });
  EXPECT_TRUE(eventually([&] { return scratch.read("logs/build.log") == "b\n"; }));
  const auto second = find_or_build(other, clock);
  builder.join();
  ASSERT_TRUE(*first) << first->error().message;
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_FALSE((*first)->cached);
  EXPECT_TRUE(second->cached);
  EXPECT_EQ(scratch.read("other/build.log"), "b\n");
  EXPECT_THAT(entries(scratch), ::testing::ElementsAre(kKey));
}

}  // namespace
}  // namespace evenbench::process_tests
