#include "engine/signatures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::engine {
namespace {

using ::testing::HasSubstr;

TEST(Signatures, KnowTheComplaintsOfRealEngines) {
  EXPECT_THAT(remedy_for("OSError: [Errno 98] Address already in use"), HasSubstr("another port"));
  EXPECT_THAT(remedy_for("torch.OutOfMemoryError: CUDA out of memory. Tried to"),
              HasSubstr("free memory"));
  EXPECT_THAT(remedy_for("llama_model_load: error loading model: failed to open GGUF file"),
              HasSubstr("model.path"));
  EXPECT_THAT(remedy_for("vllm: error: unrecognized arguments: --nope"), HasSubstr("--help"));
}

TEST(Signatures, NameTheCauseBeforeItsConsequence) {
  EXPECT_THAT(remedy_for("error loading model\nbind: Address already in use"),
              HasSubstr("another port"));
}

TEST(Signatures, SayNothingOfWhatTheyDoNotKnow) {
  EXPECT_EQ(remedy_for("all is well"), "");
  EXPECT_EQ(remedy_for(""), "");
}

}  // namespace
}  // namespace evenbench::engine
