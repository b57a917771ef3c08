#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>
#include <string>

#include "load/testing/step_bench.h"

namespace evenbench::load {
namespace {

using namespace std::chrono_literals;
using testing::Bench;
using testing::every;
using testing::FakeTransport;
using testing::Fate;
using testing::users;

// A closed loop that counts what it has made, and whose requests carry their index.
struct Making : Bench {
  Making(StepSpec spec, FakeTransport::Script script)
      : Bench(std::move(spec), [this, script = std::move(script)](std::size_t n, MonoTime now) {
          made_at_send.push_back(made);
          return script(n, now);
        }) {
    job.serialise = [this](std::uint32_t index, const workload::Item& item) {
      ++made;
      return std::to_string(index) + " " + load.prompt(item);
    };
  }
  // Each request is what the record says of it, and each phase has its own prompts from the first.
  void expect_recorded_as_sent() const {
    std::multiset<std::string> sent(transport.requests.begin(), transport.requests.end());
    std::multiset<std::string> recorded;
    std::map<Phase, std::set<std::uint64_t>> prompts;
    for (const auto& row : sink.rows) {
      const workload::Item item{row.prompt_id, row.input_asked, row.output_asked};
      recorded.insert(std::to_string(row.index) + " " + load.prompt(item));
      prompts[row.phase].insert(row.prompt_id);
    }
    EXPECT_EQ(sent, recorded);
    for (const auto& [phase, ids] : prompts) {
      std::set<std::uint64_t> first;
      const std::string stream = plan.item_stream + std::string(name_of(phase));
      for (std::size_t k = 0; k < ids.size(); ++k) first.insert(load.item(stream, k).prompt_id);
      EXPECT_EQ(ids, first) << name_of(phase);
    }
  }

  std::atomic<std::size_t> made = 0;  // by several workers
  std::vector<std::size_t> made_at_send;
};

TEST(ClosedAhead, RequestsOfAClosedLoopAreMadeBeforeItBeginsAndInItsQuiet) {
  auto spec = users(64);
  spec.requests = 192;
  Making bench(spec, every(500ms));
  bench.run();
  for (std::size_t i = 0; i < 192; ++i) {
    EXPECT_EQ(bench.made_at_send[i], 64 * (i / 64 + 1)) << i;  // a whole wave before its first
  }
  EXPECT_EQ(bench.made, 192U);
  bench.expect_recorded_as_sent();
}

TEST(ClosedAhead, RequestsAreNotMadeBetweenEndsThatFollowOneAnother) {
  auto spec = users(4);
  spec.requests = 12;
  Making bench(spec, [](std::size_t n, MonoTime) {
    const Nanos end = 100ms + 200us * (n % 4);
    return Fate{.tokens = {end}, .end = end};
  });
  bench.run();
  for (std::size_t i = 4; i < 8; ++i) EXPECT_EQ(bench.made_at_send[i], 8U) << i;
}

TEST(ClosedAhead, ATimedWarmUpThatEndsBetweenTwoWavesLeavesNoneOfItsRequestsToTheCohort) {
  auto spec = users(8);
  spec.measure = 1s;
  spec.warmup.duration = 250ms;
  Making bench(spec, every(100ms));
  bench.run();
  bench.expect_recorded_as_sent();
  EXPECT_EQ(bench.cohort().size(), 80U);
}

TEST(ClosedAhead, TheEndOfACountedWarmUpIsForeseen) {
  auto spec = users(8);
  spec.requests = 76;
  spec.warmup.count = 20;
  Making bench(spec, every(100ms));
  bench.run();
  bench.expect_recorded_as_sent();
  EXPECT_EQ(bench.made, 96U);  // none in vain
}

TEST(ClosedAhead, SeveralWorkersOfAClosedLoopSendEachRequestOnce) {
  auto spec = users(6);
  spec.requests = 60;
  spec.warmup.count = 7;
  Making bench(spec, every(5ms));
  bench.run_by(3, every(5ms));
  EXPECT_EQ(bench.sink.rows.size(), 67U);
  bench.expect_recorded_as_sent();
}

}  // namespace
}  // namespace evenbench::load
