#include "cli/request_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Spec spec_of(const std::string& engine) {
  Spec spec;
  spec.systems.resize(1);
  spec.systems[0].name = "mine";
  spec.systems[0].engine = engine;
  spec.request.ignore_eos = true;
  return spec;
}

TEST(RequestShape, CheckSaysWhichFieldsDoNothing) {
  const auto text = print_fields(spec_of("tgi"));
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("warning: mine: TGI reads over the field \"ignore_eos\""));
  EXPECT_EQ(*print_fields(spec_of("vllm")), "");
  EXPECT_EQ(*print_fields(spec_of("trtllm")), "");
}

TEST(RequestShape, TheModelThatAnEngineWantsIsSentUnlessTheSpecNamesOne) {
  Spec spec = spec_of("tgi");
  const auto shape = [&] {
    return shape_of(spec, spec.systems[0], **engine::adapter_named("tgi"));
  };
  EXPECT_EQ(shape().model, "tgi");
  spec.systems[0].model_name = "my-lora";
  EXPECT_EQ(shape().model, "my-lora");
}

}  // namespace
}  // namespace evenbench::cli
