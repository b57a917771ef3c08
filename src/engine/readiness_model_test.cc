// Which model is measured: what the spec says against what the server lists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/readiness_machine.h"
#include "engine/testing/readiness_bench.h"

namespace evenbench::engine {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::good;
using ::testing::HasSubstr;
using ReadinessModel = testing::ReadinessBench;
using What = Ask::What;

TEST_F(ReadinessModel, O49_AServerOfAnotherModelIsNotMeasured) {
  options_.shape.model = "mine";
  launched();
  answers(200);
  answers(200, R"({"data":[{"id":"other"},{"id":"more"}]})");
  EXPECT_THAT(error(), AllOf(HasSubstr("\"mine\""), HasSubstr("other, more"),
                             HasSubstr("http://h:1/v1/models")));
}

TEST_F(ReadinessModel, OfSeveralModelsOneMustBeNamed) {
  answers(200);
  answers(200, R"({"data":[{"id":"a"},{"id":"b"}]})");
  EXPECT_THAT(error(), HasSubstr("lists a, b"));
}

TEST_F(ReadinessModel, AServerWithoutAHealthRouteOrAListIsStillProbed) {
  options_.shape.model = "mine";
  answers(404);
  answers(404);
  EXPECT_EQ(next().path, "/version");
  answers(404);
  EXPECT_EQ(next().what, What::kProbe);
  probes(good());
  const Ready ready = machine().take_ready();
  EXPECT_EQ(ready.engine_version, "");
  EXPECT_THAT(ready.notes, ElementsAre(HasSubstr("/health"), HasSubstr("not checked")));
}

TEST_F(ReadinessModel, WithoutAListAndANameThereIsNothingToAskFor) {
  answers(200);
  answers(200, "<html>");
  EXPECT_THAT(error(), AllOf(HasSubstr("http://h:1/v1/models"), HasSubstr("name")));
}

TEST_F(ReadinessModel, OfAServerThatTakesAnyNameTheListIsNotHeldAgainstIt) {
  for (const char* engine : {"trtllm", "tgi"}) {
    machine_.reset();
    options_.adapter = *adapter_named(engine);
    options_.shape.model = "mine";
    answers(200);
    answers(200, R"({"data":[{"id":"its-folder"},{"id":"more"}]})");
    answers(404);
    ASSERT_EQ(next().what, What::kProbe) << engine;
    EXPECT_THAT(machine().body(), HasSubstr(R"("model":"mine")"));
    probes(good());
    ASSERT_EQ(next().what, What::kReady) << engine;
    EXPECT_EQ(machine().take_ready().shape.model, "mine");
  }
}

TEST_F(ReadinessModel, AServerThatTakesAnyNameIsAskedByTheOneItListsWhereNoneIsStated) {
  options_.adapter = *adapter_named("trtllm");
  answers(200);
  answers(200, R"({"data":[{"id":"its-folder"}]})");
  EXPECT_THAT(machine().body(), HasSubstr(R"("model":"its-folder")"));
}

}  // namespace
}  // namespace evenbench::engine
