// What it costs to understand a stream, beside what it costs only to look at its bytes.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "wire/exchange.h"
#include "wire/sse_scanner.h"

namespace evenbench {
namespace {

constexpr int kTokens = 256;

std::string event(int i) {
  return fmt::format(
      R"(data: {{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",)"
      R"("choices":[{{"index":0,"delta":{{"content":"word{}"}},"logprobs":null,"finish_reason":null}}]}})"
      "\n\n",
      i);
}

// A response in the pieces in which it is read: one event each, as a server sends them.
std::vector<std::string> pieces() {
  std::vector<std::string> out = {
      "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"};
  for (int i = 0; i < kTokens; ++i) {
    const std::string body = event(i);
    out.push_back(fmt::format("{:x}\r\n{}\r\n", body.size(), body));
  }
  out.emplace_back("e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");
  return out;
}

void look_at_bytes(benchmark::State& state) {
  const auto response = pieces();
  for (auto _ : state) {
    for (const auto& piece : response) {
      benchmark::DoNotOptimize(std::count(piece.begin(), piece.end(), '\n'));
    }
  }
  state.SetItemsProcessed(state.iterations() * kTokens);
}
BENCHMARK(look_at_bytes);

void find_events(benchmark::State& state) {
  const auto response = pieces();
  wire::SseScanner scanner;
  std::size_t bytes = 0;
  const wire::SseScanner::OnEvent count = [&](std::string_view data) { bytes += data.size(); };
  for (auto _ : state) {
    scanner.reset();
    for (std::size_t i = 1; i + 1 < response.size(); ++i) {
      benchmark::DoNotOptimize(scanner.feed(response[i], count));
    }
  }
  benchmark::DoNotOptimize(bytes);
  state.SetItemsProcessed(state.iterations() * kTokens);
}
BENCHMARK(find_events);

void understand_stream(benchmark::State& state) {
  const auto response = pieces();
  wire::Exchange exchange;
  const Stamp now{MonoTime{Nanos{1}}, kNever};
  for (auto _ : state) {
    exchange.begin(true, false);
    for (const auto& piece : response) exchange.on_bytes(piece, now);
    benchmark::DoNotOptimize(exchange.take());
  }
  state.SetItemsProcessed(state.iterations() * kTokens);
}
BENCHMARK(understand_stream);

}  // namespace
}  // namespace evenbench

BENCHMARK_MAIN();
