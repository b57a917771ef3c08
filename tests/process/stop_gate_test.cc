// The stop gate with real processes, and with GPUs that stand in a file.
#include "engine/stop_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "engine/process_table.h"
#include "fake_server.h"
#include "launched.h"
#include "probe/nvml.h"

namespace evenbench::process_tests {
namespace {

using engine::ChildProcess;
using engine::GateVerdict;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using State = GateVerdict::State;

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

class Gate : public ::testing::Test {
 protected:
  Gate() { ::setenv("EVENBENCH_FAKE_NVML", scratch_.path("gpus").c_str(), 1); }

  // One card with 1 GiB in use, and more lines.
  void card(const std::string& more = "") const {
    std::ofstream(scratch_.path("gpus")) << "device 85899345920 0 1073741824 card\n" + more;
  }
  std::unique_ptr<ChildProcess> running(const std::string& line) {
    auto child = ChildProcess::start(shell(line, tag_, scratch_.path("log")));
    if (!child) return nullptr;
    const bool up =
        eventually([&] { return scratch_.read("log").find("up") != std::string::npos; });
    return up ? std::move(*child) : nullptr;
  }
  // A pid that a script has written.
  [[nodiscard]] int written(const std::string& name) const {
    std::string text;
    eventually([&] { return !(text = scratch_.read(name)).empty() && text.back() == '\n'; });
    return std::atoi(text.c_str());
  }
  GateVerdict pass(ChildProcess& child, Nanos deadline) {
    engine::GateWatch watch;
    watch.host = "127.0.0.1";
    watch.port = port_;
    watch.living = [&] { return child.living(); };
    watch.hurry = [this] { return hurry_; };
    const auto source = probe::open_nvml(EVENBENCH_FAKE_NVML_NEW, {});
    if (source) watch.gpus = [&] { return gpus_of(**source); };
    return engine::wait_at_gate(watch, {deadline, kGiB / 4}, SystemClock());
  }
  static std::vector<engine::GpuAtGate> gpus_of(probe::GpuSource& source) {
    std::vector<engine::GpuAtGate> out;
    for (const auto& sample : source.sample())
      out.push_back({sample.gpu, kGiB, sample.used_bytes, {}});
    for (const auto& holder : source.holders()) {
      out.at(0).holders.push_back({{holder.pid, engine::command_of(holder.pid)}, holder.bytes});
    }
    return out;
  }

  Scratch scratch_;
  std::string tag_ = new_tag();
  std::uint16_t port_ = 1;  // nobody listens there; see the test of a port that is taken
  bool hurry_ = false;
};

TEST_F(Gate, IsPassedAtOnceAfterAnOrdinaryStop) {
  card();
  const auto child = running("echo up; exec sleep 300");
  ASSERT_TRUE(child);
  child->stop(seconds{5});
  EXPECT_EQ(pass(*child, seconds{20}).state, State::kClean);
}

TEST_F(Gate, NamesEveryProcessOfALaunchThatLives) {
  card();
  const auto child = running("setsid sleep 301 & echo up; exec sleep 300");
  ASSERT_TRUE(child);
  const auto verdict = pass(*child, milliseconds{50});
  EXPECT_EQ(verdict.state, State::kLeaked);
  ASSERT_EQ(verdict.left.size(), 1U);
  EXPECT_EQ(verdict.left[0].code, "processes_left");
  EXPECT_THAT(verdict.left[0].text,
              HasSubstr("process " + std::to_string(child->pid()) + " (sleep 300)"));
  EXPECT_THAT(verdict.left[0].text, HasSubstr("(sleep 301)"));
  EXPECT_THAT(verdict.left[0].text, HasSubstr("2 of the engine's"));
  child->stop(milliseconds{100});
  EXPECT_EQ(pass(*child, seconds{20}).state, State::kClean);
}

// It leaves the session and takes nothing of its environment along; then the warden is killed, so
// that nobody knows any more that it belongs to the engine. Only its memory gives it away.
TEST_F(Gate, FindsADaemonOfALostWardenByTheMemoryItHolds) {
  const auto child = running("env -i setsid sh -c 'echo $$ > " + scratch_.path("daemon").string() +
                             "; exec sleep 302' & echo up; exec sleep 300");
  ASSERT_TRUE(child);
  const int daemon = written("daemon");
  card("holds 0 " + std::to_string(daemon) + " 8589934592\n");
  int warden = 0;
  for (const auto& process : engine::processes())
    if (process.pid == child->pid()) warden = process.parent;
  ASSERT_TRUE(eventually([&] { return engine::command_of(daemon) == "sleep 302"; }));
  ::kill(warden, SIGKILL);
  child->stop(milliseconds{100});
  EXPECT_THAT(child->living(), IsEmpty());
  const auto verdict = pass(*child, milliseconds{50});
  EXPECT_EQ(verdict.state, State::kLeaked);
  ASSERT_EQ(verdict.left.size(), 1U);
  EXPECT_EQ(verdict.left[0].code, "gpu_memory_not_returned");
  EXPECT_THAT(verdict.left[0].text, HasSubstr("GPU 0 has 9.00 GiB in use"));
  EXPECT_THAT(verdict.left[0].text,
              HasSubstr("process " + std::to_string(daemon) + " (sleep 302) with 8.00 GiB"));
  ::kill(daemon, SIGKILL);
  EXPECT_EQ(pass(*child, seconds{20}).state, State::kClean);
}

TEST_F(Gate, WaitsForMemoryThatComesBackLate) {
  const auto child = running("echo up; exec sleep 300");
  ASSERT_TRUE(child);
  child->stop(seconds{5});
  // A stranger stands for a driver that takes its time.
  const auto slow = ChildProcess::start(shell("exec sleep 0.5", new_tag(), scratch_.path("slow")));
  ASSERT_TRUE(slow);
  card("holds 0 " + std::to_string((*slow)->pid()) + " 8589934592\n");
  EXPECT_EQ(pass(*child, seconds{20}).state, State::kClean);
  EXPECT_TRUE((*slow)->poll());
}

TEST_F(Gate, SeesThatThePortIsStillTaken) {
  card();
  const auto child = running("echo up; exec sleep 300");
  ASSERT_TRUE(child);
  child->stop(seconds{5});
  {
    const FakeServer server([](const Request&) { return plain_response(200); });
    port_ = server.port();
    const auto verdict = pass(*child, milliseconds{50});
    ASSERT_EQ(verdict.left.size(), 1U);
    EXPECT_EQ(verdict.left[0].code, "port_not_released");
  }
  EXPECT_EQ(pass(*child, seconds{20}).state, State::kClean);
}

TEST_F(Gate, DoesNotWaitWhenTheUserIsInAHurry) {
  card();
  const auto child = running("echo up; exec sleep 300");
  ASSERT_TRUE(child);
  hurry_ = true;
  const SystemClock clock;
  const MonoTime begin = clock.now();
  EXPECT_EQ(pass(*child, seconds{600}).state, State::kLeaked);
  EXPECT_LT(clock.now() - begin, seconds{300});
}

}  // namespace
}  // namespace evenbench::process_tests
