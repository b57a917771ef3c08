#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "engine/process_table.h"
#include "launched.h"

namespace evenbench::process_tests {
namespace {

using engine::ChildProcess;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::IsEmpty;

// A process that plays the tool, with an engine of its own; ready once `count` processes run.
pid_t other_tool(const std::string& line, const std::string& tag, const Scratch& scratch,
                 std::size_t count) {
  const std::string log = scratch.path("log").string();
  const pid_t tool = ::fork();
  if (tool == 0) {
    ::execl("/proc/self/exe", "process_test", kToolCommand, line.c_str(), tag.c_str(), log.c_str(),
            nullptr);
    ::_exit(127);
  }
  EXPECT_TRUE(eventually([&] { return tagged(tag).size() >= count; }));
  return tool;
}

int parent_of(int pid) {
  for (const engine::ProcessEntry& process : engine::processes())
    if (process.pid == pid) return process.parent;
  return 0;
}

// Starts it and waits until `count` processes of it run and it has written "up".
std::unique_ptr<ChildProcess> running(const std::string& line, const std::string& tag,
                                      const Scratch& scratch, std::size_t count) {
  auto child = ChildProcess::start(shell(line, tag, scratch.path("log")));
  if (!child) return nullptr;
  const bool up = eventually([&] {
    return scratch.read("log").find("up") != std::string::npos && tagged(tag).size() >= count;
  });
  return up ? std::move(*child) : nullptr;
}

TEST(Stop, EndsAnEngineThatObeysWithoutKillingIt) {
  const Scratch scratch;
  const std::string tag = new_tag();
  const auto child =
      running("trap 'exit 7' TERM; echo up; while :; do sleep 0.01; done", tag, scratch, 1);
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->poll());
  const auto ended = child->stop(seconds{20});
  EXPECT_EQ(ended.text(), "exit code 7");
  EXPECT_FALSE(ended.needed_kill);
  EXPECT_THAT(tagged(tag), IsEmpty());
}

TEST(Stop, KillsAnEngineThatIgnoresTermAfterTheGrace) {
  const Scratch scratch;
  const std::string tag = new_tag();
  const auto child =
      running("trap '' TERM; echo up; while :; do sleep 0.01; done", tag, scratch, 1);
  ASSERT_TRUE(child);
  const SystemClock clock;
  const MonoTime begin = clock.now();
  const auto ended = child->stop(milliseconds{200});
  EXPECT_GE(clock.now() - begin, milliseconds{200});
  EXPECT_EQ(ended.text(), "signal 9 (SIGKILL)");
  EXPECT_TRUE(ended.needed_kill);
  EXPECT_THAT(tagged(tag), IsEmpty());
}

TEST(Stop, O50_EndsAChildThatOutlivesItsParent) {
  const Scratch scratch;
  const std::string tag = new_tag();
  const auto child = running(
      "sh -c 'trap \"\" TERM; echo up; while :; do sleep 0.01; done' & exit 0", tag, scratch, 1);
  ASSERT_TRUE(child);
  ASSERT_TRUE(eventually([&] { return child->poll().has_value(); }));
  EXPECT_FALSE(tagged(tag).empty());
  EXPECT_EQ(child->stop(milliseconds{50}).text(), "exit code 0");
  EXPECT_THAT(tagged(tag), IsEmpty());
  const auto second = ChildProcess::start(shell("exit 0", new_tag(), scratch.path("second")));
  EXPECT_TRUE(second);
}

TEST(Stop, EndsADaemonThatHasLeftTheSession) {
  const Scratch scratch;
  const std::string tag = new_tag();
  const auto child = running("setsid sh -c 'echo up; exec sleep 300' & sleep 300", tag, scratch, 3);
  ASSERT_TRUE(child);
  EXPECT_TRUE(child->stop(milliseconds{100}).needed_kill);
  EXPECT_THAT(tagged(tag), IsEmpty());
}

TEST(Stop, TermReachesWhatTheEngineHasStarted) {
  const Scratch scratch;
  const std::string tag = new_tag();
  const auto child =
      running("(trap 'echo heard; exit 0' TERM; echo up; while :; do sleep 0.01; done) & wait", tag,
              scratch, 2);
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->stop(seconds{20}).needed_kill);
  EXPECT_THAT(scratch.read("log"), ::testing::HasSubstr("heard\n"));
  EXPECT_THAT(tagged(tag), IsEmpty());
}

TEST(Stop, EndsAStoppedEngine) {
  const Scratch scratch;
  const std::string tag = new_tag();
  const auto child = running("echo up; kill -STOP $$", tag, scratch, 1);
  ASSERT_TRUE(child);
  EXPECT_TRUE(child->stop(milliseconds{50}).needed_kill);
  EXPECT_THAT(tagged(tag), IsEmpty());
}

TEST(Stop, MayBeAskedAgain) {
  const Scratch scratch;
  const auto child = running("echo up; exec sleep 300", new_tag(), scratch, 1);
  ASSERT_TRUE(child);
  const auto first = child->stop(seconds{5});
  EXPECT_EQ(first.text(), "signal 15 (SIGTERM)");
  EXPECT_EQ(child->stop(seconds{5}).text(), first.text());
  EXPECT_EQ(child->poll()->text(), first.text());
}

TEST(Stop, IsWhatTheDestructorDoes) {
  const Scratch scratch;
  const std::string tag = new_tag();
  // It needs a moment to end: a destructor that only asked for it would be seen.
  auto child = running("trap 'sleep 0.3; exit 0' TERM; echo up; while :; do sleep 0.01; done", tag,
                       scratch, 1);
  ASSERT_TRUE(child);
  child.reset();
  EXPECT_THAT(tagged(tag), IsEmpty());
}

TEST(Stop, O50_LeavesNothingWhenTheToolIsKilled) {
  const Scratch scratch;
  const std::string tag = new_tag();
  const pid_t tool = other_tool("setsid sleep 300 & sleep 300 & exec sleep 300", tag, scratch, 3);
  ::kill(tool, SIGKILL);
  ::waitpid(tool, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return tagged(tag).empty(); }));
}

TEST(Stop, TheEngineDiesWithItsWardenEvenWhenTheToolDoesNotLook) {
  const Scratch scratch;
  const std::string tag = new_tag();
  const pid_t tool = other_tool("exec sleep 300", tag, scratch, 1);
  const int warden = parent_of(tagged(tag).at(0));
  EXPECT_EQ(parent_of(warden), tool);
  ::kill(warden, SIGKILL);
  EXPECT_TRUE(eventually([&] { return tagged(tag).empty(); }));
  ::kill(tool, SIGKILL);
  ::waitpid(tool, nullptr, 0);
}

TEST(Stop, TheWardenHoldsNoFileOfTheTool) {
  const Scratch scratch;
  const int low = ::open("/dev/zero", O_RDONLY | O_CLOEXEC);
  const int leak = ::fcntl(low, F_DUPFD, 20);  // not close-on-exec, on purpose
  const auto child = running("echo up; exec sleep 300", new_tag(), scratch, 1);
  ASSERT_TRUE(child);
  const auto folder = "/proc/" + std::to_string(parent_of(child->pid())) + "/fd";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    EXPECT_NE(std::filesystem::read_symlink(entry.path()), "/dev/zero");
  }
  EXPECT_GE(files, 5);
  ::close(leak);
  ::close(low);
}

TEST(Stop, LeavesNothingWhenTheWardenIsKilled) {
  const Scratch scratch;
  const std::string tag = new_tag();
  const auto child =
      running("setsid sleep 300 & sleep 300 & echo up; exec sleep 300", tag, scratch, 3);
  ASSERT_TRUE(child);
  const int warden = parent_of(child->pid());
  ASSERT_GT(warden, 1);
  ASSERT_NE(warden, ::getpid());
  ::kill(warden, SIGKILL);
  ASSERT_TRUE(eventually([&] { return child->poll().has_value(); }));
  EXPECT_EQ(child->poll()->text(), "signal 9 (SIGKILL)");
  EXPECT_THAT(tagged(tag), IsEmpty());
  EXPECT_TRUE(child->stop(seconds{1}).needed_kill);
}

TEST(Stop, RunsWhatIsToBeDoneAfterwardsOnceWhenNothingIsLeft) {
  const Scratch scratch;
  const std::string tag = new_tag();
  auto command = shell("echo up; while :; do sleep 0.01; done", tag, scratch.path("log"));
  command.afterwards = {"sh", "-c", "echo after >> " + scratch.path("after").string()};
  auto child = ChildProcess::start(command);
  ASSERT_TRUE(child);
  EXPECT_EQ(scratch.read("after"), "");
  (*child)->stop(seconds{20});
  EXPECT_EQ(scratch.read("after"), "after\n");
  child->reset();
  EXPECT_EQ(scratch.read("after"), "after\n");
}

TEST(Stop, DoesItAlsoWhenTheEngineHasEndedByItself) {
  const Scratch scratch;
  auto command = shell("exit 3", new_tag(), scratch.path("log"));
  command.afterwards = {"sh", "-c", "echo after > " + scratch.path("after").string()};
  auto child = ChildProcess::start(command);
  ASSERT_TRUE(child);
  EXPECT_TRUE(eventually([&] { return (*child)->poll().has_value(); }));
  child->reset();
  EXPECT_EQ(scratch.read("after"), "after\n");
}

TEST(Stop, DoesItItselfWhenTheWardenWasKilled) {
  const Scratch scratch;
  const std::string tag = new_tag();
  auto command = shell("echo up; while :; do sleep 0.01; done", tag, scratch.path("log"));
  command.afterwards = {"sh", "-c", "echo after > " + scratch.path("after").string()};
  auto child = ChildProcess::start(command);
  ASSERT_TRUE(child);
  ::kill(parent_of((*child)->pid()), SIGKILL);
  EXPECT_TRUE(eventually([&] { return (*child)->poll().has_value(); }));
  EXPECT_EQ(scratch.read("after"), "after\n");
  EXPECT_THAT(tagged(tag), IsEmpty());
}

TEST(Stop, TellsInTheLogWhyWhatWasToBeDoneAfterwardsFailed) {
  const Scratch scratch;
  auto command = shell("exit 0", new_tag(), scratch.path("log"));
  command.afterwards = {"sh", "-c", "echo no such thing >&2; exit 4"};
  auto child = ChildProcess::start(command);
  ASSERT_TRUE(child);
  child->reset();
  EXPECT_THAT(scratch.read("log"),
              ::testing::HasSubstr("sh ended with exit code 4: no such thing"));
}

}  // namespace
}  // namespace evenbench::process_tests
