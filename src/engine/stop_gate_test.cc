#include "engine/stop_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::engine {
namespace {

using std::chrono::seconds;
using State = GateVerdict::State;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

GateView with_gpu(std::optional<std::uint64_t> idle, std::optional<std::uint64_t> used) {
  GateView view;
  view.gpus.push_back({0, idle, used, {}});
  return view;
}

State state_of(const GateView& view, Nanos waited) {
  return judge_gate(view, waited, {}).state;
}

TEST(StopGate, IsOpenWhenNothingIsLeft) {
  EXPECT_EQ(state_of({}, seconds{0}), State::kClean);
  EXPECT_EQ(state_of(with_gpu(5 * kMiB, 5 * kMiB), seconds{0}), State::kClean);
}

TEST(StopGate, LetsTheToleranceAndNotAByteMorePass) {
  EXPECT_EQ(state_of(with_gpu(100 * kMiB, 400 * kMiB), seconds{60}), State::kClean);
  EXPECT_EQ(state_of(with_gpu(100 * kMiB, 400 * kMiB + 1), seconds{60}), State::kLeaked);
}

TEST(StopGate, WaitsUntilTheDeadlineAndThenCallsItALeak) {
  const GateView view = with_gpu(0, 301 * kMiB);
  EXPECT_EQ(state_of(view, seconds{0}), State::kWait);
  EXPECT_EQ(state_of(view, seconds{30} - Nanos{1}), State::kWait);
  EXPECT_EQ(state_of(view, seconds{30}), State::kLeaked);
}

TEST(StopGate, EveryGpuMustHaveItsMemoryBack) {
  GateView view = with_gpu(0, 0);
  view.gpus.push_back({3, 0, 8192 * kMiB, {}});
  const auto verdict = judge_gate(view, seconds{30}, {});
  ASSERT_EQ(verdict.left.size(), 1U);
  EXPECT_THAT(verdict.left[0].text, HasSubstr("GPU 3 has 8.00 GiB in use"));
}

TEST(StopGate, MemoryThatWasNotReadIsNotJudged) {
  EXPECT_EQ(state_of(with_gpu(std::nullopt, 900 * kMiB), seconds{60}), State::kClean);
  EXPECT_EQ(state_of(with_gpu(0, std::nullopt), seconds{60}), State::kClean);
}

TEST(StopGate, NamesWhoHoldsTheMemory) {
  GateView view = with_gpu(1024 * kMiB, 9216 * kMiB);
  view.gpus[0].holders = {{{4711, "VLLM::EngineCore"}, 7168 * kMiB}, {{4712, ""}, std::nullopt}};
  const auto verdict = judge_gate(view, seconds{30}, {});
  ASSERT_EQ(verdict.left.size(), 1U);
  EXPECT_EQ(verdict.left[0].code, "gpu_memory_not_returned");
  EXPECT_THAT(verdict.left[0].text,
              AllOf(HasSubstr("GPU 0 has 9.00 GiB in use 30.0 s after the stop"),
                    HasSubstr("had 1.00 GiB before the start (up to 300 MiB more is let pass)"),
                    HasSubstr("process 4711 (VLLM::EngineCore) with 7.00 GiB"),
                    HasSubstr("process 4712, which cannot be seen from here;")));
}

TEST(StopGate, SaysThatADriverInAContainerMayNameNobody) {
  const auto verdict = judge_gate(with_gpu(0, 9216 * kMiB), seconds{30}, {});
  EXPECT_THAT(verdict.left.at(0).text, HasSubstr("nvidia-smi on the host"));
}

TEST(StopGate, NamesTheProcessesThatLive) {
  GateView view;
  view.processes = {{12, "vllm serve /model"}, {13, "sleep 300"}};
  EXPECT_EQ(state_of(view, seconds{1}), State::kWait);
  const auto verdict = judge_gate(view, seconds{30}, {});
  ASSERT_EQ(verdict.left.size(), 1U);
  EXPECT_EQ(verdict.left[0].code, "processes_left");
  EXPECT_THAT(verdict.left[0].text,
              AllOf(HasSubstr("2 of the engine's processes still live"),
                    HasSubstr("process 12 (vllm serve /model), process 13 (sleep 300)"),
                    HasSubstr("kill -9 12 13")));
}

TEST(StopGate, APortThatIsStillTakenIsLeftToo) {
  GateView view;
  view.port = 8123;
  view.port_taken = true;
  const auto verdict = judge_gate(view, seconds{30}, {});
  ASSERT_EQ(verdict.left.size(), 1U);
  EXPECT_EQ(verdict.left[0].code, "port_not_released");
  EXPECT_THAT(verdict.left[0].text, HasSubstr("port 8123"));
}

}  // namespace
}  // namespace evenbench::engine
