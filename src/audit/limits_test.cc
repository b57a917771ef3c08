#include "audit/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::audit {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Settings = std::map<std::string, Stated>;

PlanNeeds needs() {
  PlanNeeds out;
  out.longest_input = 3000;
  out.longest_request = 3500;
  out.most_at_once = 100;
  return out;
}

LimitFinding only(const std::vector<LimitFinding>& findings) {
  EXPECT_THAT(findings, SizeIs(1));
  return findings.size() == 1 ? findings[0] : LimitFinding{};
}

TEST(Limits, OfWhichNothingIsKnownGiveNothing) {
  EXPECT_THAT(check_limits(needs(), "vllm", {}), IsEmpty());
  EXPECT_THAT(check_limits(needs(), "vllm", {{"max_model_len", {"", "", ""}}}), IsEmpty());
  EXPECT_THAT(check_limits(needs(), "vllm", {{"max_queued", {"", "none", ""}}}), IsEmpty());
}

TEST(Limits, AContextThatIsTooSmallIsAnErrorWithTheEnginesOwnFlag) {
  const auto at = [](std::string_view engine, const char* length) {
    return check_limits(needs(), engine, {{"max_model_len", {"", length, "/v1/models"}}});
  };
  EXPECT_THAT(at("vllm", "3500"), IsEmpty());
  const LimitFinding found = only(at("vllm", "3499"));
  EXPECT_EQ(found.severity, "error");
  EXPECT_EQ(found.code, "plan_over_context");
  EXPECT_THAT(found.text, HasSubstr("up to 3500 tokens (input and output) are planned and the "
                                    "engine takes 3499"));
  EXPECT_THAT(found.text, HasSubstr("raise --max-model-len"));
  EXPECT_THAT(only(at("trtllm", "1")).text, HasSubstr("--max_seq_len"));
  EXPECT_THAT(only(at("tgi", "1")).text, HasSubstr("--max-total-tokens"));
  EXPECT_THAT(only(at("sglang", "1")).text, HasSubstr("--context-length"));
  EXPECT_THAT(only(at("openai", "1")).text, HasSubstr("raise the limit"));
}

TEST(Limits, AContextFarTooLargeIsANote) {
  const auto at = [](const char* length) {
    return check_limits(needs(), "vllm", {{"max_model_len", {"", length, ""}}});
  };
  EXPECT_THAT(at("14000"), IsEmpty());
  EXPECT_EQ(only(at("14001")).code, "context_far_over_plan");
  EXPECT_EQ(only(at("14001")).severity, "note");
}

TEST(Limits, ACacheThatCannotHoldOneRequestIsAnError) {
  EXPECT_THAT(check_limits(needs(), "vllm", {{"kv_cache_tokens", {"", "3500", ""}}}), IsEmpty());
  EXPECT_THAT(only(check_limits(needs(), "vllm", {{"kv_cache_tokens", {"", "3499", ""}}})).text,
              HasSubstr("--gpu-memory-utilization"));
}

TEST(Limits, APromptOverThePrefillBudgetMattersOnlyWithoutChunks) {
  const auto at = [](const char* budget, const char* chunked) {
    return check_limits(
        needs(), "trtllm",
        {{"prefill_budget", {"", budget, ""}}, {"chunked_prefill", {"", chunked, ""}}});
  };
  EXPECT_THAT(at("2999", "on"), IsEmpty());
  EXPECT_THAT(at("3000", "off"), IsEmpty());
  EXPECT_THAT(only(at("2999", "off")).text,
              HasSubstr("raise --max_num_tokens or set --enable_chunked_prefill"));
}

TEST(Limits, TgisConcurrentRequestsNeedAFifthToSpare) {
  const auto at = [](const char* limit) {
    return check_limits(needs(), "tgi", {{"concurrent_limit", {"", limit, "/info"}}});
  };
  EXPECT_THAT(at("120"), IsEmpty());
  EXPECT_THAT(only(at("119")).text, HasSubstr("set --max-concurrent-requests 120"));
}

TEST(Limits, MoreAtOnceThanRunWaitAndOverTheQueueAreRefused) {
  EXPECT_THAT(check_limits(needs(), "vllm", {{"max_running", {"", "100", ""}}}), IsEmpty());
  const LimitFinding waits = only(check_limits(needs(), "vllm", {{"max_running", {"", "99", ""}}}));
  EXPECT_EQ(waits.severity, "warning");
  EXPECT_THAT(waits.text, HasSubstr("raise --max-num-seqs"));
  const Settings queue{{"max_running", {"", "64", ""}}, {"max_queued", {"", "35", ""}}};
  const LimitFinding refused = only(check_limits(needs(), "sglang", queue));
  EXPECT_EQ(refused.severity, "error");
  EXPECT_THAT(refused.text, HasSubstr("runs 64 and lets 35 wait"));
  EXPECT_THAT(refused.text, HasSubstr("raise --max-queued-requests"));
}

TEST(Limits, OfAnOpenLoopSayHowSlowAnswersMayBecome) {
  PlanNeeds open = needs();
  open.most_at_once = 0;
  open.highest_rate = 16;
  EXPECT_THAT(only(check_limits(open, "tgi", {{"concurrent_limit", {"", "128", ""}}})).text,
              HasSubstr("at 16 requests/s the server's 128 at once are reached when answers take "
                        "8.0 s"));
  open.highest_rate = 4;
  EXPECT_THAT(check_limits(open, "tgi", {{"concurrent_limit", {"", "128", ""}}}), IsEmpty());
}

TEST(Limits, ATtftLimitNearTheRoundTripIsAWarning) {
  PlanNeeds near = needs();
  near.tightest_slo = milliseconds{500};
  near.round_trip = milliseconds{50};
  EXPECT_THAT(check_limits(near, "openai", {}), IsEmpty());
  near.round_trip = milliseconds{51};
  EXPECT_EQ(only(check_limits(near, "openai", {})).code, "slo_near_round_trip");
}

}  // namespace
}  // namespace evenbench::audit
