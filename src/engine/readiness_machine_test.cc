#include "engine/readiness_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/testing/readiness_bench.h"

namespace evenbench::engine {
namespace {

using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::failed;
using testing::good;
using ::testing::HasSubstr;
using testing::http_error;
using ::testing::IsEmpty;
using testing::kModels;
using ::testing::Not;
using Readiness = testing::ReadinessBench;
using What = Ask::What;

const char* const kDetail422 =
    R"({"detail":[{"type":"extra_forbidden","loc":["body","%"],"msg":"Extra inputs are not permitted"}]})";

std::string refusing(const std::string& field) {
  std::string body = kDetail422;
  return body.replace(body.find('%'), 1, field);
}

TEST_F(Readiness, AsksForHealthModelsVersionAndOneRealRequest) {
  EXPECT_EQ(next().path, "/health");
  answers(200);
  EXPECT_EQ(next().path, "/v1/models");
  answers(200, kModels);
  EXPECT_EQ(next().path, "/version");
  answers(200, R"({"version":"0.11.0"})");
  EXPECT_EQ(next().what, What::kProbe);
  EXPECT_EQ(next().path, "/v1/chat/completions");
  EXPECT_THAT(machine().body(), HasSubstr(R"("model":"mine")"));
  probes(good());
  ASSERT_EQ(next().what, What::kReady);
  const Ready ready = machine().take_ready();
  EXPECT_EQ(ready.shape.model, "mine");
  EXPECT_EQ(ready.engine_version, "0.11.0");
  EXPECT_EQ(ready.probe_requests, 1U);
  EXPECT_EQ(ready.models_body, kModels);
  EXPECT_THAT(ready.notes, IsEmpty());
}

TEST_F(Readiness, AsksAPlainServerOnlyWhatTheApiHas) {
  options_.adapter = *adapter_named("openai");
  EXPECT_EQ(next().path, "/v1/models");
  answers(200, kModels);
  EXPECT_EQ(next().what, What::kProbe);
}

TEST_F(Readiness, O18_A404OnTheProbePrintsTheFullUrl) {
  up_to_probe();
  probes(http_error(404, "Not Found"));
  EXPECT_THAT(error(), AllOf(HasSubstr("http://h:1/v1/chat/completions"), HasSubstr("404"),
                             HasSubstr("base address")));
}

TEST_F(Readiness, O18_TheBaseAddressAppearsOnceInEveryPath) {
  for (const char* base : {"http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/"}) {
    machine_.reset();
    options_.transport.endpoint = *wire::parse_endpoint(base);
    EXPECT_EQ(next().path, "/health");
    up_to_probe();
    EXPECT_EQ(next().path, "/v1/chat/completions");
  }
  machine_.reset();
  options_.transport.endpoint = *wire::parse_endpoint("http://h:1/openai/v1");
  up_to_probe();
  EXPECT_EQ(next().path, "/openai/v1/chat/completions");
}

TEST_F(Readiness, O19_RefusedStreamOptionsAreSwitchedOffWithANote) {
  up_to_probe();
  probes(http_error(422, "cut off"));
  EXPECT_EQ(next().what, What::kExplain);
  answers(422, refusing("stream_options"));
  EXPECT_EQ(next().what, What::kProbe);
  EXPECT_THAT(machine().body(), Not(HasSubstr("stream_options")));
  Exchanged without_usage = good();
  without_usage.source = TokenSource::kUnknown;
  probes(without_usage);
  ASSERT_EQ(next().what, What::kReady);
  const Ready ready = machine().take_ready();
  EXPECT_FALSE(ready.shape.include_usage);
  EXPECT_EQ(ready.probe_requests, 3U);
  EXPECT_THAT(ready.notes, ElementsAre(HasSubstr("stream_options was refused and is not sent")));
}

TEST_F(Readiness, O19_AnyOtherRefusedFieldStopsTheRunAndIsNamed) {
  options_.shape.ignore_eos = true;
  up_to_probe();
  probes(http_error(422, ""));
  answers(422, refusing("ignore_eos"));
  EXPECT_THAT(error(), AllOf(HasSubstr("the field is ignore_eos"), HasSubstr("allow_dropping"),
                             HasSubstr("422"), HasSubstr("http://h:1/v1/chat/completions")));
}

TEST_F(Readiness, O19_ARefusedFieldIsDroppedOnlyIfThatWasAllowed) {
  options_.shape.ignore_eos = true;
  options_.droppable = {"ignore_eos"};
  up_to_probe();
  probes(http_error(400, ""));
  answers(400, refusing("ignore_eos"));
  EXPECT_EQ(next().what, What::kProbe);
  probes(good());
  const Ready ready = machine().take_ready();
  EXPECT_FALSE(ready.shape.ignore_eos);
  EXPECT_TRUE(ready.shape.include_usage);
  EXPECT_THAT(ready.notes, ElementsAre(HasSubstr("ignore_eos was refused")));
}

TEST_F(Readiness, O19_SeveralFieldsMayBeRefusedOneAfterTheOther) {
  options_.shape.ignore_eos = true;
  options_.droppable = {"ignore_eos"};
  up_to_probe();
  for (const char* field : {"stream_options", "ignore_eos"}) {
    probes(http_error(422, ""));
    answers(422, refusing(field));
  }
  probes(good());
  EXPECT_EQ(next().what, What::kReady);
}

TEST_F(Readiness, ARefusalInsideAStreamIsARefusalToo) {
  options_.shape.top_p = 1.0;
  up_to_probe();
  probes(failed(Ending::kStreamError,
                "in-stream error 422: Input validation error: `top_p` must be > 0.0 and < 1.0"));
  EXPECT_THAT(error(), HasSubstr("the field is top_p"));
}

TEST_F(Readiness, ALengthFieldThatIsRefusedNamesTheOther) {
  up_to_probe();
  probes(http_error(400, "Unsupported parameter: 'max_tokens'"));
  answers(500);
  EXPECT_THAT(error(), AllOf(HasSubstr("max_completion_tokens"), HasSubstr("400")));
}

TEST_F(Readiness, ARefusalThatNamesNothingShowsWhatWasSaid) {
  up_to_probe();
  probes(http_error(400, "no luck"));
  answers(400, R"({"error":"no luck today"})");
  EXPECT_THAT(error(), HasSubstr("no luck today"));
}

TEST_F(Readiness, O48_ALaunchedEngineIsWaitedForUntilItsHealthIsGood) {
  launched();
  const MonoTime start = now_;
  while (now_ < start + seconds{1} && !HasFatalFailure()) {
    refused();
    pause();
  }
  while (now_ < start + seconds{6} && !HasFatalFailure()) {
    ASSERT_EQ(next().path, "/health");
    answers(503);
    pause();
  }
  up_to_probe();
  // Generation hangs: the probe may take as long as the start may.
  EXPECT_GT(next().limit, seconds{500});
  probes(good());
  EXPECT_EQ(next().what, What::kReady);
  EXPECT_EQ(machine().take_ready().probe_requests, 1U);
}

TEST_F(Readiness, ALaunchedEngineThatIsNeverReadyEndsAtTheLimit) {
  launched();
  options_.timeout = seconds{2};
  while (next().what != What::kGiveUp && now_ < MonoTime{seconds{200}}) {
    answers(503, "loading");
    if (next().what == What::kPause) pause();
  }
  EXPECT_EQ(now_, MonoTime{seconds{102}});
  EXPECT_THAT(error(), AllOf(HasSubstr("not ready within 2 s"), HasSubstr("503: loading"),
                             HasSubstr("/logs/x.log")));
}

TEST_F(Readiness, NobodyIsToldToStartAnEngineThatIsBeingStarted) {
  launched();
  refused();
  EXPECT_THAT(machine().last_reason(), HasSubstr("connection refused"));
  EXPECT_THAT(machine().last_reason(), Not(HasSubstr("start the server")));
}

TEST_F(Readiness, AnAttachedServerThatRefusesIsGivenUpWithinTwoSeconds) {
  const MonoTime start = now_;
  while (next().what != What::kGiveUp && now_ < start + seconds{60}) {
    refused();
    if (next().what == What::kPause) pause();
  }
  EXPECT_LT(now_ - start, seconds{2});
  EXPECT_THAT(error(), AllOf(HasSubstr("http://h:1/health"), HasSubstr("start the server")));
}

TEST_F(Readiness, ACertificateThatFailsHasItsOwnRemedy) {
  for (int i = 0; i < 3; ++i) {
    machine().on_answer(
        environment_error("GET https://h:1/health: certificate verification failed"), now_);
    if (next().what == What::kPause) pause();
  }
  EXPECT_THAT(error(), AllOf(HasSubstr("certificate"), HasSubstr("ca_file")));
}

TEST_F(Readiness, AnAnswerWithoutATokenIsNotReady) {
  up_to_probe();
  for (int i = 0; i < 3; ++i) {
    probes(failed(Ending::kEmpty, ""));
    if (next().what == What::kPause) pause();
  }
  EXPECT_THAT(error(), HasSubstr("without a single token"));
}

TEST_F(Readiness, ABusyServerIsAskedAgainBeforeItIsGivenUp) {
  up_to_probe();
  probes(http_error(503, "overloaded"));
  pause();
  probes(good());
  EXPECT_EQ(next().what, What::kReady);
  EXPECT_EQ(machine().take_ready().probe_requests, 2U);
}

TEST_F(Readiness, EveryQuestionHasAttemptsOfItsOwn) {
  for (int i = 0; i < 2; ++i) {
    answers(503);
    pause();
  }
  answers(200);
  for (int i = 0; i < 2; ++i) {
    answers(503);
    pause();
  }
  answers(200, kModels);
  EXPECT_EQ(next().path, "/version");
}

TEST_F(Readiness, AnErrorOfALaunchedEngineIsNotRepeatedForEver) {
  launched();
  up_to_probe();
  for (int i = 0; i < 3; ++i) {
    probes(http_error(500, "internal"));
    if (next().what == What::kPause) pause();
  }
  EXPECT_THAT(error(), HasSubstr("500: internal"));
}

TEST_F(Readiness, ADeadEngineIsShownWithItsLogAndARemedy) {
  launched();
  refused();
  machine().on_engine_ended({false, 1, false, {}}, "ERROR: CUDA out of memory",
                            "ERROR: CUDA out of memory");
  EXPECT_THAT(error(), AllOf(HasSubstr("exit code 1"), HasSubstr("/logs/x.log"),
                             HasSubstr("ERROR: CUDA out of memory"), HasSubstr("nvidia-smi")));
}

TEST_F(Readiness, TheCauseIsFoundFurtherUpThanWhatIsShownAndNamesTheEnginesFlag) {
  launched();
  refused();
  machine().on_engine_ended({false, 1, false, {}}, "See root cause above.",
                            "CUDA out of memory\n...\nSee root cause above.");
  EXPECT_THAT(error(), AllOf(HasSubstr("; out_of_memory: "), HasSubstr("--gpu-memory-utilization"),
                             Not(HasSubstr("CUDA out of memory"))));
}

TEST_F(Readiness, AnInterruptIsNoFailureOfTheEngine) {
  machine().on_interrupted();
  ASSERT_EQ(next().what, What::kGiveUp);
  EXPECT_EQ(machine().error().code, ErrorCode::kInterrupted);
}

TEST_F(Readiness, SaysThatUsageDidNotComeOrLengthsAreNotKept) {
  options_.shape.ignore_eos = true;
  up_to_probe();
  Exchanged odd = good();
  odd.source = TokenSource::kUnknown;
  odd.output_tokens = 3;
  probes(odd);
  EXPECT_THAT(machine().take_ready().notes,
              ElementsAre(HasSubstr("usage was asked for"), HasSubstr("3 tokens came where 4")));
}

}  // namespace
}  // namespace evenbench::engine
