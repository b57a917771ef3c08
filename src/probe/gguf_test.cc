#include "probe/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>

namespace evenbench::probe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

template <typename T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
std::string text(const std::string& value) {
  return raw(std::uint64_t{value.size()}) + value;
}
std::string key(const std::string& name, std::uint32_t type) {
  return text(name) + raw(type);
}

std::string sample() {
  return "GGUF" + raw(std::uint32_t{3}) + raw(std::uint64_t{0}) + raw(std::uint64_t{6}) +
         key("general.architecture", 8) + text("llama") +                          //
         key("general.tags", 9) + raw(std::uint32_t{8}) + raw(std::uint64_t{2}) +  //
         text("a") + text("bc") +                                                  //
         key("llama.block_count", 4) + raw(std::uint32_t{30}) +                    //
         key("tokenizer.ggml.scores", 9) + raw(std::uint32_t{6}) + raw(std::uint64_t{2}) +
         raw(1.0F) + raw(2.0F) +                                 //
         key("general.file_type", 4) + raw(std::uint32_t{15}) +  //
         key("general.quantization_version", 4) + raw(std::uint32_t{2});
}

std::vector<std::pair<std::string, std::string>> facts_of(const std::string& bytes) {
  std::istringstream in(bytes);
  return gguf_facts(in);
}

TEST(Gguf, GivesItsGeneralFacts) {
  EXPECT_THAT(
      facts_of(sample()),
      ElementsAre(Pair("gguf.version", "3"), Pair("general.architecture", "llama"),
                  Pair("general.file_type", "Q4_K_M"), Pair("general.quantization_version", "2")));
}

TEST(Gguf, ShowsAFileTypeItDoesNotKnowAsANumber) {
  const std::string bytes = "GGUF" + raw(std::uint32_t{2}) + raw(std::uint64_t{0}) +
                            raw(std::uint64_t{1}) + key("general.file_type", 4) +
                            raw(std::uint32_t{999});
  EXPECT_THAT(facts_of(bytes),
              ElementsAre(Pair("gguf.version", "2"), Pair("general.file_type", "999")));
}

TEST(Gguf, IsNotAnyOtherFile) {
  EXPECT_THAT(facts_of(""), IsEmpty());
  EXPECT_THAT(facts_of("GGU"), IsEmpty());
  EXPECT_THAT(facts_of("{\"a\":1}"), IsEmpty());
  EXPECT_THAT(facts_of("GGUF" + raw(std::uint32_t{1})), IsEmpty());
}

TEST(Gguf, BearsACutAnywhere) {
  const std::string whole = sample();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_LE(facts_of(whole.substr(0, size)).size(), 4U) << size;
}

TEST(Gguf, BearsAByteThatIsWrongAnywhere) {
  const std::string whole = sample();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] = '\xff';
    EXPECT_LE(facts_of(broken).size(), 5U) << at;
  }
}

}  // namespace
}  // namespace evenbench::probe
