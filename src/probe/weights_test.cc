#include "probe/weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace evenbench::probe {
namespace {

namespace fs = std::filesystem;

class Weights : public testing::Test {
 protected:
  Weights() {
    std::string name = testing::TempDir() + "weights-XXXXXX";
    root = ::mkdtemp(name.data());
  }
  ~Weights() override { fs::remove_all(root); }

  fs::path file(const std::string& name, const std::string& bytes) const {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name, std::ios::binary) << bytes;
    return root / name;
  }
  [[nodiscard]] std::string hash(const std::string& folder) const {
    return weights_identity(root / folder).hash;
  }

  fs::path root;
};

TEST_F(Weights, AreTheSameWhereverTheyLieAndWhateverLiesBesideThem) {
  file("a/model.safetensors", "weights");
  file("b/model.safetensors", "weights");
  file("b/config.json", "{}");
  EXPECT_EQ(hash("a"), hash("b"));
  EXPECT_EQ(hash("a").size(), 64U);
  EXPECT_EQ(weights_identity(root / "a").source, "sha256 of 1 file");
}

TEST_F(Weights, AreOthersWhenOneByteIs) {
  file("a/model.safetensors", "weights");
  file("b/model.safetensors", "weighty");
  EXPECT_NE(hash("a"), hash("b"));
}

TEST_F(Weights, OfSeveralFilesCountInTheOrderOfTheirNames) {
  for (const char* name : {"4", "2", "5", "1", "3"})
    file(std::string("a/") + name + ".safetensors", name);
  for (const char* name : {"1", "2", "3", "4", "5"})
    file(std::string("b/") + name + ".safetensors", name);
  for (const char* name : {"1", "2", "3", "4", "5"})
    file(std::string("c/") + name + ".safetensors", name);
  file("c/1.safetensors", "2");
  file("c/2.safetensors", "1");
  EXPECT_EQ(hash("a"), hash("b"));
  EXPECT_NE(hash("a"), hash("c"));
  EXPECT_EQ(weights_identity(root / "a").source, "sha256 of 5 files");
}

TEST_F(Weights, InTheOldFormCountWhereThereAreNoOthers) {
  file("a/pytorch_model.bin", "old");
  EXPECT_NE(hash("a"), "");
  const std::string old = hash("a");
  file("a/model.safetensors", "new");
  EXPECT_NE(hash("a"), old);
}

TEST_F(Weights, ThatAreTooManyCountBySamples) {
  std::string large(3 << 20, 'x');
  file("a/model.safetensors", large);
  const auto samples = [&] { return weights_identity(root / "a", 1024); };
  const WeightsIdentity first = samples();
  EXPECT_THAT(first.source, testing::StartsWith("sha256 of samples of 1 file, "));
  EXPECT_EQ(samples().hash, first.hash);
  large.back() = 'y';
  file("a/model.safetensors", large);
  EXPECT_NE(samples().hash, first.hash);
  file("a/model.safetensors", std::string(4 << 20, 'x'));
  EXPECT_NE(samples().hash, first.hash) << "all samples are the same, but the size is not";
}

TEST_F(Weights, ThatAreNotThereHaveNoHash) {
  EXPECT_EQ(weights_identity(root / "nowhere").hash, "");
  EXPECT_EQ(weights_identity(root).hash, "");
  file("a/model.safetensors", "");
  EXPECT_EQ(hash("a"), "");
}

TEST_F(Weights, OfOneFileAreItsBytes) {
  const fs::path one = file("x.gguf", "gguf");
  EXPECT_NE(weights_identity(one).hash, "");
  EXPECT_EQ(weights_identity(one).hash, weights_identity(file("y.gguf", "gguf")).hash);
}

}  // namespace
}  // namespace evenbench::probe
