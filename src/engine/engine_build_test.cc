#include "engine/engine_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace evenbench::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Adapter& trtllm() {
  return **adapter_named("trtllm");
}

BuildRequest request() {
  BuildRequest out;
  out.convert = {"python3", "convert.py", "--model_dir", "{model}", "--output_dir={checkpoint}"};
  out.args = {"--max_batch_size", "64"};
  out.launch.model_path = "/models/m";
  return out;
}

BuildRequest in_container() {
  BuildRequest out = request();
  out.launch.container.image = "the/image:1";
  out.launch.container.name = "evenbench-run-1-it";
  out.launch.container.gpus = {1};
  out.launch.env = {{"TLLM_LOG_LEVEL", "INFO"}};
  return out;
}

std::vector<std::vector<std::string>> lines(const BuildRequest& request) {
  std::vector<std::vector<std::string>> out;
  for (const auto& command : build_commands(trtllm(), request, "/cache/k").value())
    out.push_back(command.launch.argv);
  return out;
}

std::string refusal(const BuildRequest& request) {
  const auto can = check_build(trtllm(), request);
  if (can) return "accepted";
  EXPECT_EQ(can.error().code, ErrorCode::kUsage);
  return can.error().message;
}

TEST(EngineBuild, TheModelIsConvertedAndTheCheckpointIsBuilt) {
  EXPECT_THAT(
      lines(request()),
      ElementsAre(ElementsAre("python3", "convert.py", "--model_dir", "/models/m",
                              "--output_dir=/cache/k/checkpoint"),
                  ElementsAre("trtllm-build", "--checkpoint_dir", "/cache/k/checkpoint",
                              "--output_dir", "/cache/k/engine", "--max_batch_size", "64")));
}

TEST(EngineBuild, AModelThatIsACheckpointIsBuiltAsItIs) {
  BuildRequest checkpoint = request();
  checkpoint.convert.clear();
  EXPECT_THAT(lines(checkpoint), ElementsAre(ElementsAre(
                                     "trtllm-build", "--checkpoint_dir", "/models/m",
                                     "--output_dir", "/cache/k/engine", "--max_batch_size", "64")));
}

TEST(EngineBuild, InAContainerTheModelCannotBeWrittenAndTheBuildCan) {
  EXPECT_THAT(
      lines(in_container()),
      ElementsAre(
          ElementsAre("docker", "run", "--name", "evenbench-run-1-it-convert", "--gpus", "device=1",
                      "--ipc", "host", "--ulimit", "memlock=-1", "--ulimit", "stack=67108864",
                      "--env", "TLLM_LOG_LEVEL", "--volume", "/models/m:/model:ro", "--volume",
                      "/cache/k:/build", "the/image:1", "python3", "convert.py", "--model_dir",
                      "/model", "--output_dir=/build/checkpoint"),
          ElementsAre("docker", "run", "--name", "evenbench-run-1-it-build", "--gpus", "device=1",
                      "--ipc", "host", "--ulimit", "memlock=-1", "--ulimit", "stack=67108864",
                      "--env", "TLLM_LOG_LEVEL", "--volume", "/models/m:/model:ro", "--volume",
                      "/cache/k:/build", "the/image:1", "trtllm-build", "--checkpoint_dir",
                      "/build/checkpoint", "--output_dir", "/build/engine", "--max_batch_size",
                      "64")));
}

TEST(EngineBuild, AContainerOfABuildIsRemovedByItsNameAndGetsValuesByName) {
  const auto commands = build_commands(trtllm(), in_container(), "/cache/k").value();
  EXPECT_THAT(commands[1].launch.afterwards,
              ElementsAre("docker", "rm", "--force", "evenbench-run-1-it-build"));
  EXPECT_EQ(commands[1].launch.env, in_container().launch.env);
}

TEST(EngineBuild, TheBuildProgramIsTheOneBesideTheServerOrTheOneThatIsNamed) {
  BuildRequest native = request();
  native.launch.native = "/opt/trtllm/bin/trtllm-serve";
  EXPECT_EQ(build_program(trtllm(), native), "/opt/trtllm/bin/trtllm-build");
  native.launch.native = "trtllm-serve";
  EXPECT_EQ(build_program(trtllm(), native), "trtllm-build");
  native.program = "/other/trtllm-build";
  native.launch.native = "/opt/trtllm/bin/trtllm-serve";
  EXPECT_EQ(build_program(trtllm(), native), "/other/trtllm-build");
}

TEST(EngineBuild, MessagesNameTheProgramThatRunsNotDocker) {
  const auto commands = build_commands(trtllm(), in_container(), "/cache/k").value();
  EXPECT_EQ(commands[0].what, "build.convert (python3)");
  EXPECT_EQ(commands[1].what, "trtllm-build");
}

TEST(EngineBuild, FoldersThatEvenbenchSetsAreRefusedInEveryForm) {
  for (const char* word :
       {"--output_dir", "--output_dir=/x", "--checkpoint_dir", "--checkpoint", "--out"}) {
    BuildRequest with = request();
    with.args = {word, "/x"};
    EXPECT_THAT(refusal(with), HasSubstr("is set by evenbench itself")) << word;
  }
  BuildRequest with = request();
  with.args = {"--output_timing_cache", "/x", "--", "-o"};
  EXPECT_EQ(refusal(with), "accepted");
}

TEST(EngineBuild, AConversionMustSayWhereBothFoldersGo) {
  for (const char* missing : {"{model}", "{checkpoint}"}) {
    BuildRequest with = request();
    std::erase_if(with.convert,
                  [&](const std::string& word) { return word.find(missing) != word.npos; });
    EXPECT_THAT(refusal(with), HasSubstr("{model} and {checkpoint}")) << missing;
  }
}

TEST(EngineBuild, ANameOfAModelHubCannotBeBuilt) {
  BuildRequest hub = request();
  hub.launch.model_path = "org/model";
  EXPECT_THAT(refusal(hub), HasSubstr("must be a folder of this machine"));
  EXPECT_FALSE(build_commands(trtllm(), hub, "/cache/k"));
}

TEST(EngineBuild, AnEngineWithoutABuildStepRefusesOne) {
  const auto can = check_build(**adapter_named("vllm"), request());
  ASSERT_FALSE(can);
  EXPECT_EQ(can.error().code, ErrorCode::kUsage);
}

TEST(EngineBuild, EverythingThatMayChangeTheEngineChangesItsIdentity) {
  using Change = std::function<void(BuildRequest&, BuildGrounds&)>;
  const std::vector<Change> changes{
      [](auto&, auto&) {},
      [](auto& r, auto&) { r.convert.push_back("--use_fp8"); },
      [](auto& r, auto&) { r.convert.clear(); },
      [](auto& r, auto&) {
        r.args = {"--max_batch_size", "65"};
      },
      [](auto& r, auto&) { r.args = {"--max_batch_size 64"}; },
      [](auto& r, auto&) { r.program = "/opt/trtllm-build"; },
      [](auto& r, auto&) { r.launch.container.image = "the/image:2"; },
      [](auto& r, auto&) {
        r.launch.container.options = {"--volume", "/a:/b"};
      },
      [](auto&, auto& g) { g.weights = "other"; },
      [](auto&, auto& g) { g.tools = "tensorrt_llm 0.20.0"; },
      [](auto&, auto& g) { g.hardware = "H100"; },
      [](auto&, auto& g) {
        g.env = {{"A", "1"}};
      },
      [](auto&, auto& g) {
        g.env = {{"A", "2"}};
      },
  };
  std::set<std::string> seen;
  for (const Change& change : changes) {
    BuildRequest changed = request();
    BuildGrounds grounds{"w", "t", "A100", {}};
    change(changed, grounds);
    seen.insert(build_identity(trtllm(), changed, grounds));
  }
  EXPECT_EQ(seen.size(), changes.size());
}

TEST(EngineBuild, WhereTheModelLiesAndHowAContainerIsCalledDoNotChangeItsIdentity) {
  const BuildGrounds grounds{"w", "t", "A100", {}};
  BuildRequest moved = in_container();
  moved.launch.model_path = "/elsewhere/m";
  moved.launch.container.name = "evenbench-other-2-it";
  moved.launch.container.gpus = {3};
  moved.launch.port = 9;
  moved.launch.args = {"--max_num_tokens", "9"};  // of the server
  EXPECT_EQ(build_identity(trtllm(), moved, grounds),
            build_identity(trtllm(), in_container(), grounds));
}

TEST(EngineBuild, AWordThatIsNoUtf8HasAnIdentityToo) {
  BuildRequest odd = request();
  odd.args = {"\xff"};
  EXPECT_FALSE(build_identity(trtllm(), odd, {}).empty());
}

}  // namespace
}  // namespace evenbench::engine
