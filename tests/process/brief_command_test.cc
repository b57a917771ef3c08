#include "engine/brief_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "launched.h"

namespace evenbench::process_tests {
namespace {

using engine::output_of;
using std::chrono::seconds;
using ::testing::HasSubstr;

TEST(BriefCommand, GivesWhatItWroteAndKeepsItsErrorsApart) {
  const auto output = output_of({"sh", "-c", "echo one; echo two >&2"}, seconds{20}, SystemClock());
  ASSERT_TRUE(output);
  EXPECT_EQ(*output, "one\n");
}

TEST(BriefCommand, AFailureSaysWhatItSaid) {
  const auto output = output_of({"sh", "-c", "echo two >&2; exit 5"}, seconds{20}, SystemClock());
  ASSERT_FALSE(output);
  EXPECT_THAT(output.error().message, HasSubstr("exit code 5: two"));
  EXPECT_FALSE(output_of({"no-such-program"}, seconds{20}, SystemClock()));
}

TEST(BriefCommand, IsEndedAtItsLimitWithWhateverItStarted) {
  const SystemClock clock;
  const Scratch scratch;
  const std::string tag = new_tag();
  const TaggedHere tagged_here(tag);
  const MonoTime begin = clock.now();
  const std::string line =
      "sleep 60 & echo started > " + scratch.path("child").string() + "; sleep 60";
  const auto output = output_of({"sh", "-c", line}, seconds{1}, clock);
  ASSERT_FALSE(output);
  EXPECT_THAT(output.error().message, HasSubstr("was killed"));
  EXPECT_LT(clock.now() - begin, seconds{30});
  EXPECT_EQ(scratch.read("child"), "started\n");
  // Killed, its children may need a moment more to be gone.
  EXPECT_TRUE(eventually([&] { return tagged(tag).empty(); }));
}

TEST(BriefCommand, MoreOutputThanIsKeptIsReadAllTheSame) {
  const auto output =
      output_of({"sh", "-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"}, seconds{20},
                SystemClock());
  ASSERT_TRUE(output);
  EXPECT_EQ(output->size(), std::size_t{64} << 10);
}

}  // namespace
}  // namespace evenbench::process_tests
