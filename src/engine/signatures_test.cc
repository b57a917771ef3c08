#include "engine/signatures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "engine/adapter.h"

namespace evenbench::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Log {
  std::string engine, rule, file, text;
};

// tests/data/logs/ENGINE/RULE.log and RULE-2.log
std::vector<Log> logs() {
  std::vector<Log> out;
  const std::filesystem::path root = EVENBENCH_TEST_DATA "/logs";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".log") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string stem = entry.path().stem().string();
    out.push_back({entry.path().parent_path().filename().string(),
                   stem.substr(0, stem.find('-')),
                   entry.path().string(),
                   {std::istreambuf_iterator<char>(in), {}}});
  }
  return out;
}

std::string remedy(const std::string& engine, const std::string& log) {
  const auto known = diagnose(engine, log);
  return known ? std::string(known->remedy) : "";
}

// A consequence stands in many logs beside its cause.
bool is_consequence(std::string_view rule) {
  return rule == "cause_above" || rule == "broken_model";
}

TEST(Signatures, EveryLogGivesItsRule) {
  EXPECT_GE(logs().size(), 50U);
  for (const Log& log : logs()) {
    EXPECT_TRUE(adapter_named(log.engine)) << log.file;
    const auto known = diagnose(log.engine, log.text);
    EXPECT_EQ(known ? known->rule : "none", log.rule) << log.file;
  }
}

TEST(Signatures, AnEngineCoreThatFailedByItselfWasNotKilled) {
  const std::string failed = "ERROR [core.py:868] EngineCore encountered a fatal error.\n";
  const std::string gone =
      "WARNING [core_client.py:817] MPClient: engine core exited unexpectedly\n";
  EXPECT_EQ(diagnose("vllm", failed + gone)->rule, "cause_above");
  EXPECT_EQ(diagnose("vllm", gone)->rule, "host_memory");
}

TEST(Signatures, NoLogGivesTheRuleOfAnother) {
  for (const Log& log : logs()) {
    for (const std::string_view rule : rules_in(log.engine, log.text)) {
      // A KV cache that does not fit is told by the words behind those of the allocator.
      const bool allocator = log.rule == "context_too_long" && rule == "out_of_memory";
      EXPECT_TRUE(rule == log.rule || is_consequence(rule) || allocator)
          << log.file << ": " << rule;
    }
  }
}

TEST(Signatures, EveryComplaintHasALog) {
  const auto all = logs();
  for (const Complaint& complaint : complaints()) {
    const bool shown = std::ranges::any_of(all, [&](const Log& log) {
      return log.rule == complaint.rule && log.text.find(complaint.words) != std::string::npos &&
             (complaint.engine.empty() || complaint.engine == log.engine);
    });
    EXPECT_TRUE(shown) << complaint.rule << " of " << complaint.engine << ": " << complaint.words;
  }
}

TEST(Signatures, EveryRuleHasARemedyForEveryEngineThatCanComplainOfIt) {
  for (const Complaint& complaint : complaints()) {
    for (const std::string& engine : adapter_names()) {
      if (!complaint.engine.empty() && complaint.engine != engine) continue;
      EXPECT_FALSE(remedy(engine, std::string(complaint.words)).empty()) << complaint.words;
    }
  }
  std::set<std::string_view> rules;
  for (const Complaint& complaint : complaints()) rules.insert(complaint.rule);
  for (const LogRemedy& one : log_remedies()) EXPECT_TRUE(rules.contains(one.rule)) << one.rule;
}

TEST(Signatures, MemoryHasARemedyInTheEnginesOwnFlags) {
  const std::string log = "torch.OutOfMemoryError: CUDA out of memory";
  EXPECT_THAT(remedy("vllm", log), HasSubstr("--gpu-memory-utilization"));
  EXPECT_THAT(remedy("trtllm", log), HasSubstr("--kv_cache_free_gpu_memory_fraction"));
  EXPECT_THAT(remedy("tgi", log), HasSubstr("--cuda-memory-fraction"));
  EXPECT_THAT(remedy("sglang", log), HasSubstr("--mem-fraction-static"));
  EXPECT_THAT(remedy("llama_cpp", log), HasSubstr("-ngl"));
  EXPECT_THAT(remedy("openai", log), HasSubstr("nvidia-smi"));
}

TEST(Signatures, NameTheCauseBeforeItsConsequence) {
  EXPECT_EQ(diagnose("llama_cpp", "error loading model\nbind: Address already in use")->rule,
            "port_taken");
  EXPECT_EQ(diagnose("vllm", "EngineCore failed to start.\nCUDA out of memory")->rule,
            "out_of_memory");
}

TEST(Signatures, AnEnginesWordsAreNotReadInAnothersLog) {
  EXPECT_FALSE(diagnose("vllm", "Error: ShardCannotStart"));
  EXPECT_TRUE(diagnose("tgi", "Error: ShardCannotStart"));
}

TEST(Signatures, SayNothingOfWhatTheyDoNotKnow) {
  EXPECT_FALSE(diagnose("vllm", "all is well"));
  EXPECT_EQ(explained("vllm", "", false), "");
}

TEST(Signatures, AnEngineThatSomebodyKilledWasMostOftenKilledForMemory) {
  EXPECT_THAT(explained("vllm", "loading weights", true), StartsWith("; host_memory: "));
  EXPECT_THAT(explained("vllm", "CUDA out of memory", true), StartsWith("; out_of_memory: "));
}

}  // namespace
}  // namespace evenbench::engine
