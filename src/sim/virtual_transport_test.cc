#include "sim/virtual_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sim/service.h"
#include "wire/exchange.h"
#include "wire/request.h"

namespace evenbench::sim {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr MonoTime kStart{seconds{10}};
constexpr WallTime kWall{seconds{1'800'000'000}};

std::string request_of(const wire::RequestShape& shape, std::uint32_t words, std::uint32_t tokens) {
  std::string prompt;
  for (std::uint32_t i = 0; i < words; ++i) prompt += "w ";
  const auto endpoint = wire::parse_endpoint("http://127.0.0.1:1").value();
  const char* route = shape.api == wire::Api::kChat ? "chat/completions" : "completions";
  return wire::http_request("POST", endpoint, endpoint.path(route), {},
                            wire::request_body(shape, prompt, tokens));
}

wire::RequestShape shape_of() {
  wire::RequestShape shape;
  shape.model = "sim-model";
  return shape;
}

struct Collector final : wire::TransportListener {
  void on_done(wire::Tag tag, Exchanged&& exchanged) override {
    EXPECT_TRUE(done.emplace(tag, std::move(exchanged)).second) << "twice: " << tag;
  }
  std::map<wire::Tag, Exchanged> done;
};

struct Rig {
  explicit Rig(std::string_view profile, std::uint64_t seed = 1, Nanos network = Nanos{0})
      : transport(make_virtual_transport(profile_named(profile).value(), seed, clock, network)) {}
  VirtualClock clock{kStart, kWall};
  std::unique_ptr<wire::Transport> transport;
  Collector collector;
};

Exchanged one(std::string_view profile, const std::string& request, Nanos network = Nanos{0}) {
  Rig rig(profile, 1, network);
  rig.transport->send(7, request);
  rig.transport->run_until(kStart + minutes{10}, rig.collector);
  EXPECT_EQ(rig.collector.done.size(), 1U);
  return rig.collector.done.at(7);
}

// What the measuring client makes of the same engine's bytes.
class WireClient final : public Client {
 public:
  explicit WireClient(bool stream) { exchange.begin(stream, false); }
  void send(std::string_view bytes) override { exchange.on_bytes(bytes, {now, now}); }
  void end() override {}
  MonoTime now = kStart;
  wire::Exchange exchange;
};

Exchanged over_bytes(std::string_view profile, const std::string& request, bool stream) {
  ServerOptions options;
  options.profile = profile_named(profile).value();
  Service service(options, kStart, kWall);
  WireClient client(stream);
  const std::size_t body = request.find("\r\n\r\n") + 4;
  const std::string target = request.substr(5, request.find(' ', 5) - 5);
  service.handle({"POST", target, std::string_view(request).substr(body), true}, client, kStart);
  while (const auto next = service.next_instant()) {
    client.now = *next;
    service.advance(*next);
  }
  Exchanged out = client.exchange.take();
  out.sent = kStart;
  return out;
}

void expect_same(const Exchanged& a, const Exchanged& b) {
  EXPECT_EQ(a.ending, b.ending);
  EXPECT_EQ(a.detail, b.detail);
  EXPECT_EQ(a.http_status, b.http_status);
  EXPECT_EQ(a.streamed, b.streamed);
  EXPECT_EQ(a.sent, b.sent);
  EXPECT_EQ(a.headers, b.headers);
  EXPECT_EQ(a.first_event, b.first_event);
  EXPECT_EQ(a.first_token, b.first_token);
  EXPECT_EQ(a.first_content, b.first_content);
  EXPECT_EQ(a.last_token, b.last_token);
  EXPECT_EQ(a.closed, b.closed);
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.prompt_tokens, b.prompt_tokens);
  EXPECT_EQ(a.cached_tokens, b.cached_tokens);
  EXPECT_EQ(a.output_tokens, b.output_tokens);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.finish_reason, b.finish_reason);
  EXPECT_EQ(a.done_mark, b.done_mark);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.reads, b.reads);
  EXPECT_EQ(a.merged_reads, b.merged_reads);
}

TEST(VirtualTransport, FillsWhatTheWireWouldFillInEveryDialectAndShape) {
  for (const char* profile : {"vllm", "trtllm", "tgi", "sglang"}) {
    for (int mask = 0; mask < 16; ++mask) {
      wire::RequestShape shape = shape_of();
      shape.api = (mask & 1) != 0 ? wire::Api::kCompletions : wire::Api::kChat;
      shape.stream = (mask & 2) == 0;
      shape.include_usage = (mask & 4) == 0;
      shape.continuous_usage = (mask & 8) != 0;
      for (const std::uint32_t tokens : {0U, 1U, 12U, 9000U}) {  // 0: none stated; 9000: too many
        SCOPED_TRACE(std::string(profile) + " " + std::to_string(mask) + " " +
                     std::to_string(tokens));
        const std::string request = request_of(shape, 20, tokens);
        expect_same(one(profile, request), over_bytes(profile, request, shape.stream));
      }
    }
  }
}

TEST(VirtualTransport, TheNetworkDelaysBothDirections) {
  const std::string request = request_of(shape_of(), 20, 5);
  const Exchanged near = one("vllm", request);
  const Exchanged far = one("vllm", request, milliseconds{3});
  EXPECT_EQ(far.sent, near.sent);
  EXPECT_EQ(far.headers.user, near.sent + milliseconds{6});
  EXPECT_EQ(far.first_token.user, near.first_token.user + milliseconds{6});
  EXPECT_EQ(far.closed.kernel, near.closed.kernel + milliseconds{6});
}

TEST(VirtualTransport, ReturnsAtTheDeadlineOrJustAfterAnEnd) {
  Rig rig("vllm");
  const MonoTime idle = kStart + seconds{1};
  EXPECT_EQ(rig.transport->run_until(idle, rig.collector), idle);
  EXPECT_EQ(rig.clock.now(), idle);
  const std::string request = request_of(shape_of(), 20, 5);
  rig.transport->send(1, request);
  EXPECT_EQ(rig.transport->run_until(idle + milliseconds{1}, rig.collector),
            idle + milliseconds{1});
  const MonoTime ended = rig.transport->run_until(kStart + minutes{1}, rig.collector);
  ASSERT_EQ(rig.collector.done.size(), 1U);
  EXPECT_EQ(rig.collector.done.at(1).closed.user, ended);
  EXPECT_EQ(rig.clock.wall(), kWall + (ended - kStart));
}

TEST(VirtualTransport, ACutEndsTheRequestNowAndFreesTheEngine) {
  Rig rig("vllm", 1, microseconds{100});
  const std::string request = request_of(shape_of(), 20, 4000);
  rig.transport->send(1, request);
  rig.transport->run_until(kStart + milliseconds{200}, rig.collector);
  rig.transport->cut(1);
  rig.transport->cut(1);
  rig.transport->cut(99);
  EXPECT_TRUE(rig.collector.done.empty()) << "from run_until only";
  rig.transport->run_until(kStart + seconds{5}, rig.collector);
  const Exchanged& x = rig.collector.done.at(1);
  EXPECT_EQ(x.ending, Ending::kCutAtEnd);
  EXPECT_EQ(x.closed.user, kStart + milliseconds{200});
  EXPECT_GT(x.tokens.size(), 10U);
  EXPECT_EQ(x.output_tokens, std::nullopt);
  // An engine that still worked at it would give the next one a slower first token.
  const MonoTime idle = rig.transport->run_until(kStart + seconds{5}, rig.collector);
  const std::string next = request_of(shape_of(), 20, 1);
  rig.transport->send(2, next);
  rig.transport->run_until(kStart + seconds{6}, rig.collector);
  EXPECT_LT(rig.collector.done.at(2).first_token.user - idle, milliseconds{13});
}

TEST(VirtualTransport, ACutOnTheWayToTheEngineIsNeverServed) {
  Rig rig("vllm", 1, milliseconds{50});
  const std::string request = request_of(shape_of(), 20, 4);
  rig.transport->send(1, request);
  rig.transport->cut(1);
  EXPECT_EQ(rig.transport->run_until(kStart + seconds{5}, rig.collector), kStart);
  EXPECT_EQ(rig.collector.done.at(1).ending, Ending::kCutAtEnd);
  EXPECT_EQ(rig.collector.done.at(1).http_status, 0);
  rig.transport->run_until(kStart + seconds{5}, rig.collector);
  EXPECT_EQ(rig.collector.done.size(), 1U);
}

TEST(VirtualTransport, AFullQueueEndsInTheEnginesOwnError) {
  Rig rig("tgi");
  const std::string request = request_of(shape_of(), 500, 300);
  for (wire::Tag tag = 0; tag < 60; ++tag) rig.transport->send(tag, request);
  rig.transport->run_until(kStart + milliseconds{1}, rig.collector);
  ASSERT_EQ(rig.collector.done.size(), 27U) << "one runs and 32 wait";
  for (const auto& [tag, x] : rig.collector.done) {
    EXPECT_EQ(x.ending, Ending::kStreamError);
    EXPECT_EQ(x.detail, "in-stream error 422: Model is overloaded");
    EXPECT_EQ(x.sent, kStart);
  }
}

struct Totals {
  std::uint64_t requests = 0, tokens = 0, bytes = 0;
  Nanos latency{0};
  friend bool operator==(const Totals&, const Totals&) = default;
};

Totals load(std::string_view profile, double rate, Nanos span, std::uint64_t seed) {
  Rig rig(profile, seed, microseconds{50});
  const std::string request = request_of(shape_of(), 100, 64);
  const auto count = static_cast<wire::Tag>(rate * to_seconds(span));
  for (wire::Tag tag = 0; tag < count; ++tag) {
    const MonoTime due = kStart + from_seconds(tag / rate);
    while (rig.transport->run_until(due, rig.collector) < due) continue;
    rig.transport->send(tag, request);
  }
  while (rig.collector.done.size() < count) {
    rig.transport->run_until(rig.clock.now() + minutes{1}, rig.collector);
  }
  Totals totals;
  for (const auto& [tag, x] : rig.collector.done) {
    EXPECT_EQ(x.ending, Ending::kDone);
    ++totals.requests;
    totals.tokens += x.tokens.size();
    totals.bytes += x.bytes;
    totals.latency += x.last_token.user - x.sent;
  }
  return totals;
}

TEST(VirtualTransport, TheSameSeedGivesTheSameLoad) {
  const Totals a = load("vllm", 2.0, minutes{2}, 3);
  EXPECT_EQ(a.requests, 240U);
  EXPECT_EQ(a.tokens, 240U * 64U);
  EXPECT_EQ(a, load("vllm", 2.0, minutes{2}, 3));
  EXPECT_NE(a, load("vllm", 2.0, minutes{2}, 4));
}

}  // namespace
}  // namespace evenbench::sim
