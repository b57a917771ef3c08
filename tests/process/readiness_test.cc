#include "engine/readiness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "fake_server.h"
#include "launched.h"

namespace evenbench::process_tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

engine::ReadinessOptions options_for(std::uint16_t port, const std::string& key = "") {
  engine::ReadinessOptions options;
  options.adapter = *engine::adapter_named("vllm");
  options.transport.endpoint = *wire::parse_endpoint("http://127.0.0.1:" + std::to_string(port));
  if (!key.empty()) options.headers = {{"Authorization", "Bearer " + key}};
  return options;
}

// A port that was free a moment ago.
std::uint16_t free_port() {
  return FakeServer([](const Request&) { return std::string(); }).port();
}

engine::LaunchCommand fake_engine(std::uint16_t port, int listen_ms, int healthy_ms,
                                  const std::filesystem::path& log) {
  engine::LaunchCommand command;
  command.argv = {std::filesystem::read_symlink("/proc/self/exe").string(), kServerCommand,
                  std::to_string(port), std::to_string(listen_ms), std::to_string(healthy_ms)};
  command.log = log;
  return command;
}

TEST(Ready, O17_TheKeyIsSentOnEveryPathAndItsLackIsNamedAtOnce) {
  FakeServer server([](const Request& request) {
    return request.has_key("K1") ? usual_answer(request, "mine")
                                 : plain_response(401, R"({"error":"Unauthorized"})");
  });
  const SystemClock clock;
  const auto ready = wait_until_ready(options_for(server.port(), "K1"), clock);
  ASSERT_TRUE(ready) << ready.error().message;
  EXPECT_EQ(ready->shape.model, "mine");
  EXPECT_EQ(ready->engine_version, "1.2.3");
  EXPECT_EQ(ready->probe.ending, Ending::kDone);
  const MonoTime begin = clock.now();
  const auto refused = wait_until_ready(options_for(server.port()), clock);
  EXPECT_LT(clock.now() - begin, seconds{2});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("401"), HasSubstr("http://127.0.0.1"), Not(HasSubstr("K1"))));
  EXPECT_EQ(server.generations(), 1);
}

TEST(Ready, O19_AStrictServerIsAskedWithoutUsage) {
  FakeServer server([](const Request& request) {
    if (request.body.find("stream_options") == std::string::npos)
      return usual_answer(request, "mine");
    return plain_response(
        422, R"({"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"input":)" +
                 request.body + "}]}");
  });
  const auto ready = wait_until_ready(options_for(server.port()), SystemClock());
  ASSERT_TRUE(ready) << ready.error().message;
  EXPECT_FALSE(ready->shape.include_usage);
  EXPECT_THAT(ready->notes, ElementsAre(HasSubstr("stream_options")));
  EXPECT_EQ(ready->probe_requests, 3U);
}

TEST(Ready, ARefusedConnectionIsNamedWithinTwoSeconds) {
  const SystemClock clock;
  const MonoTime begin = clock.now();
  const auto refused = wait_until_ready(options_for(free_port()), clock);
  EXPECT_LT(clock.now() - begin, seconds{2});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("/health"), HasSubstr("refused")));
}

TEST(Ready, AnInterruptEndsAProbeThatHangs) {
  std::atomic<bool> interrupted{false};
  FakeServer server([&](const Request& request) -> std::string {
    if (!request.line.starts_with("POST")) return usual_answer(request, "mine");
    interrupted = true;
    return "";
  });
  auto options = options_for(server.port());
  options.interrupted = [&] { return interrupted.load(); };
  const SystemClock clock;
  const MonoTime begin = clock.now();
  const auto ready = wait_until_ready(options, clock);
  EXPECT_LT(clock.now() - begin, seconds{5});
  ASSERT_FALSE(ready);
  EXPECT_EQ(ready.error().code, ErrorCode::kInterrupted);
}

TEST(Ready, O48_ALaunchedEngineIsReadyOnlyWhenItGenerates) {
  const Scratch scratch;
  const std::uint16_t port = free_port();
  const SystemClock clock;
  const MonoTime begin = clock.now();
  const auto child = engine::ChildProcess::start(fake_engine(port, 150, 600, scratch.path("log")));
  ASSERT_TRUE(child) << child.error().message;
  auto options = options_for(port);
  options.child = child->get();
  options.log = scratch.path("log");
  std::vector<std::string> told;
  options.tell = [&](std::string_view text) { told.emplace_back(text); };
  const auto ready = wait_until_ready(options, clock);
  ASSERT_TRUE(ready) << ready.error().message;
  EXPECT_GE(clock.now() - begin, milliseconds{600});
  EXPECT_EQ(ready->probe_requests, 1U);
  EXPECT_FALSE(told.empty());
  (*child)->stop(seconds{5});
}

TEST(Ready, AnEngineThatDiesIsShownWithItsLog) {
  const Scratch scratch;
  const auto child = engine::ChildProcess::start(
      shell("echo 'CUDA out of memory' >&2; exit 3", new_tag(), scratch.path("log")));
  ASSERT_TRUE(child) << child.error().message;
  auto options = options_for(free_port());
  options.child = child->get();
  options.log = scratch.path("log");
  const auto ready = wait_until_ready(options, SystemClock());
  ASSERT_FALSE(ready);
  EXPECT_THAT(ready.error().message,
              AllOf(HasSubstr("exit code 3"), HasSubstr("out of memory"), HasSubstr("nvidia-smi")));
}

TEST(Ready, O49_ATakenPortIsNamedAndItsServerLeftAlone) {
  FakeServer other([](const Request& request) { return usual_answer(request, "other"); });
  const auto taken = engine::check_port_free("127.0.0.1", other.port());
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message,
              AllOf(HasSubstr(std::to_string(other.port())), HasSubstr("already in use")));
  EXPECT_FALSE(engine::check_port_free("0.0.0.0", other.port()));
  EXPECT_TRUE(wait_until_ready(options_for(other.port()), SystemClock()));
  EXPECT_TRUE(engine::check_port_free("127.0.0.1", free_port()));
}

TEST(Ready, AHostThatIsNotOursIsNamed) {
  const auto strange = engine::check_port_free("192.0.2.1", 8000);
  ASSERT_FALSE(strange);
  EXPECT_THAT(strange.error().message, HasSubstr("192.0.2.1"));
  EXPECT_FALSE(engine::check_port_free("no such host", 8000));
}

}  // namespace
}  // namespace evenbench::process_tests
