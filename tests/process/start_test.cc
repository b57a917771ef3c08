#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "launched.h"

namespace evenbench::process_tests {
namespace {

using engine::ChildProcess;
using ::testing::HasSubstr;

TEST(Start, GivesTheExitCodeOfAnEngineThatEndsAtOnce) {
  const Scratch scratch;
  const auto child = ChildProcess::start(shell("exit 3", new_tag(), scratch.path("log")));
  ASSERT_TRUE(child) << child.error().message;
  ASSERT_TRUE(eventually([&] { return (*child)->poll().has_value(); }));
  EXPECT_EQ((*child)->poll()->text(), "exit code 3");
  EXPECT_FALSE((*child)->stop(Nanos{0}).needed_kill);
}

TEST(Start, GivesTheSignalOfAnEngineThatDiesOfOne) {
  const Scratch scratch;
  const auto child = ChildProcess::start(shell("kill -SEGV $$", new_tag(), scratch.path("log")));
  ASSERT_TRUE(child) << child.error().message;
  ASSERT_TRUE(eventually([&] { return (*child)->poll().has_value(); }));
  EXPECT_EQ((*child)->poll()->text(), "signal 11 (SIGSEGV)");
}

TEST(Start, SaysThatAProgramIsNotInPath) {
  const Scratch scratch;
  auto command = shell("", new_tag(), scratch.path("log"));
  command.argv = {"evenbench-no-such-engine", "--port", "1"};
  const auto child = ChildProcess::start(command);
  ASSERT_FALSE(child);
  EXPECT_THAT(child.error().message, HasSubstr("evenbench-no-such-engine: not found in PATH"));
}

TEST(Start, SaysThatAPathIsNoProgram) {
  const Scratch scratch;
  auto command = shell("", new_tag(), scratch.path("log"));
  command.argv = {scratch.path("none").string()};
  const auto missing = ChildProcess::start(command);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("no such program"));
  command.argv = {"/dev/null"};
  const auto refused = ChildProcess::start(command);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("Permission denied"));
}

TEST(Start, SaysThatAWorkingFolderOrALogCannotBeUsed) {
  const Scratch scratch;
  auto command = shell("exit 0", new_tag(), scratch.path("log"));
  command.working_dir = scratch.path("none").string();
  const auto nowhere = ChildProcess::start(command);
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error().message, HasSubstr(command.working_dir));
  const auto no_log = ChildProcess::start(shell("exit 0", new_tag(), "/dev/null/log"));
  ASSERT_FALSE(no_log);
  EXPECT_THAT(no_log.error().message, HasSubstr("/dev/null/log"));
}

TEST(Start, KeepsWhatTheEngineSaysInItsLog) {
  const Scratch scratch;
  for (const char* line : {"echo to-stdout; echo to-stderr >&2", "echo second"}) {
    const auto child = ChildProcess::start(shell(line, new_tag(), scratch.path("deep/log")));
    ASSERT_TRUE(child) << child.error().message;
    ASSERT_TRUE(eventually([&] { return (*child)->poll().has_value(); }));
  }
  EXPECT_EQ(scratch.read("deep/log"), "to-stdout\nto-stderr\nsecond\n");
}

TEST(Start, GivesTheEngineItsFolderItsVariablesAndNothingElse) {
  const Scratch scratch;
  const int leak = ::open("/dev/null", O_RDONLY);  // not close-on-exec, on purpose
  auto command = shell(
      "pwd; echo \"[$A_SETTING]\"; readlink /proc/self/fd/0; ls /proc/$$/fd;"
      " env | grep -c EVENBENCH_WARDEN",
      new_tag(), scratch.path("log"));
  command.env.emplace_back("A_SETTING", "x=y z");
  command.working_dir = "/";
  const auto child = ChildProcess::start(command);
  ASSERT_TRUE(child) << child.error().message;
  ASSERT_TRUE(eventually([&] { return (*child)->poll().has_value(); }));
  ::close(leak);
  EXPECT_EQ(scratch.read("log"), "/\n[x=y z]\n/dev/null\n0\n1\n2\n0\n");
}

TEST(Start, PutsTheEngineInASessionAndAGroupOfItsOwn) {
  const Scratch scratch;
  const auto child = ChildProcess::start(shell("sleep 60", new_tag(), scratch.path("log")));
  ASSERT_TRUE(child) << child.error().message;
  const pid_t pid = (*child)->pid();
  EXPECT_EQ(::getpgid(pid), pid);
  EXPECT_NE(::getsid(pid), ::getsid(0));
  (*child)->stop(Nanos{0});
}

}  // namespace
}  // namespace evenbench::process_tests
