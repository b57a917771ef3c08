#include "engine/docker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace evenbench::engine {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

LaunchRequest in_container(const std::string& model = "/models/m") {
  LaunchRequest request;
  request.model_path = model;
  request.port = 8001;
  request.container.image = "the/image:1";
  request.container.name = "evenbench-run-1-it";
  return request;
}

std::vector<std::string> argv_of(const std::string& engine, const LaunchRequest& request) {
  return launch_command(**adapter_named(engine), request).value().argv;
}

// What stands behind the image: the engine's own words.
std::vector<std::string> inside_of(const std::string& engine, const LaunchRequest& request) {
  const auto argv = argv_of(engine, request);
  const auto image = std::ranges::find(argv, request.container.image);
  EXPECT_NE(image, argv.end());
  return {image + 1, argv.end()};
}

// The word behind `option`; "" where it does not stand.
std::string value_of(const std::vector<std::string>& argv, const std::string& option) {
  const auto found = std::ranges::find(argv, option);
  return found == argv.end() || found + 1 == argv.end() ? "" : *(found + 1);
}

TEST(Docker, TheWholeCommandLineOfALaunch) {
  LaunchRequest request = in_container();
  request.served_name = "mine";
  request.dtype = "bfloat16";
  request.args = {"--max-model-len", "2048"};
  request.container.gpus = {1};
  request.container.options = {"--cpuset-cpus", "0-7"};
  EXPECT_THAT(
      argv_of("vllm", request),
      ElementsAre("docker", "run", "--name", "evenbench-run-1-it", "--gpus", "device=1",
                  "--entrypoint", "vllm", "--ipc", "host", "--publish", "127.0.0.1:8001:8001",
                  "--volume", "/models/m:/model:ro", "--cpuset-cpus", "0-7", "the/image:1", "serve",
                  "/model", "--host", "0.0.0.0", "--port", "8001", "--served-model-name", "mine",
                  "--dtype", "bfloat16", "--max-model-len", "2048"));
}

TEST(Docker, TheEntrypointsOfTheImagesStandForTheFirstWords) {
  EXPECT_EQ(value_of(argv_of("vllm", in_container()), "--entrypoint"), "vllm");
  EXPECT_EQ(inside_of("vllm", in_container())[0], "serve");
  EXPECT_EQ(inside_of("trtllm", in_container())[0], "trtllm-serve");
  EXPECT_EQ(inside_of("tgi", in_container())[0], "--model-id");
  EXPECT_EQ(inside_of("sglang", in_container())[0], "python3");
  EXPECT_EQ(inside_of("llama_cpp", in_container("/models/a.gguf"))[0], "-m");
}

TEST(Docker, EachEngineGetsWhatItsImageNeeds) {
  const auto options = [](const std::string& engine, const std::string& model = "/models/m") {
    const auto argv = argv_of(engine, in_container(model));
    const auto gpus = std::ranges::find(argv, "--gpus");
    const auto publish = std::ranges::find(argv, "--publish");
    return std::vector<std::string>(gpus + 2, publish);
  };
  EXPECT_THAT(options("vllm"), ElementsAre("--entrypoint", "vllm", "--ipc", "host"));
  EXPECT_THAT(options("trtllm"),
              ElementsAre("--ipc", "host", "--ulimit", "memlock=-1", "--ulimit", "stack=67108864"));
  EXPECT_THAT(options("tgi"), ElementsAre("--shm-size", "1g"));
  EXPECT_THAT(options("sglang"), ElementsAre("--ipc", "host"));
  EXPECT_THAT(options("llama_cpp", "/models/a.gguf"), IsEmpty());
}

TEST(Docker, AProgramOfThisMachineIsNotLookedForInTheImage) {
  LaunchRequest request = in_container();
  request.native = "/opt/trtllm/bin/trtllm-serve";
  EXPECT_EQ(inside_of("trtllm", request)[0], "trtllm-serve");
}

TEST(Docker, AValueOfTheEnvironmentIsNeverOnTheCommandLine) {
  LaunchRequest request = in_container();
  request.env = {{"HF_TOKEN", "hf_secret"}, {"PREFIX_CACHING", "0"}};
  const auto command = launch_command(**adapter_named("tgi"), request);
  ASSERT_TRUE(command);
  for (const std::string& word : command->argv) EXPECT_THAT(word, Not(HasSubstr("hf_secret")));
  EXPECT_EQ(value_of(command->argv, "--env"), "HF_TOKEN");
  EXPECT_THAT(command->argv, Contains("PREFIX_CACHING"));
  EXPECT_EQ(command->env, request.env);  // of `docker run`, which passes them on by name
}

TEST(Docker, AFileOfWeightsIsFoundInItsMountedFolder) {
  const LaunchRequest request = in_container("/models/q4/a.gguf");
  EXPECT_EQ(value_of(argv_of("llama_cpp", request), "--volume"), "/models/q4:/model:ro");
  EXPECT_EQ(value_of(inside_of("llama_cpp", request), "-m"), "/model/a.gguf");
}

TEST(Docker, ARelativeFolderIsMountedByItsWholePath) {
  const auto here = std::filesystem::current_path().string();
  EXPECT_EQ(value_of(argv_of("vllm", in_container("./m")), "--volume"), here + "/m:/model:ro");
}

TEST(Docker, ABuiltEngineIsMountedBesideItsModelAndNeitherCanBeWritten) {
  LaunchRequest request = in_container();
  request.engine_folder = "/cache/key/engine";
  const auto argv = argv_of("trtllm", request);
  EXPECT_THAT(argv, Contains("/models/m:/model:ro"));
  EXPECT_THAT(argv, Contains("/cache/key/engine:/engine:ro"));
  EXPECT_THAT(inside_of("trtllm", request),
              ElementsAre("trtllm-serve", "/engine", "--host", "0.0.0.0", "--port", "8001",
                          "--tokenizer", "/model"));
}

TEST(Docker, ANameOfAModelHubIsNotMounted) {
  const LaunchRequest request = in_container("meta-llama/Llama-3.1-8B");
  EXPECT_THAT(argv_of("vllm", request), Not(Contains("--volume")));
  EXPECT_EQ(inside_of("vllm", request)[1], "meta-llama/Llama-3.1-8B");
}

TEST(Docker, SeveralGpusNeedQuotesOfTheirOwn) {
  LaunchRequest request = in_container();
  EXPECT_EQ(value_of(argv_of("vllm", request), "--gpus"), "all");
  request.container.gpus = {0, 2};
  EXPECT_EQ(value_of(argv_of("vllm", request), "--gpus"), "\"device=0,2\"");
}

TEST(Docker, TheContainerIsRemovedByItsNameWhateverBecomesOfTheLaunch) {
  const auto command = launch_command(**adapter_named("vllm"), in_container());
  ASSERT_TRUE(command);
  EXPECT_THAT(command->afterwards, ElementsAre("docker", "rm", "--force", "evenbench-run-1-it"));
}

TEST(Docker, WithoutAnImageALaunchIsTheEnginesOwn) {
  LaunchRequest request = in_container();
  request.container = {};
  request.env = {{"A", "b"}};
  const auto command = launch_command(**adapter_named("vllm"), request);
  ASSERT_TRUE(command);
  EXPECT_EQ(command->argv[0], "vllm");
  EXPECT_EQ(command->env, request.env);
  EXPECT_THAT(command->afterwards, IsEmpty());
}

TEST(Docker, ArgumentsCannotMoveTheEngineFromItsPortInThere) {
  LaunchRequest request = in_container();
  request.args = {"--port", "9"};
  EXPECT_FALSE(launch_command(**adapter_named("vllm"), request));
}

TEST(Docker, OptionsCannotUndoWhatTheLaunchReliesOn) {
  for (const char* option : {"--name=x", "-d", "--detach", "--rm", "-p", "--publish", "--gpus",
                             "-e", "--env=HF_TOKEN=hf_secret", "-eHF_TOKEN=hf_secret", "-p80:80",
                             "--env-file", "--entrypoint"}) {
    LaunchRequest request = in_container();
    request.container.options = {"--init", option};
    const auto command = launch_command(**adapter_named("vllm"), request);
    ASSERT_FALSE(command) << option;
    EXPECT_THAT(command.error().message, HasSubstr("is set by evenbench itself"));
    EXPECT_THAT(command.error().message, Not(HasSubstr("hf_secret")));
  }
}

TEST(Docker, AContainersNameHasOnlyBytesThatDockerTakes) {
  EXPECT_EQ(container_name("evenbench-2026 run/\xC3\xA9-a_b.c"), "evenbench-2026-run----a_b.c");
}

}  // namespace
}  // namespace evenbench::engine
