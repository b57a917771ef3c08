#include "cli/visit_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/launch.h"

namespace evenbench::cli {
namespace {

using ::testing::HasSubstr;

Spec spec_with_build() {
  Spec spec;
  spec.model.path = "/models/m";
  SystemSpec system;
  system.name = "trt";
  system.engine = "trtllm";
  system.launched = true;
  system.port = 8001;
  system.build = BuildSpec{};
  system.build->args = {"--gemm_plugin", "auto"};
  system.build->cache = "/cache";
  spec.systems.push_back(system);
  return spec;
}

TEST(VisitBuild, TheEngineThatIsServedIsTheOneThatIsBuilt) {
  const Spec spec = spec_with_build();
  const auto planned = planned_build(spec, spec.systems[0], "RUN", "KEY");
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->engine, "/cache/KEY/engine");
  ASSERT_EQ(planned->commands.size(), 1U);
  EXPECT_EQ(shown(planned->commands[0].launch.argv),
            "trtllm-build --checkpoint_dir /models/m --output_dir /cache/KEY/engine --gemm_plugin "
            "auto");
}

TEST(VisitBuild, CheckPrintsTheBuildBehindTheLaunchThatUsesIt) {
  EXPECT_EQ(print_launches(spec_with_build()).value(),
            "launches\n"
            "  trt: trtllm-serve /cache/KEY/engine --host 127.0.0.1 --port 8001 --tokenizer "
            "/models/m\n"
            "    its engine is built first, unless it is in the cache, by\n"
            "      trtllm-build --checkpoint_dir /models/m --output_dir /cache/KEY/engine "
            "--gemm_plugin auto\n");
}

TEST(VisitBuild, ASystemWithoutABuildHasNoEngineOfItsOwn) {
  Spec spec = spec_with_build();
  spec.systems[0].build.reset();
  const auto planned = planned_build(spec, spec.systems[0], "RUN", "KEY");
  ASSERT_TRUE(planned);
  EXPECT_TRUE(planned->engine.empty());
  EXPECT_TRUE(planned->commands.empty());
  EXPECT_EQ(print_launches(spec).value(),
            "launches\n  trt: trtllm-serve /models/m --host 127.0.0.1 --port 8001\n");
}

TEST(VisitBuild, ARefusedWordNamesTheSystem) {
  Spec spec = spec_with_build();
  spec.systems[0].build->args = {"--output_dir", "/x"};
  const auto planned = planned_build(spec, spec.systems[0], "RUN", "KEY");
  ASSERT_FALSE(planned);
  EXPECT_EQ(planned.error().code, ErrorCode::kUsage);
  EXPECT_THAT(planned.error().message, HasSubstr("trt: build.args: --output_dir"));
}

TEST(VisitBuild, AKindOfGpuIsThatOfTheGpusThatAreUsed) {
  constexpr std::string_view kCsv =
      "0, NVIDIA A100-SXM4-80GB\n1, NVIDIA H200 \r\n10, Tesla T4\nFailed to initialize\n";
  EXPECT_EQ(gpu_names(kCsv, {}), "NVIDIA A100-SXM4-80GB, NVIDIA H200, Tesla T4");
  EXPECT_EQ(gpu_names(kCsv, {1}), "NVIDIA H200");
  EXPECT_EQ(gpu_names(kCsv, {10, 0}), "NVIDIA A100-SXM4-80GB, Tesla T4");
  EXPECT_EQ(gpu_names(kCsv, {7}), "");
  EXPECT_EQ(gpu_names("", {}), "");
}

}  // namespace
}  // namespace evenbench::cli
