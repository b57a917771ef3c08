// How many finished requests of 100 tokens a second go through the writer to disk, beside what the
// coding of their token instants alone takes.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "record/token_blob.h"
#include "record/writer.h"

namespace evenbench::record {
namespace {

constexpr std::uint32_t kTokens = 100;
constexpr std::uint32_t kRequests = 20'000;
constexpr MonoTime kAnchor{std::chrono::hours{1}};

MonoTime at(Nanos offset) {
  return kAnchor + offset;
}

// Tokens 20 ms apart, each with both stamps, none exactly on time.
RequestRow request(std::uint32_t index) {
  RequestRow row;
  row.step_id = 1;
  row.index = index;
  row.planned = at(std::chrono::microseconds{200} * index);
  row.input_asked = row.output_asked = kTokens;
  Exchanged& e = row.exchanged;
  e.ending = Ending::kDone;
  e.http_status = 200;
  e.streamed = e.done_mark = true;
  e.sent = row.planned + std::chrono::microseconds{12};
  Nanos since = std::chrono::milliseconds{50};
  for (std::uint32_t i = 0; i < kTokens; ++i) {
    const MonoTime kernel = e.sent + since + Nanos{(index * 7919 + i * 104'729) % 9973};
    e.tokens.push_back({.at = {kernel + Nanos{24'000 + i}, kernel}, .tokens = 1, .merged = false});
    since += std::chrono::milliseconds{20};
  }
  e.headers = e.first_event = e.first_token = e.first_content = e.tokens.front().at;
  e.last_token = e.closed = e.tokens.back().at;
  e.prompt_tokens = e.output_tokens = kTokens;
  e.source = TokenSource::kUsage;
  e.finish_reason = "length";
  e.bytes = 20'000;
  e.reads = kTokens;
  return row;
}

void encode_only(benchmark::State& state) {
  const RequestRow row = request(1);
  const Anchor anchor(kAnchor);
  std::string blob;
  for (auto _ : state) {
    encode_token_events(row.exchanged.tokens, anchor, blob);
    benchmark::DoNotOptimize(blob.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(encode_only);

void write_requests(benchmark::State& state) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("evenbench-record-bench-{}", ::getpid());
  RunRow run;
  run.anchor = kAnchor;
  StepRow step;
  step.id = step.visit_id = 1;
  for (auto _ : state) {
    state.PauseTiming();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    auto writer = Writer::create(folder / "run.sqlite", run, 1);
    if (!writer) return state.SkipWithError(writer.error().message.c_str());
    (*writer)->put(SystemRow{.id = 1, .name = "a"});
    (*writer)->put(VisitRow{.id = 1, .system_id = 1});
    (*writer)->put(step);
    state.ResumeTiming();
    for (std::uint32_t i = 0; i < kRequests; ++i) (*writer)->lane(0).add(request(i));
    (*writer)->flush();
    state.PauseTiming();
    const auto whole = (*writer)->finish(true, "");
    if (!whole) return state.SkipWithError(whole.error().message.c_str());
    state.ResumeTiming();
  }
  std::filesystem::remove_all(folder);
  state.SetItemsProcessed(state.iterations() * kRequests);
}
// The work is the writer's thread's: only the clock on the wall sees it.
BENCHMARK(write_requests)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace evenbench::record

BENCHMARK_MAIN();
