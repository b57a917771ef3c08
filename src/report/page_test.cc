#include "report/page.h"

#include <gmock/gmock.h>

#include <regex>

#include "report/report.h"
#include "report/testing/golden.h"
#include "report/testing/sample_run.h"

namespace evenbench::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Without what esbuild makes, whose bytes change with its version.
std::string bare(const judge::JudgedRun& run) {
  return page_of(run,
                 {.frame = built_in_assets().frame, .style = "", .script = "", .licences = ""});
}

std::string data_of(const std::string& page) {
  const std::string open = R"(<script type="application/json" id="run-data">)";
  const std::size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

std::string without_data(std::string page) {
  const std::string data = data_of(page);
  return page.replace(page.find(data), data.size(), "");
}

TEST(Page, TheSampleRunIsAsInTheGoldenFile) {
  testing::expect_golden("report.html", without_data(bare(testing::sample_run())));
}

TEST(Page, ReadsWithoutJavaScript) {
  const std::string page = without_data(bare(testing::sample_run()));
  for (const char* text : {"Highest rate held", "SATURATED", "Answers were 3 % shorter than asked",
                           "Fewer requests were completed than asked.", "HTTP 503", "unbounded",
                           "evenbench simulate --port 8001", "server default"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
}

TEST(Page, SaysSimulatedWhereverASimulatedSystemIsNamed) {
  const std::string page = without_data(bare(testing::sample_run()));
  EXPECT_THAT(page, HasSubstr("<title>A small model on one machine (simulated)"));
  EXPECT_THAT(page, Not(HasSubstr("south</th>")));
  judge::JudgedRun real = testing::sample_run();
  real.systems.pop_back();
  EXPECT_THAT(without_data(bare(real)), Not(HasSubstr("class=\"sim\"")));
}

TEST(Page, HostileTextIsNeverMarkup) {
  const std::string hostile = "</script><script>alert(1)</script><img src=x onerror=y>{{script}}";
  const std::string page = bare(testing::run_full_of(hostile));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(without_data(page), HasSubstr("{{script}}"));
  const auto data = nlohmann::json::parse(data_of(page));
  EXPECT_EQ(data["summary"]["run"]["title"], hostile);
}

TEST(Page, AsksNoOtherMachineForAnything) {
  const PageAssets assets = built_in_assets();
  const std::string page = without_data(bare(testing::sample_run()));
  const std::regex loads(R"re(\b(src|href|srcset|action|poster|data)\s*=\s*"?[^#"])re");
  EXPECT_FALSE(std::regex_search(page, loads));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_EQ(assets.style.find("url("), std::string_view::npos);
  EXPECT_EQ(assets.style.find("@import"), std::string_view::npos);
}

TEST(Page, HoldsItsScriptStyleAndLicences) {
  const PageAssets assets = built_in_assets();
  const std::string page = html(testing::sample_run());
  EXPECT_GT(assets.script.size(), 300000u);
  EXPECT_EQ(assets.script.find("</script"), std::string_view::npos);
  EXPECT_THAT(page, HasSubstr(std::string(assets.style)));
  for (const char* text : {"Apache License", "zrender", "tslib"}) {
    EXPECT_NE(assets.licences.find(text), std::string_view::npos) << text;
  }
}

TEST(Page, ARunThatNeverBeganIsAPageToo) {
  const std::string page = bare(testing::empty_run());
  EXPECT_THAT(page, HasSubstr("the port of the first system was taken"));
  EXPECT_THAT(page, HasSubstr("No step was measured."));
  EXPECT_THAT(page, HasSubstr("No request was sent."));
}

TEST(Page, O38a_ARunOfFailuresIsAPageWithItsMessage) {
  const std::string page = bare(testing::failed_run());
  EXPECT_THAT(page, HasSubstr("HTTP 500: bad, &quot;very&quot; bad\n坏"));
  EXPECT_THAT(page, HasSubstr("3 of 3 requests failed."));
}

TEST(ChartDetails, LongStepsAreBinnedAndNumbersShortened) {
  judge::JudgedRun run = testing::empty_run();
  run.systems.resize(1);
  judge::JudgedStep& step = run.systems[0].steps.emplace_back();
  for (int i = 0; i < 3600; ++i) step.series.sent_per_s.push_back(i % 2);
  step.ttft_cdf_ms = {123.456789, 0.0123456, 57653.44, 0};
  const auto details = chart_details(run)[0][0];
  EXPECT_EQ(details["series"]["bin_s"], 9);
  EXPECT_EQ(details["series"]["sent_per_s"].size(), 400u);
  EXPECT_EQ(details["series"]["in_flight"].size(), 0u);
  EXPECT_EQ(details["cdf"]["ttft"].dump(), "[123.5,0.01235,57650.0,0]");
}

}  // namespace
}  // namespace evenbench::report
