#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/client_flags.h"
#include "cli/spec_print.h"
#include "cli/spec_yaml.h"

namespace evenbench::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string with(const std::string& client) {
  return "evenbench: 1\nsystems: [{name: a, engine: openai, attach: {url: 'http://127.0.0.1:1'}}]\n"
         "load: {ladder: {rates: [1]}}\nclient: " +
         client + "\n";
}

TEST(SpecClient, SaysHowTheProgramItselfRuns) {
  const auto spec = parse_spec(with("{workers: 3, stamp: kernel, realtime: true, cpus: 0-1}"), "s");
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->client.workers, 3U);
  EXPECT_EQ(spec->client.stamp, StampChoice::kKernel);
  EXPECT_TRUE(spec->client.realtime);
  EXPECT_THAT(spec->client.cpus, ElementsAre(0, 1));
}

TEST(SpecClient, IsPrintedAsItIsRead) {
  const auto spec = parse_spec(with("{workers: auto, cpus: '4,0-1'}"), "s").value();
  const auto again = parse_spec(print_spec(spec), "again");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->client.workers, std::nullopt);
  EXPECT_THAT(again->client.cpus, ElementsAre(4, 0, 1));
}

TEST(SpecClient, ComplainsOfWhatItCannotBe) {
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"{workers: 0}",
            "client.workers must be a number of sending threads from 1 to 256, or "
            "auto, not '0'"},
           {"{workers: many}", "not 'many'"},
           {"{stamp: nic}", "client.stamp must be auto, user or kernel, not 'nic'"},
           {"{cpus: 3-1}", "client.cpus must be CPU numbers such as 2-3 or 0,4-7, not '3-1'"},
           {"{cpu: 1}", "cpus"}}) {
    const auto spec = parse_spec(with(text), "s");
    ASSERT_FALSE(spec) << text;
    EXPECT_THAT(spec.error().message, HasSubstr(said));
    EXPECT_THAT(spec.error().message, HasSubstr("s:4:"));
  }
}

TEST(SpecClient, FlagsStandBeforeTheSpec) {
  ClientSpec spec;
  spec.workers = 2;
  ClientFlags flags;
  flags.stamp = "user";
  flags.cpus = "1";
  ASSERT_TRUE(apply(flags, spec));
  EXPECT_EQ(spec.workers, 2U);
  EXPECT_EQ(spec.stamp, StampChoice::kUser);
  EXPECT_THAT(spec.cpus, ElementsAre(1));
  flags.workers = "auto";
  flags.realtime = true;
  ASSERT_TRUE(apply(flags, spec));
  EXPECT_EQ(spec.workers, std::nullopt);
  EXPECT_TRUE(spec.realtime);
  flags.workers = "x";
  EXPECT_THAT(apply(flags, spec).error().message, HasSubstr("--workers must be"));
}

}  // namespace
}  // namespace evenbench::cli
