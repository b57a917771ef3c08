#include "sim/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "sim/service.h"

namespace evenbench::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr MonoTime kStart{seconds{50}};
constexpr const char* kChat = "/v1/chat/completions";

class Door {
 public:
  Door(std::string_view profile, const std::function<void(Settings&)>& set)
      : engine_(made(profile, set)), gate_(engine_) {}

  // 0: it may pass.
  int status(std::string_view path, std::string_view authorization = "", Nanos at = Nanos{0}) {
    const bool generates = path == kChat;
    const auto stopped = gate_.stop(path, authorization, generates, kStart + at);
    last = stopped.value_or(Reply{});
    return stopped ? stopped->status : 0;
  }
  Reply last;

 private:
  static Engine made(std::string_view profile, const std::function<void(Settings&)>& set) {
    Settings settings;
    set(settings);
    return engine_of(profile_named(profile).value(), settings, "m").value();
  }
  Engine engine_;
  Gate gate_;
};

TEST(Gate, EachEngineAsksForItsKeyOnRoutesOfItsOwn) {
  struct Case {
    const char* profile;
    const char* path;
    bool asked;
  };
  for (const Case& c : std::vector<Case>{{"vllm", "/v1/models", true},
                                         {"vllm", "/tokenize", false},
                                         {"vllm", "/metrics", false},
                                         {"tgi", "/v1/models", false},
                                         {"tgi", "/info", false},
                                         {"tgi", "/tokenize", true},
                                         {"sglang", "/server_info", true},
                                         {"sglang", "/health_generate", false},
                                         {"sglang", "/metrics", false}}) {
    Door door(c.profile, [](Settings& s) { s.key = "k"; });
    EXPECT_EQ(door.status(c.path), c.asked ? 401 : 0) << c.profile << c.path;
    EXPECT_EQ(door.status(c.path, "Bearer k"), 0) << c.profile << c.path;
    EXPECT_EQ(door.status(kChat, "Bearer x"), 401) << c.profile;
  }
}

TEST(Gate, AKeyExpiresAfterItsGenerations) {
  Door door("vllm", [](Settings& s) {
    s.key = "k";
    s.key_after = 2;
  });
  EXPECT_EQ(door.status(kChat, "Bearer k"), 0);
  EXPECT_EQ(door.status("/v1/models", "Bearer k"), 0) << "not a generation";
  EXPECT_EQ(door.status(kChat, "Bearer k"), 0);
  EXPECT_EQ(door.status(kChat, "Bearer k"), 401);
  EXPECT_EQ(door.last.body, R"({"error":"Unauthorized"})");
  EXPECT_EQ(door.status("/v1/models", "Bearer k"), 401);
}

TEST(Gate, AnAccountThatIsUsedUpIsSaidInEitherWay) {
  for (const int status : {429, 403}) {
    Door door("vllm", [&](Settings& s) {
      s.quota_after = 1;
      s.quota_status = status;
    });
    EXPECT_EQ(door.status(kChat), 0);
    EXPECT_EQ(door.status(kChat), status);
    EXPECT_THAT(door.last.body, HasSubstr(status == 403 ? R"("code":"insufficient_user_quota")"
                                                        : R"("code":"insufficient_quota")"));
    EXPECT_EQ(door.status("/v1/models"), 0) << "lists stay open";
  }
}

TEST(Gate, MoreThanTheRateMustWaitAndIsToldHowLong) {
  Door door("sglang", [](Settings& s) { s.throttle_rate = 0.5; });
  EXPECT_EQ(door.status(kChat), 0);
  EXPECT_EQ(door.status(kChat, "", milliseconds{100}), 429);
  EXPECT_EQ(door.last.headers, "retry-after: 2\r\n");
  EXPECT_THAT(door.last.body, HasSubstr("rate_limit_exceeded"));
  EXPECT_EQ(door.status(kChat, "", milliseconds{2100}), 0);
  Door quick("vllm", [](Settings& s) { s.throttle_rate = 3.0; });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(quick.status(kChat), 0) << "a second's worth at once";
  EXPECT_EQ(quick.status(kChat), 429);
}

TEST(Gate, APrefixStandsBeforeEveryRoute) {
  class Collector final : public Client {
   public:
    void send(std::string_view bytes) override { text += bytes; }
    void end() override {}
    std::string text;
  };
  ServerOptions options;
  options.profile = profile_named("vllm").value();
  options.settings.path_prefix = "/gateway/v1";
  Service service(options, kStart, WallTime{});
  const auto status = [&](const char* path) {
    Collector client;
    service.handle({"GET", path, "", true}, client, kStart);
    return client.text.substr(9, 3);
  };
  EXPECT_EQ(status("/gateway/v1/models"), "200");
  EXPECT_EQ(status("/gateway/health"), "200");
  EXPECT_EQ(status("/v1/models"), "404");
  EXPECT_EQ(status("/health"), "404");
}

}  // namespace
}  // namespace evenbench::sim
