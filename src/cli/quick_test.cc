#include "cli/quick.h"

#include <gtest/gtest.h>

#include <limits>

#include "cli/spec_print.h"
#include "cli/spec_yaml.h"

namespace evenbench::cli {
namespace {

using namespace std::chrono_literals;

QuickArgs one_url() {
  QuickArgs args;
  args.urls = {"http://127.0.0.1:8000"};
  return args;
}

std::string refusal(const QuickArgs& args) {
  const auto spec = quick_spec(args);
  return spec ? "accepted" : spec.error().message;
}

TEST(Quick, WithoutALoadOneRequestPerSecondIsMeasuredForHalfAMinute) {
  const Spec spec = quick_spec(one_url()).value();
  ASSERT_EQ(spec.steps.size(), 1U);
  EXPECT_DOUBLE_EQ(spec.steps[0].rate.per_second(), 1.0);
  EXPECT_EQ(spec.steps[0].measure, 30s);
  EXPECT_EQ(spec.systems[0].engine, "openai");
  EXPECT_TRUE(spec.probe);
}

TEST(Quick, AServerBehindAUnixSocketIsCalledByItsPath) {
  QuickArgs args;
  args.urls = {"unix:/run/a.sock", "unix:/run/b.sock", "unix:/run/a.sock"};
  const Spec spec = quick_spec(args).value();
  EXPECT_EQ(spec.systems[0].name, "unix:/run/a.sock");
  EXPECT_EQ(spec.systems[1].name, "unix:/run/b.sock");
  EXPECT_EQ(spec.systems[2].name, "unix:/run/a.sock (2)");
}

TEST(Quick, RatesAreRungsAndConcurrenciesAreClosedLoops) {
  auto args = one_url();
  args.rates = {2, 4};
  args.concurrency = {8};
  args.requests = 40;
  args.arrivals = "gamma:0.5";
  const Spec spec = quick_spec(args).value();
  ASSERT_EQ(spec.steps.size(), 3U);
  EXPECT_EQ(spec.steps[0].kind, load::StepKind::kLadder);
  EXPECT_DOUBLE_EQ(spec.steps[1].arrivals.shape, 0.5);
  EXPECT_EQ(spec.steps[2].kind, load::StepKind::kClosed);
  for (const auto& step : spec.steps) EXPECT_EQ(step.requests, 40U);
}

TEST(Quick, WhatCannotBeIsRefusedInWords) {
  auto args = one_url();
  args.requests = 5;
  args.duration_s = 5;
  EXPECT_EQ(refusal(args), "--requests and --duration exclude each other");
  args = one_url();
  args.rates = {-1};
  EXPECT_EQ(refusal(args), "--rate must be from 1e-06 to 1e+06, not -1");
  args = one_url();
  args.arrivals = "uniform";
  EXPECT_NE(refusal(args).find("poisson"), std::string::npos);
  args = one_url();
  args.urls = {"ftp://x"};
  EXPECT_NE(refusal(args).find("http"), std::string::npos);
  args = one_url();
  args.headers = {"no colon"};
  EXPECT_NE(refusal(args).find("Name: value"), std::string::npos);
  args.headers = {"A: b\r\nC: d"};
  EXPECT_NE(refusal(args).find("Name: value"), std::string::npos);
}

TEST(Quick, EveryNumberHasTheBoundsOfASpec) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto with = [](auto change) {
    auto args = one_url();
    change(args);
    return refusal(args);
  };
  for (const double bad : {0.0, -5.0, kNan, kInfinity, 1e300}) {
    EXPECT_TRUE(with([&](auto& a) { a.duration_s = bad; }).starts_with("--duration must")) << bad;
    EXPECT_TRUE(with([&](auto& a) { a.rates = {bad}; }).starts_with("--rate must")) << bad;
  }
  for (const double bad : {-1.0, kNan, kInfinity}) {
    EXPECT_TRUE(with([&](auto& a) { a.timeout_s = bad; }).starts_with("--timeout must"));
    EXPECT_TRUE(with([&](auto& a) { a.warmup_s = bad; }).starts_with("--warmup must"));
    EXPECT_TRUE(with([&](auto& a) { a.retry_wait_s = bad; }).starts_with("--retry-wait must"));
  }
  EXPECT_TRUE(with([](auto& a) { a.requests = 0; }).starts_with("--requests must"));
  EXPECT_TRUE(with([](auto& a) { a.retries = 4'000'000'000; }).starts_with("--retries must"));
  EXPECT_TRUE(with([](auto& a) { a.seed = UINT64_MAX; }).starts_with("--seed must"));
  EXPECT_TRUE(with([](auto& a) { a.concurrency = {0}; }).starts_with("--concurrency must"));
  EXPECT_TRUE(with([](auto& a) { a.input_tokens = 0; }).starts_with("--input-tokens must"));
}

TEST(Quick, TheSameServerTwiceIsTwoSystems) {
  auto args = one_url();
  args.urls.push_back(args.urls[0]);
  const Spec spec = quick_spec(args).value();
  EXPECT_NE(spec.systems[0].name, spec.systems[1].name);
}

TEST(Quick, NothingThatIsZeroComesBackAsADefault) {
  auto args = one_url();
  args.output_tokens = 0;
  args.retries = 1;
  args.retry_wait_s = 0;
  Spec spec = quick_spec(args).value();
  spec.limits.connect = spec.start_timeout = spec.stop_grace = 0s;
  const auto again = parse_spec(print_spec(spec), "printed.yaml");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->workload.output.fixed, 0);
  EXPECT_EQ(again->limits.connect, 0s);
  EXPECT_EQ(again->start_timeout, 0s);
  EXPECT_EQ(again->retries.wait, 0s);
}

TEST(Quick, WithoutAProbeTheModelMustBeNamed) {
  auto args = one_url();
  args.no_probe = true;
  EXPECT_NE(refusal(args).find("--model"), std::string::npos);
  args.model = "m";
  EXPECT_EQ(refusal(args), "accepted");
}

TEST(Quick, WhatItAsksForIsAWholeSpec) {
  auto args = one_url();
  args.concurrency = {3};
  args.key_env = "KEY";
  args.headers = {"X-Team: a"};
  args.timeout_s = 30;
  args.insecure = true;
  const std::string printed = print_spec(quick_spec(args).value());
  const auto again = parse_spec(printed, "printed.yaml");
  ASSERT_TRUE(again) << again.error().message << "\n" << printed;
  EXPECT_EQ(print_spec(*again), printed);
}

}  // namespace
}  // namespace evenbench::cli
