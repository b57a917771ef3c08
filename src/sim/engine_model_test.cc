#include "sim/engine_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace evenbench::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr MonoTime kStart{seconds{100}};

Profile named(std::string_view name) {
  return profile_named(name).value();
}

// One millisecond a step and one a prefill token: instants that can be told in one's head.
Profile plain() {
  Profile p;
  p.name = "plain";
  p.max_running = 8;
  p.kv_tokens = 1600;
  p.step_token_budget = 64;
  p.step_base = milliseconds{1};
  p.per_prefill_token = milliseconds{1};
  return p;
}

struct Ask {
  SequenceId id;
  std::uint32_t prompt, output;
  Nanos at;
};

std::vector<Ask> steady(double per_second, Nanos span, std::uint32_t prompt, std::uint32_t output) {
  std::vector<Ask> asks;
  const auto n = static_cast<SequenceId>(per_second * to_seconds(span));
  for (SequenceId i = 0; i < n; ++i) {
    asks.push_back({i, prompt, output, from_seconds(static_cast<double>(i) / per_second)});
  }
  return asks;
}

// Submits in order of time, advancing `slice` by `slice` between, then until the engine is idle.
std::vector<EmittedTokens> play(EngineModel& model, const std::vector<Ask>& asks, Nanos slice) {
  std::vector<EmittedTokens> out;
  MonoTime now = kStart;
  for (const Ask& ask : asks) {
    for (; now + slice < kStart + ask.at; now += slice) model.advance(now, out);
    now = kStart + ask.at;
    model.advance(now, out);
    model.submit(ask.id, ask.prompt, ask.output, now);
  }
  while (model.next_instant()) {
    now += slice;
    model.advance(now, out);
  }
  return out;
}

bool same(const EmittedTokens& a, const EmittedTokens& b) {
  return a.id == b.id && a.at == b.at && a.count == b.count && a.total == b.total &&
         a.last == b.last;
}
bool same(const std::vector<EmittedTokens>& a, const std::vector<EmittedTokens>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return same(x, y); });
}

// Every sequence gets its tokens once, in order, `last` with the last of them and never before.
void expect_exact(const std::vector<EmittedTokens>& out, const std::vector<Ask>& asks) {
  std::map<SequenceId, std::uint32_t> total;
  std::map<SequenceId, bool> ended;
  MonoTime before = kNever;
  for (const EmittedTokens& e : out) {
    EXPECT_LE(before, e.at);
    before = e.at;
    EXPECT_GT(e.count, 0U);
    EXPECT_FALSE(ended[e.id]) << "after the last token of " << e.id;
    EXPECT_EQ(e.total, total[e.id] += e.count);
    ended[e.id] = e.last;
  }
  for (const Ask& ask : asks) {
    EXPECT_EQ(total[ask.id], ask.output) << ask.id;
    EXPECT_TRUE(ended[ask.id]) << ask.id;
  }
}

double millis_until_first(const std::vector<EmittedTokens>& out, SequenceId id, MonoTime sent) {
  const auto it =
      std::find_if(out.begin(), out.end(), [id](const EmittedTokens& e) { return e.id == id; });
  return to_millis(it->at - sent);
}

Nanos longest_gap(const std::vector<EmittedTokens>& out, SequenceId id) {
  Nanos longest{0};
  MonoTime before = kNever;
  for (const EmittedTokens& e : out) {
    if (e.id != id) continue;
    if (observed(before)) longest = std::max(longest, e.at - before);
    before = e.at;
  }
  return longest;
}

TEST(Profiles, FourNamesAreKnownAndAnUnknownOneNamesThem) {
  for (const char* name : {"vllm", "trtllm", "tgi", "sglang"}) EXPECT_EQ(named(name).name, name);
  const auto unknown = profile_named("turbo");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUsage);
  EXPECT_THAT(unknown.error().message, HasSubstr("vllm, trtllm, tgi or sglang"));
}

TEST(Profiles, HaveTheScaleOfAnEightBillionModelOnOneAccelerator) {
  for (const char* name : {"vllm", "trtllm", "tgi", "sglang"}) {
    EngineModel model(named(name), 1);
    const auto out = play(model, {{1, 512, 128, Nanos{0}}}, milliseconds{1});
    const double ttft = millis_until_first(out, 1, kStart);
    EXPECT_GT(ttft, 30.0) << name;
    EXPECT_LT(ttft, 80.0) << name;
    const double tpot = to_millis(out.back().at - out.front().at) / 127.0;
    EXPECT_GT(tpot, 6.0) << name;
    EXPECT_LT(tpot, 20.0) << name;
  }
}

TEST(Profiles, AFasterOneDividesEveryDuration) {
  const Profile twice = sped_up(named("tgi"), 2.0);
  EXPECT_EQ(twice.step_base * 2, named("tgi").step_base);
  EXPECT_EQ(twice.per_prefill_token * 2, named("tgi").per_prefill_token);
  EXPECT_EQ(twice.per_decode_sequence * 2, named("tgi").per_decode_sequence);
  EXPECT_EQ(twice.per_context_kilotoken * 2, named("tgi").per_context_kilotoken);
}

TEST(EngineModel, TimesAStepByItsParts) {
  Profile p = plain();
  p.per_decode_sequence = milliseconds{2};
  EngineModel model(p, 1);
  const auto out = play(model, {{7, 10, 3, Nanos{0}}}, seconds{1});
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[0].at, kStart + milliseconds{1 + 10});
  EXPECT_EQ(out[1].at, out[0].at + milliseconds{1 + 2});
  EXPECT_EQ(out[2].at, out[1].at + milliseconds{1 + 2});
  EXPECT_TRUE(out[2].last);
}

TEST(EngineModel, GivesEverySequenceItsTokensOnceAndInOrder) {
  for (const char* name : {"vllm", "trtllm", "tgi", "sglang"}) {
    EngineModel model(named(name), 3);
    const auto asks = steady(6.0, seconds{20}, 300, 40);
    expect_exact(play(model, asks, milliseconds{10}), asks);
    const EngineGauges gauges = model.gauges();
    EXPECT_EQ(gauges.finished, asks.size());
    EXPECT_EQ(gauges.prompt_tokens, asks.size() * 300);
    EXPECT_EQ(gauges.generation_tokens, asks.size() * 40);
    EXPECT_EQ(gauges.kv_tokens_used, 0U);
    EXPECT_EQ(gauges.running + gauges.waiting, 0U);
  }
}

TEST(EngineModel, OneLargeAdvanceIsManySmallOnes) {
  for (const char* name : {"vllm", "trtllm", "tgi", "sglang"}) {
    const auto asks = steady(10.0, seconds{5}, 400, 30);
    EngineModel large(named(name), 5);
    EngineModel small(named(name), 5);
    EXPECT_TRUE(same(play(large, asks, seconds{1000}), play(small, asks, milliseconds{1})));
  }
}

TEST(EngineModel, TheSameSeedGivesTheSameInstantsAndAnotherDoesNot) {
  const auto asks = steady(5.0, seconds{5}, 200, 20);
  const auto run = [&](std::uint64_t seed) {
    EngineModel model(named("vllm"), seed);
    return play(model, asks, seconds{1});
  };
  EXPECT_TRUE(same(run(1), run(1)));
  EXPECT_FALSE(same(run(1), run(2)));
}

TEST(EngineModel, JitterKeepsTheMeanDuration) {
  Profile p = plain();
  p.jitter = 0.3;
  EngineModel model(p, 9);
  const auto out = play(model, {{1, 1, 1500, Nanos{0}}}, seconds{1});
  EXPECT_NEAR(to_millis(out.back().at - out.front().at) / 1499.0, 1.0, 0.03);
}

TEST(EngineModel, PreemptionOfTheYoungestLosesNothing) {
  Profile p = plain();
  p.kv_tokens = 160;  // two sequences of 20 + 100 tokens cannot both end
  EngineModel model(p, 1);
  const std::vector<Ask> asks{{1, 20, 100, Nanos{0}}, {2, 20, 100, Nanos{1}}};
  const auto out = play(model, asks, milliseconds{1});
  expect_exact(out, asks);
  EXPECT_GT(model.gauges().preemptions, 0U);
  EXPECT_EQ(model.gauges().prompt_tokens, 40U) << "a recomputed prompt counts once";
  EXPECT_LE(longest_gap(out, 1), milliseconds{1 + 63}) << "the older one waits for a chunk at most";
  EXPECT_GT(longest_gap(out, 2), milliseconds{50});
}

TEST(EngineModel, AReservedAnswerIsNeverPreempted) {
  Profile p = plain();
  p.kv_tokens = 160;
  p.reserve_output = true;
  EngineModel model(p, 1);
  const std::vector<Ask> asks{{1, 20, 100, Nanos{0}}, {2, 20, 100, Nanos{1}}};
  const auto out = play(model, asks, milliseconds{1});
  expect_exact(out, asks);
  EXPECT_EQ(model.gauges().preemptions, 0U);
  const auto second = std::find_if(out.begin(), out.end(), [](const auto& e) { return e.id == 2; });
  EXPECT_TRUE(std::prev(second)->last) << "the second is let in when the first has ended";
}

TEST(EngineModel, AnAbortFreesItsCacheAndEndsItsTokens) {
  EngineModel model(plain(), 1);
  std::vector<EmittedTokens> out;
  ASSERT_TRUE(model.submit(1, 32, 100, kStart));
  ASSERT_TRUE(model.submit(2, 16, 100, kStart));
  model.advance(kStart + milliseconds{60}, out);
  const std::uint32_t both = model.gauges().kv_tokens_used;
  model.abort(1, kStart + milliseconds{60});
  EXPECT_LT(model.gauges().kv_tokens_used, both);
  EXPECT_EQ(model.gauges().running, 1U);
  model.abort(2, kStart + milliseconds{60});
  model.abort(99, kStart + milliseconds{60});
  EXPECT_EQ(model.gauges().kv_tokens_used, 0U);
  out.clear();
  model.advance(kStart + seconds{10}, out);
  EXPECT_TRUE(out.empty());
  EXPECT_FALSE(model.next_instant());
  EXPECT_EQ(model.gauges().finished, 0U);
}

TEST(EngineModel, AnAbortTakesASequenceOutOfTheQueue) {
  Profile p = plain();
  p.max_running = 1;
  EngineModel model(p, 1);
  ASSERT_TRUE(model.submit(1, 4, 4, kStart));
  ASSERT_TRUE(model.submit(2, 4, 4, kStart));
  model.abort(2, kStart);
  EXPECT_EQ(model.gauges().waiting, 0U);
  std::vector<EmittedTokens> out;
  model.advance(kStart + seconds{1}, out);
  expect_exact(out, {{1, 4, 4, Nanos{0}}});
}

TEST(EngineModel, AFullQueueRefusesAndLaterAcceptsAgain) {
  Profile p = plain();
  p.max_running = 1;
  p.max_waiting = 2;
  EngineModel model(p, 1);
  EXPECT_TRUE(model.submit(1, 4, 2, kStart));
  EXPECT_TRUE(model.submit(2, 4, 2, kStart));
  EXPECT_TRUE(model.submit(3, 4, 2, kStart));
  EXPECT_FALSE(model.submit(4, 4, 2, kStart));
  EXPECT_EQ(model.gauges().refused, 1U);
  std::vector<EmittedTokens> out;
  model.advance(kStart + seconds{1}, out);
  EXPECT_EQ(model.gauges().finished, 3U);
  EXPECT_TRUE(model.submit(5, 4, 2, kStart + seconds{1}));
}

TEST(EngineModel, ChunksBoundTheGapsOfDecodesAndWholePromptsStallThem) {
  const std::vector<Ask> asks{{1, 8, 200, Nanos{0}}, {2, 512, 4, milliseconds{30}}};
  EngineModel chunked(plain(), 1);
  const auto in_pieces = play(chunked, asks, seconds{1});
  EXPECT_LE(longest_gap(in_pieces, 1), milliseconds{1 + 64});
  Profile p = plain();
  p.chunked_prefill = false;
  EngineModel whole(p, 1);
  const auto at_once = play(whole, asks, seconds{1});
  EXPECT_GE(longest_gap(at_once, 1), milliseconds{1 + 512});
  expect_exact(in_pieces, asks);
  expect_exact(at_once, asks);
}

TEST(EngineModel, PromptsThatGoFirstStopTheDecodesButNotForEver) {
  Profile p = plain();
  p.chunked_prefill = false;
  p.prefill_first = true;
  p.max_running = 64;
  EngineModel model(p, 1);
  std::vector<Ask> asks{{0, 8, 100, Nanos{0}}};
  for (SequenceId i = 1; i < 60; ++i) {
    asks.push_back({i, 20, 40, milliseconds{static_cast<int>(i) * 15}});
  }
  const auto out = play(model, asks, seconds{1});
  expect_exact(out, asks);
  EXPECT_GE(longest_gap(out, 0), milliseconds{1 + 20}) << "a prefill step without decodes";
  EXPECT_LE(longest_gap(out, 0), milliseconds{1 + 64 + 1}) << "more than one prefill in between";
}

TEST(EngineModel, JoinsTokensIntoEventsButNeverTheFirst) {
  Profile p = plain();
  p.tokens_per_event = 4;
  EngineModel model(p, 1);
  const std::vector<Ask> asks{{1, 4, 11, Nanos{0}}};
  const auto out = play(model, asks, seconds{1});
  expect_exact(out, asks);
  std::vector<std::uint32_t> counts;
  for (const EmittedTokens& e : out) counts.push_back(e.count);
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{1, 4, 4, 2}));
}

TEST(EngineModel, BeyondItsCapacityCompletionsStayOnAPlateau) {
  std::map<std::string, double> plateau;
  for (const char* name : {"vllm", "trtllm", "tgi", "sglang"}) {
    const auto rate_at = [&](double offered) {
      EngineModel model(named(name), 1);
      std::vector<EmittedTokens> out;
      std::uint64_t before = 0;
      for (const Ask& ask : steady(offered, seconds{60}, 512, 128)) {
        const MonoTime now = kStart + ask.at;
        model.advance(now, out);
        if (ask.at < seconds{30}) before = model.gauges().finished;
        model.submit(ask.id, ask.prompt, ask.output, now);
      }
      return static_cast<double>(model.gauges().finished - before) / 30.0;
    };
    EXPECT_NEAR(rate_at(2.0), 2.0, 0.2) << name;
    plateau[name] = rate_at(24.0);
    EXPECT_GT(plateau[name], 6.0) << name;
    EXPECT_LT(plateau[name], 20.0) << name;
    EXPECT_NEAR(rate_at(36.0), plateau[name], 0.15 * plateau[name]) << name;
  }
  EXPECT_GT(plateau["trtllm"], 1.1 * plateau["vllm"]);
  EXPECT_GT(plateau["vllm"], 1.1 * plateau["tgi"]);
}

TEST(EngineModel, ASubmissionForLaterIsNotServedBeforeItsInstant) {
  EngineModel model(plain(), 1);
  std::vector<EmittedTokens> out;
  ASSERT_TRUE(model.submit(1, 4, 2, kStart));
  ASSERT_TRUE(model.submit(2, 4, 2, kStart + seconds{5}));
  model.advance(kStart + seconds{6}, out);
  ASSERT_EQ(out.size(), 4U);
  EXPECT_EQ(out[2].at, kStart + seconds{5} + milliseconds{5});
}

TEST(EngineModel, SaysWhatNeverFits) {
  const EngineModel model(plain(), 1);
  EXPECT_TRUE(model.fits(1500, 100));
  EXPECT_FALSE(model.fits(1500, 101));
}

}  // namespace
}  // namespace evenbench::sim
