#include "cli/model_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "probe/sha256.h"

namespace evenbench::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ModelFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("model_terms_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] ModelTerms terms() const { return read_model_terms(folder_.string(), "", ""); }
  fs::path folder_;
};

TEST_F(ModelFolder, SaysWhatItsFilesSay) {
  file("config.json", R"({"dtype":"bfloat16"})");
  file("model.safetensors", "weights");
  file("tokenizer_config.json", R"({"chat_template":"{{ x }}"})");
  file("generation_config.json", R"({"temperature":0.6,"top_k":20,"eos_token_id":2})");
  const ModelTerms out = terms();
  EXPECT_EQ(out.files.at("model_dtype"), "bfloat16");
  EXPECT_EQ(out.files.at("converter"), "none");
  EXPECT_EQ(out.files.at("chat_template_hash"), probe::sha256_of_text("{{ x }}"));
  EXPECT_EQ(out.files.at("weights_hash").size(), 64U);
  EXPECT_EQ(out.generation_config,
            (std::map<std::string, std::string>{{"temperature", "0.6"}, {"top_k", "20"}}));
}

TEST_F(ModelFolder, ATemplateOfItsOwnFileComesFirst) {
  file("tokenizer_config.json", R"({"chat_template":"old"})");
  file("chat_template.jinja", "new");
  EXPECT_EQ(terms().files.at("chat_template_hash"), probe::sha256_of_text("new"));
}

TEST_F(ModelFolder, ItsQuantizerIsNamed) {
  file(
      "config.json",
      R"({"quantization_config":{"quant_method":"modelopt","producer":{"name":"modelopt","version":"0.17"}}})");
  EXPECT_EQ(terms().files.at("converter"), "modelopt 0.17");
}

TEST_F(ModelFolder, ConvertedWeightsAreThoseTheyWereMadeOf) {
  file("model.safetensors", "weights");
  file("tokenizer.json", "{}");
  file("m.gguf", "GGUF, of a kind");
  const ModelTerms converted =
      read_model_terms((folder_ / "m.gguf").string(), folder_.string(), "convert 1");
  EXPECT_EQ(converted.files.at("weights_hash"), terms().files.at("weights_hash"));
  EXPECT_EQ(converted.files.at("sha256.tokenizer.json"), terms().files.at("sha256.tokenizer.json"));
  EXPECT_EQ(converted.files.at("converter"), "convert 1");
  EXPECT_THAT(converted.weights_source, HasSubstr("converted from"));
  EXPECT_NE(read_model_terms((folder_ / "m.gguf").string(), "", "").files.at("weights_hash"),
            terms().files.at("weights_hash"));
}

TEST(ModelTerms, WithoutFilesHereNothingIsKnown) {
  EXPECT_THAT(read_model_terms("org/model", "", "").files, IsEmpty());
  EXPECT_THAT(read_model_terms("", "", "").files, IsEmpty());
}

TEST(ModelTerms, ASnapshotFolderNamesItsCommit) {
  const std::string commit(40, 'a');
  EXPECT_EQ(revision_in("/hub/models--o--m/snapshots/" + commit + "/"), commit);
  EXPECT_EQ(revision_in("/hub/snapshots/latest/"), "");
  EXPECT_EQ(revision_in("/models/m/"), "");
}

}  // namespace
}  // namespace evenbench::cli
