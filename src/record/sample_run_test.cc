#include "record/sample_run.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <array>
#include <optional>
#include <string_view>

#include "base/check.h"

namespace evenbench::record {
namespace {

// Texts that a careless writer or reader would break.
constexpr std::array<std::string_view, 7> kTexts = {
    "",
    "plain",
    "line\nbreak \"quoted\", with comma",
    "坏 — ünïcode 🙂",
    "'); DROP TABLE run; --",
    std::string_view("nul\0inside", 10),
    "{\"key\": {\"value\": null, \"source\": \"test\"}}"};

std::string draw_text(Rng& rng) {
  return std::string(kTexts.at(rng.below(kTexts.size())));
}
std::uint32_t draw_u32(Rng& rng) {
  return static_cast<std::uint32_t>(rng.bits() >> (32 + rng.below(32)));
}
bool one_of_four(Rng& rng) {
  return rng.below(4) == 0;
}
std::optional<std::uint32_t> draw_maybe(Rng& rng) {
  if (one_of_four(rng)) return std::nullopt;
  return draw_u32(rng);
}
// Around the anchor, before it too, sometimes exactly at it.
MonoTime draw_time(Rng& rng) {
  switch (rng.below(8)) {
    case 0:
    case 1:
      return kNever;
    case 2:
      return kSampleAnchor;
    default:
      return kSampleAnchor + Nanos{static_cast<std::int64_t>(rng.bits() >> (24 + rng.below(36)))} -
             Nanos{1'000'000};
  }
}
Stamp draw_stamp(Rng& rng) {
  return {draw_time(rng), draw_time(rng)};
}

std::string text(std::string_view value) {
  return fmt::format("{}:{}", value.size(), value);
}
template <std::integral T>
std::string text(T value) {
  return fmt::format("{}", value);
}
template <typename E>
requires std::is_enum_v<E> std::string text(E value) {
  return std::string(name_of(value));
}
std::string text(double value) {
  return fmt::format("{:a}", value);
}
std::string text(Nanos span) {
  return text(span.count());
}
std::string text(MonoTime t) {
  return observed(t) ? text(t.time_since_epoch().count()) : "never";
}
std::string text(WallTime t) {
  return text(t.time_since_epoch().count());
}
std::string text(const Stamp& stamp) {
  return text(stamp.user) + "/" + text(stamp.kernel);
}
std::string text(const TransportHealth& h);
template <typename T>
std::string text(const std::optional<T>& value) {
  return value ? text(*value) : "absent";
}
std::string text(const TransportHealth& h) {
  const auto& [reads, stamped, p50, p99, max, queue, zero, sent, resent, opened, open, errors,
               files, move, clock_error] = h;
  std::string all;
  const auto add = [&all](const auto&... part) { ((all += text(part) + "|"), ...); };
  add(reads, stamped, p50, p99, max, queue, zero, sent, resent, opened, open, errors, files, move,
      clock_error);
  return all;
}
std::string text(const TokenEvents& events) {
  std::string all = text(events.size());
  for (const auto& [at, tokens, merged] : events) {
    all += "[" + text(at) + " " + text(tokens) + " " + text(merged) + "]";
  }
  return all;
}
std::string text(const Exchanged& e) {
  const auto& [ending, detail, status, streamed, connect_started, connected, sent, headers,
               first_event, first_token, first_content, last_token, closed, tokens, prompt_tokens,
               cached, reasoning, output, source, finish, done, attempts, refusals, reopened,
               retry_after, bytes, reads, merged, words] = e;
  (void)retry_after;  // not kept in the run file
  std::string all;
  const auto add = [&all](const auto&... part) { ((all += text(part) + "|"), ...); };
  add(ending, detail, status, streamed, connect_started, connected, sent, headers, first_event,
      first_token, first_content, last_token, closed, tokens, prompt_tokens, cached, reasoning,
      output, source, finish, done, attempts, refusals, reopened, bytes, reads, merged, words);
  return all;
}

template <typename... Parts>
std::string line(const Parts&... parts) {
  std::string all;
  ((all += text(parts) + "|"), ...);
  return all;
}

}  // namespace

RunRow sample_run() {
  RunRow run;
  run.title = "Llama 对比 \"A\"";
  run.tool_version = "0.1.0";
  run.spec_sha256 = std::string(64, 'a');
  run.spec_yaml = "evenbench: 1\ntitle: Llama\n";
  run.seed = 0xfedcba9876543210U;  // above 2^63
  run.anchor = kSampleAnchor;
  run.started = WallTime{Nanos{1'796'042'765'000'000'001}};
  run.host_json = R"({"cpu": {"value": "test", "source": "sample"}})";
  return run;
}

SystemRow sample_system(std::int64_t id, Rng& rng) {
  return {id, draw_text(rng), draw_text(rng), rng.below(2) == 1, draw_text(rng)};
}

VisitRow sample_visit(std::int64_t id, Rng& rng) {
  return {id,
          static_cast<std::int64_t>(rng.below(9)),
          static_cast<int>(rng.below(9)),
          draw_time(rng),
          draw_time(rng),
          draw_time(rng),
          draw_text(rng),
          draw_text(rng),
          draw_text(rng),
          draw_text(rng)};
}

StepRow sample_step(std::int64_t id, Rng& rng) {
  return {id,
          static_cast<std::int64_t>(rng.below(9)),
          static_cast<int>(rng.below(9)),
          draw_text(rng),
          one_of_four(rng) ? std::nullopt : std::optional(rng.uniform() * 100),
          draw_maybe(rng),
          draw_text(rng),
          draw_time(rng),
          draw_time(rng),
          draw_time(rng),
          draw_time(rng),
          draw_u32(rng),
          draw_u32(rng),
          rng.below(2) == 1,
          draw_text(rng),
          draw_text(rng)};
}

WorkerHealthRow sample_health(std::int64_t step, std::uint32_t worker, Rng& rng) {
  const auto span = [&rng] { return Nanos{static_cast<std::int64_t>(rng.bits() >> 20)}; };
  const auto maybe = [&](auto draw) {
    return one_of_four(rng) ? std::nullopt : std::optional(draw());
  };
  const auto number = [&rng] { return rng.bits() >> rng.below(40); };
  const auto transport = [&] {
    return TransportHealth{number(), number(), maybe(span),   maybe(span),   maybe(span),
                           number(), number(), maybe(number), maybe(number), number(),
                           number(), number(), maybe(number), span(),        maybe(span)};
  };
  return {step,
          worker,
          span(),
          span(),
          span(),
          span(),
          maybe(number),
          maybe([&rng] { return rng.uniform(); }),
          maybe(transport),
          rng.below(2) == 1,
          maybe([&rng] { return static_cast<int>(rng.below(40)) - 20; }),
          draw_text(rng)};
}

FindingRow sample_finding(const std::string& code, Rng& rng) {
  return {"step", static_cast<std::int64_t>(rng.below(9)), "warning", code, draw_text(rng)};
}

TokenEvents sample_tokens(Rng& rng) {
  TokenEvents events(rng.below(40));
  MonoTime at = kSampleAnchor;
  for (TokenEvent& event : events) {
    at += Nanos{static_cast<std::int64_t>(rng.bits() >> (30 + rng.below(30)))};
    event.at.user = one_of_four(rng) ? draw_time(rng) : at;
    event.at.kernel = one_of_four(rng) ? draw_time(rng) : at - Nanos{rng.below(50'000)};
    event.tokens = one_of_four(rng) ? draw_u32(rng) : 1;
    event.merged = one_of_four(rng);
  }
  return events;
}

RequestRow sample_request(std::int64_t step, std::uint32_t index, Rng& rng) {
  RequestRow row{step,          index,          static_cast<Phase>(rng.below(3)),
                 draw_u32(rng), draw_time(rng), rng.bits(),
                 draw_u32(rng), draw_u32(rng),  {}};
  Exchanged& e = row.exchanged;
  e.ending = static_cast<Ending>(rng.below(kEndingCount));
  e.source = static_cast<TokenSource>(rng.below(kTokenSourceCount));
  for (std::string* s : {&e.detail, &e.finish_reason, &e.text}) *s = draw_text(rng);
  e.http_status = static_cast<int>(rng.below(600));
  for (bool* b : {&e.streamed, &e.done_mark, &e.reopened}) *b = rng.below(2) == 1;
  for (MonoTime* t : {&e.connect_started, &e.connected, &e.sent}) *t = draw_time(rng);
  for (Stamp* s :
       {&e.headers, &e.first_event, &e.first_token, &e.first_content, &e.last_token, &e.closed}) {
    *s = draw_stamp(rng);
  }
  e.tokens = sample_tokens(rng);
  for (auto* n : {&e.prompt_tokens, &e.cached_tokens, &e.reasoning_tokens, &e.output_tokens}) {
    *n = draw_maybe(rng);
  }
  for (std::uint32_t* n : {&e.attempts, &e.refusals, &e.reads, &e.merged_reads}) *n = draw_u32(rng);
  e.bytes = rng.bits();
  return row;
}

std::string text_of(const RunRow& row) {
  const auto& [title, version, sha, yaml, seed, anchor, started, stamp, host] = row;
  return line(title, version, sha, yaml, seed, anchor, started, stamp, host);
}
std::string text_of(const SystemRow& row) {
  const auto& [id, name, engine, simulated, url] = row;
  return line(id, name, engine, simulated, url);
}
std::string text_of(const VisitRow& row) {
  const auto& [id, system, block, started, ready, stopped, version, command, manifest, note] = row;
  return line(id, system, block, started, ready, stopped, version, command, manifest, note);
}
std::string text_of(const StepRow& row) {
  const auto& [id, visit, ordinal, kind, rate, concurrency, arrivals, begin, window_begin,
               window_end, end, planned, max_in_flight, finished, note, options] = row;
  return line(id, visit, ordinal, kind, rate, concurrency, arrivals, begin, window_begin,
              window_end, end, planned, max_in_flight, finished, note, options);
}
std::string text_of(const WorkerHealthRow& row) {
  const auto& [step, worker, wall, cpu, wait, stall, stalls, peak, transport, realtime, nice,
               extra] = row;
  return line(step, worker, wall, cpu, wait, stall, stalls, peak, transport, realtime, nice, extra);
}
std::string text_of(const FindingRow& row) {
  const auto& [scope, scope_id, severity, code, words] = row;
  return line(scope, scope_id, severity, code, words);
}
std::string text_of(const SettingRow& row) {
  const auto& [visit, key, requested, effective, source] = row;
  return line(visit, key, requested, effective, source);
}
std::string text_of(const GpuRow& row) {
  const auto& [visit, gpu, uuid, name, source, facts, total, idle, ready, peak, after] = row;
  return line(visit, gpu, uuid, name, source, facts, total, idle, ready, peak, after);
}
std::string text_of(const GpuSampleRow& row) {
  const auto& [visit, gpu, at, used, engine, busy, memory, power, heat, sm, clock, throttle] = row;
  return line(visit, gpu, at, used, engine, busy, memory, power, heat, sm, clock, throttle);
}
std::string text_of(const EngineSampleRow& row) {
  const auto& [visit, step, at, moment, metric, series, value] = row;
  return line(visit, step, at, moment, metric, series, value);
}
std::string text_of(const AgreementRow& row) {
  const auto& [visit, prompt, repeat, ending, detail, words, input, output] = row;
  return line(visit, prompt, repeat, ending, detail, words, input, output);
}
std::string text_of(const RequestRow& row) {
  const auto& [step, index, phase, worker, planned, prompt, input, output, exchanged] = row;
  return line(step, index, phase, worker, planned, prompt, input, output, exchanged);
}

TempFolder::TempFolder() {
  // In memory where that is to be had: an fsync on a busy disk would be most of the tests' time.
  std::error_code none;
  const std::filesystem::path memory = "/dev/shm";
  const auto parent =
      std::filesystem::is_directory(memory, none) ? memory : std::filesystem::temp_directory_path();
  std::string name = (parent / "evenbench-record-XXXXXX").string();
  EVENBENCH_CHECK(::mkdtemp(name.data()) != nullptr, "no temporary folder {}", name);
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace evenbench::record
