#include "engine/process_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace evenbench::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ProcessEntry entry(int pid, int parent) {
  ProcessEntry out;
  out.pid = pid;
  out.parent = parent;
  return out;
}

std::vector<int> pids_of(const std::vector<ProcessEntry>& entries) {
  std::vector<int> out;
  for (const ProcessEntry& one : entries) out.push_back(one.pid);
  return out;
}

TEST(ProcessTable, AFileThatOpensButCannotBeReadHoldsNothing) {
  EXPECT_EQ(proc_text("/proc/self/mem"), "");  // its first page is never mapped
  EXPECT_EQ(proc_text("/proc/self/none"), "");
  EXPECT_TRUE(parse_stat(proc_text("/proc/self/stat")));
}

TEST(ProcessTable, ReadsAStatLine) {
  const auto read = parse_stat("4321 (vllm) S 17 4321 4300 0 -1 4194560 1 2 3");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->pid, 4321);
  EXPECT_EQ(read->parent, 17);
  EXPECT_EQ(read->group, 4321);
  EXPECT_EQ(read->session, 4300);
  EXPECT_TRUE(read->lives());
}

TEST(ProcessTable, BearsNamesWithBlanksAndParentheses) {
  const auto read = parse_stat("5 (VLLM::Worker (x) 1) Z 9 8 7 0");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->parent, 9);
  EXPECT_FALSE(read->lives());
}

TEST(ProcessTable, RefusesWhatIsNoStatLine) {
  EXPECT_FALSE(parse_stat(""));
  EXPECT_FALSE(parse_stat("x (sh) S 1 1 1"));
  EXPECT_FALSE(parse_stat("12 (sh"));
  EXPECT_FALSE(parse_stat("12 (sh) S 1"));
  EXPECT_FALSE(parse_stat(") 12 (sh"));
}

TEST(ProcessTable, FindsDescendantsInWhateverOrderTheyAreListed) {
  const std::vector<ProcessEntry> all{entry(40, 30), entry(30, 20), entry(20, 10), entry(21, 1)};
  EXPECT_THAT(pids_of(descendants_of(10, all)), ::testing::UnorderedElementsAre(20, 30, 40));
  EXPECT_THAT(pids_of(descendants_of(30, all)), ElementsAre(40));
  EXPECT_THAT(descendants_of(99, all), IsEmpty());
}

TEST(ProcessTable, ShowsThisProcess) {
  const auto pids = pids_of(processes());
  EXPECT_THAT(pids, ::testing::Contains(::getpid()));
  EXPECT_FALSE(started_with(::getpid(), "EVENBENCH_NO_SUCH_VARIABLE=1"));
}

TEST(ShownCommand, EndsBeforeWhatMayHoldAKey) {
  using namespace std::string_view_literals;
  EXPECT_EQ(shown_command("vllm\0serve\0/model\0--api-key\0secret\0"sv), "vllm serve /model");
  EXPECT_EQ(shown_command("python3\0-m\0server\0"sv), "python3 -m server");
  EXPECT_EQ(shown_command("sh\0-c\0curl -H 'Authorization: Bearer x'\0"sv), "sh");
  EXPECT_EQ(shown_command("VLLM::EngineCore\0\0\0"sv), "VLLM::EngineCore");
  EXPECT_EQ(shown_command(""), "");
  EXPECT_EQ(shown_command(std::string(200, 'x')).size(), 80U);
}

}  // namespace
}  // namespace evenbench::engine
