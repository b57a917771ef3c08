#include "engine/request_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/adapter.h"
#include "wire/request.h"

namespace evenbench::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Adapter& named(std::string_view name) {
  return **adapter_named(name);
}

std::vector<std::string> all_fields() {
  wire::RequestShape shape;
  shape.continuous_usage = true;
  shape.ignore_eos = true;
  shape.min_tokens = true;
  shape.temperature = 0;
  shape.top_p = 1;
  shape.request_seed = 7;
  return wire::optional_fields(shape);
}

TEST(RequestRules, AFieldThatTensorRtLlmDoesNotKnowIsNamed) {
  const auto refused = takes_fields(named("trtllm"), {"temperature", "return_token_ids"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("TensorRT-LLM refuses"));
  EXPECT_THAT(refused.error().message, HasSubstr("\"return_token_ids\""));
}

TEST(RequestRules, EveryEngineTakesWhatEvenbenchCanAsk) {
  for (const std::string& name : adapter_names()) {
    EXPECT_TRUE(takes_fields(named(name), all_fields())) << name;
  }
}

TEST(RequestRules, EnginesThatReadOverUnknownFieldsTakeAnything) {
  EXPECT_TRUE(takes_fields(named("vllm"), {"anything"}));
}

TEST(RequestRules, TgiKeepsNoAnswerGoing) {
  EXPECT_THAT(fields_without_effect(named("tgi"), {"temperature", "ignore_eos", "min_tokens"}),
              ElementsAre(HasSubstr("TGI reads over the field \"ignore_eos\": "),
                          HasSubstr("\"min_tokens\"")));
  EXPECT_THAT(fields_without_effect(named("vllm"), all_fields()), IsEmpty());
}

TEST(RequestRules, AnExactLengthIsAskedWithFieldsThatTheEngineTakes) {
  for (const std::string& name : adapter_names()) {
    const Adapter& adapter = named(name);
    EXPECT_TRUE(takes_fields(adapter, adapter.exact_length.fields)) << name;
    EXPECT_THAT(fields_without_effect(adapter, adapter.exact_length.fields), IsEmpty()) << name;
  }
  EXPECT_THAT(named("tgi").exact_length.fields, IsEmpty());
  EXPECT_THAT(named("vllm").exact_length.fields, ElementsAre("ignore_eos", "min_tokens"));
}

TEST(RequestRules, MemoryAndCacheAreAskedInEachEnginesOwnWords) {
  EXPECT_EQ(named("vllm").cache_reset.route, "/reset_prefix_cache");
  EXPECT_THAT(named("vllm").cache_reset.needs, HasSubstr("VLLM_SERVER_DEV_MODE=1"));
  EXPECT_EQ(named("sglang").cache_reset.route, "/flush_cache");
  EXPECT_EQ(named("trtllm").cache_reset.route, "");
  EXPECT_EQ(named("trtllm").memory_knobs.at(0).base, "free after weights");
  EXPECT_EQ(named("vllm").memory_knobs.at(0).base, "total");
  EXPECT_THAT(named("openai").memory_knobs, IsEmpty());
}

}  // namespace
}  // namespace evenbench::engine
