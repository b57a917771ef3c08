#include "probe/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "probe/host_files.h"

namespace evenbench::probe {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

class Folder : public ::testing::Test {
 protected:
  Folder() : root_(fs::temp_directory_path() / ("evenbench-probe-" + std::to_string(::getpid()))) {
    fs::create_directories(root_);
  }
  ~Folder() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    const fs::path file = root_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  // The value of a fact; "absent" when it is not there.
  static std::string value_of(const std::vector<HostFact>& facts, const std::string& key) {
    for (const HostFact& fact : facts)
      if (fact.key == key) return fact.value;
    return "absent";
  }

  fs::path root_;
};

using HostFacts = Folder;
using ModelFacts = Folder;

TEST_F(HostFacts, AreReadFromTheirFiles) {
  write("proc/cpuinfo", "processor\t: 0\nmodel name\t: A CPU @ 2 GHz: fast\nmodel name\t: other\n");
  write("proc/meminfo", "MemTotal:       25165824 kB\nMemFree: 1 kB\n");
  write("proc/sys/kernel/osrelease", "6.1.0-13\n");
  write("etc/os-release", "NAME=x\nPRETTY_NAME=\"Some Linux 12\"\n");
  write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-1\n");
  const auto facts = facts_below(root_);
  EXPECT_EQ(value_of(facts, "cpu_model"), "A CPU @ 2 GHz: fast");
  EXPECT_EQ(value_of(facts, "memory"), "24.0 GiB");
  EXPECT_EQ(value_of(facts, "kernel"), "6.1.0-13");
  EXPECT_EQ(value_of(facts, "os"), "Some Linux 12");
  EXPECT_EQ(value_of(facts, "clock_source"), "tsc");
  EXPECT_EQ(value_of(facts, "cpu_governor"), "performance");
  EXPECT_EQ(value_of(facts, "cpus_allowed"), "0-1");
  EXPECT_EQ(value_of(facts, "cpu_limit"), "absent");
}

TEST_F(HostFacts, TakeTheTightestCpuLimitOnTheWayUp) {
  write("proc/self/cgroup", "1:name=x:/y\n0::/a/b\n");
  write("sys/fs/cgroup/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  write("sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
  EXPECT_EQ(value_of(facts_below(root_), "cpu_limit"), "1.5 cores");
}

TEST_F(HostFacts, KnowTheOldCpuLimit) {
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(value_of(facts_below(root_), "cpu_limit"), "2 cores");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(value_of(facts_below(root_), "cpu_limit"), "absent");
}

TEST_F(HostFacts, ThatCannotBeReadAreAbsent) {
  EXPECT_THAT(facts_below(root_), IsEmpty());
}

TEST_F(HostFacts, OfThisMachineNameTheirSource) {
  const auto facts = host_facts();
  EXPECT_NE(value_of(facts, "kernel"), "absent");
  EXPECT_NE(value_of(facts, "cores"), "absent");
  EXPECT_NE(value_of(facts, "open_file_limit"), "absent");
  for (const HostFact& fact : facts) EXPECT_FALSE(fact.source.empty()) << fact.key;
}

TEST_F(ModelFacts, OfAFolderComeFromItsConfigAndItsFiles) {
  write("config.json",
        R"({"architectures":["LlamaForCausalLM"],"torch_dtype":"bfloat16",)"
        R"("vocab_size":32000,"quantization_config":{"quant_method":"awq","bits":4}})");
  write("tokenizer.json", "abc");
  write("model-1.safetensors", "1234");
  write("model-2.safetensors", "56");
  write("model.safetensors.index.json", "abc");
  const auto facts = model_facts(root_.string());
  EXPECT_EQ(value_of(facts, "model_path"), root_.string());
  EXPECT_EQ(value_of(facts, "architectures"), "LlamaForCausalLM");
  EXPECT_EQ(value_of(facts, "model_dtype"), "bfloat16");
  EXPECT_EQ(value_of(facts, "quantization"), "awq");
  EXPECT_EQ(value_of(facts, "quantization_bits"), "4");
  EXPECT_EQ(value_of(facts, "vocab_size"), "32000");
  EXPECT_EQ(value_of(facts, "weights"), "6 bytes in 2 file(s)");
  const std::string abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  EXPECT_EQ(value_of(facts, "sha256.tokenizer.json"), abc);
  EXPECT_EQ(value_of(facts, "sha256.model.safetensors.index.json"), abc);
  EXPECT_EQ(value_of(facts, "sha256.config.json").size(), 64U);
}

TEST_F(ModelFacts, SayThatNothingIsQuantized) {
  write("config.json", R"({"dtype":"float16","torch_dtype":"x"})");
  write("model.safetensors", "abc");
  const auto facts = model_facts(root_.string());
  EXPECT_EQ(value_of(facts, "model_dtype"), "float16");
  EXPECT_EQ(value_of(facts, "quantization"), "none");
  EXPECT_NE(value_of(facts, "sha256.model.safetensors"), "absent");
  EXPECT_EQ(value_of(facts, "sha256.tokenizer.json"), "absent");
}

TEST_F(ModelFacts, OfABrokenConfigAreOnlyWhatIsCertain) {
  write("config.json", "{broken");
  const auto facts = model_facts(root_.string());
  EXPECT_EQ(value_of(facts, "quantization"), "absent");
  EXPECT_EQ(value_of(facts, "sha256.config.json").size(), 64U);
}

TEST_F(ModelFacts, OfASingleFileAreItsHash) {
  write("x.gguf", "abc");
  const auto facts = model_facts((root_ / "x.gguf").string());
  EXPECT_EQ(value_of(facts, "sha256.x.gguf"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(value_of(facts, "weights"), "3 bytes in 1 file(s)");
}

TEST_F(ModelFacts, OfAModelThatIsNotHereAreNone) {
  EXPECT_THAT(model_facts("org/model-7b"), IsEmpty());
  EXPECT_THAT(model_facts(""), IsEmpty());
}

}  // namespace
}  // namespace evenbench::probe
