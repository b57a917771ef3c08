// The simulated engine behind real sockets, read by the measuring client.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "net/fetch.h"
#include "net/http_transport.h"
#include "sim/server.h"
#include "wire/request.h"

namespace evenbench {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class Engine {
 public:
  explicit Engine(const char* profile, double speed = 1.0, Nanos start_delay = Nanos{0}) {
    sim::ServerOptions options;
    options.profile = sim::profile_named(profile).value();
    options.speed = speed;
    options.start_delay = start_delay;
    std::promise<std::uint16_t> port;
    auto bound = port.get_future();
    thread_ = std::thread([this, options, port = std::move(port)]() mutable {
      const auto served =
          sim::serve(options, clock_, stop_, [&](std::uint16_t p) { port.set_value(p); });
      EXPECT_TRUE(served.has_value());
    });
    endpoint_ =
        wire::parse_endpoint("http://127.0.0.1:" + std::to_string(bound.get()) + "/v1").value();
  }
  ~Engine() {
    stop_ = true;
    thread_.join();
  }
  [[nodiscard]] const wire::Endpoint& endpoint() const { return endpoint_; }
  [[nodiscard]] std::string get(const char* path) const {
    const auto got = net::fetch(endpoint_, "GET", path, {}, "", {}, clock_);
    return got ? std::to_string(got->status) + " " + got->body : got.error().message;
  }
  [[nodiscard]] std::string request(std::uint32_t prompt_words, std::uint32_t tokens,
                                    bool stream = true) const {
    wire::RequestShape shape;
    shape.model = "sim-model";
    shape.stream = stream;
    std::string prompt;
    for (std::uint32_t i = 0; i < prompt_words; ++i) prompt += "word ";
    return wire::http_request("POST", endpoint_, endpoint_.path("chat/completions"), {},
                              wire::request_body(shape, prompt, tokens));
  }
  [[nodiscard]] net::TransportOptions transport_options() const {
    net::TransportOptions options;
    options.endpoint = endpoint_;
    return options;
  }
  [[nodiscard]] const Clock& clock() const { return clock_; }

 private:
  SystemClock clock_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
  wire::Endpoint endpoint_;
};

class Collector final : public wire::TransportListener {
 public:
  void on_done(wire::Tag, Exchanged&& exchanged) override { done.push_back(std::move(exchanged)); }
  std::vector<Exchanged> done;
};

void run_until_done(wire::Transport& transport, const Clock& clock, Collector& collector,
                    std::size_t count) {
  const MonoTime limit = clock.now() + seconds{20};
  while (collector.done.size() < count && clock.now() < limit) {
    transport.run_until(limit, collector);
  }
  ASSERT_EQ(collector.done.size(), count);
}

TEST(SimLoopback, AnswersAboutItself) {
  const Engine engine("trtllm");
  EXPECT_THAT(engine.get("/health"), HasSubstr("200"));
  EXPECT_THAT(engine.get("/v1/models"), HasSubstr("evenbench-simulated"));
  EXPECT_THAT(engine.get("/version"), HasSubstr("trtllm-sim-1"));
  EXPECT_THAT(engine.get("/prometheus/metrics"), HasSubstr("trtllm_num_requests_running"));
}

TEST(SimLoopback, HealthWaitsForTheStart) {
  const Engine engine("vllm", 1.0, milliseconds{300});
  EXPECT_THAT(engine.get("/health"), HasSubstr("503"));
  std::this_thread::sleep_for(milliseconds{400});
  EXPECT_THAT(engine.get("/health"), HasSubstr("200"));
}

TEST(SimLoopback, StreamsArriveTokenByTokenAtTheModelsPace) {
  for (const char* profile : {"vllm", "trtllm", "tgi", "sglang"}) {
    const Engine engine(profile);
    auto transport = net::make_http_transport(engine.transport_options(), engine.clock()).value();
    const std::string request = engine.request(100, 20);
    Collector collector;
    transport->send(1, request);
    run_until_done(*transport, engine.clock(), collector, 1);
    const Exchanged& x = collector.done.at(0);
    EXPECT_EQ(x.ending, Ending::kDone) << profile << ": " << x.detail;
    EXPECT_EQ(x.output_tokens, 20U);
    EXPECT_EQ(x.prompt_tokens, 100U);
    EXPECT_EQ(x.tokens.size(), 20U);
    // Lower bounds only: a busy machine makes everything later, never earlier.
    EXPECT_GT(x.first_token.user - x.sent, milliseconds{14}) << profile;
    EXPECT_GT(x.last_token.user - x.first_token.user, milliseconds{19 * 5}) << profile;
  }
}

TEST(SimLoopback, ConnectionsAreKeptAcrossRequests) {
  const Engine engine("vllm", 50.0);
  auto transport = net::make_http_transport(engine.transport_options(), engine.clock()).value();
  const std::string streamed = engine.request(10, 5);
  const std::string whole = engine.request(10, 5, false);
  for (std::size_t i = 0; i < 10; ++i) {
    Collector collector;
    transport->send(static_cast<wire::Tag>(i), i % 2 == 0 ? streamed : whole);
    run_until_done(*transport, engine.clock(), collector, 1);
    EXPECT_EQ(collector.done.at(0).ending, Ending::kDone) << collector.done.at(0).detail;
    EXPECT_EQ(observed(collector.done.at(0).connect_started), i == 0) << i;
    EXPECT_FALSE(collector.done.at(0).reopened);
  }
}

TEST(SimLoopback, ManyStreamsAtOnceGetAllTheirTokens) {
  const Engine engine("trtllm", 20.0);
  auto transport = net::make_http_transport(engine.transport_options(), engine.clock()).value();
  const std::string request = engine.request(50, 30);
  Collector collector;
  for (wire::Tag tag = 0; tag < 200; ++tag) transport->send(tag, request);
  run_until_done(*transport, engine.clock(), collector, 200);
  for (const Exchanged& x : collector.done) {
    EXPECT_EQ(x.ending, Ending::kDone) << x.detail;
    EXPECT_EQ(x.output_tokens, 30U);
    EXPECT_EQ(x.tokens.size(), 30U);
  }
}

TEST(SimLoopback, ADisconnectAbortsTheGeneration) {
  const Engine engine("vllm");
  auto transport = net::make_http_transport(engine.transport_options(), engine.clock()).value();
  const std::string request = engine.request(10, 4000);
  Collector collector;
  transport->send(1, request);
  transport->run_until(engine.clock().now() + milliseconds{100}, collector);
  EXPECT_THAT(engine.get("/metrics"),
              HasSubstr("num_requests_running{engine=\"0\",model_name=\"sim-model\"} 1.0\n"));
  transport->cut(1);
  run_until_done(*transport, engine.clock(), collector, 1);
  EXPECT_EQ(collector.done.at(0).ending, Ending::kCutAtEnd);
  const MonoTime limit = engine.clock().now() + seconds{5};
  const auto idle = [&] {
    return engine.get("/metrics")
               .find("num_requests_running{engine=\"0\",model_name=\"sim-model\"} 0.0\n") !=
           std::string::npos;
  };
  while (!idle() && engine.clock().now() < limit) std::this_thread::sleep_for(milliseconds{10});
  EXPECT_TRUE(idle());
}

TEST(SimLoopback, APortThatIsTakenIsAnErrorThatSaysSo) {
  const Engine engine("vllm");
  sim::ServerOptions options;
  options.profile = sim::profile_named("vllm").value();
  options.port = static_cast<std::uint16_t>(std::stoi(engine.endpoint().port));
  const std::atomic<bool> stop{true};
  const auto served = sim::serve(options, engine.clock(), stop, [](std::uint16_t) {});
  ASSERT_FALSE(served.has_value());
  EXPECT_EQ(served.error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(served.error().message, HasSubstr("cannot listen on 127.0.0.1 port"));
}

}  // namespace
}  // namespace evenbench
