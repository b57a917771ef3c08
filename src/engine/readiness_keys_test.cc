// What readiness makes of a key that a server does not accept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/testing/readiness_bench.h"

namespace evenbench::engine {
namespace {

using ::testing::AllOf;
using testing::failed;
using ::testing::HasSubstr;
using testing::http_error;
using testing::kModels;
using ::testing::Not;
using ReadinessKeys = testing::ReadinessBench;
using What = Ask::What;

TEST_F(ReadinessKeys, O17_AKeyThatIsRefusedEndsItAtOnceOnEveryPath) {
  for (const int status : {401, 403}) {
    for (int path = 0; path < 3; ++path) {
      machine_.reset();
      launched();
      if (path > 0) answers(200);
      if (path < 2) {
        answers(status, R"({"error":"Unauthorized: Bearer K1-secret is bad"})");
      } else {
        answers(200, kModels);
        answers(404);
        probes(http_error(status, "K1-secret"));
      }
      EXPECT_THAT(error(), AllOf(HasSubstr(std::to_string(status)), HasSubstr("http://h:1/"),
                                 HasSubstr("key_env"), Not(HasSubstr("K1-secret"))));
    }
  }
}

TEST_F(ReadinessKeys, KeyPermissionMoneyThrottleAndFaultAreToldApartByNameAndRemedy) {
  struct Case {
    int status;
    const char* said;
    const char* error_class;
    const char* remedy;
  };
  const std::vector<Case> cases = {
      {401, "Unauthorized", "key_refused", "the key in GATEWAY_KEY is not accepted"},
      {400, "No connected db.", "key_refused", "the key in GATEWAY_KEY is not accepted"},
      {403, "Forbidden", "permission", "permitted by the provider"},
      {403, "insufficient_user_quota: no", "quota", "top it up"},
      {429, "insufficient_quota: You exceeded your current quota", "quota", "top it up"},
      {429, "too many requests", "throttled", "lower the load"},
      {502, "Bad Gateway", "provider_fault", "own log"},
      {404, "The model `mine` does not exist", "unknown_model", "model_name"},
  };
  options_.key_env = "GATEWAY_KEY";
  for (const Case& c : cases) {
    machine_.reset();
    up_to_probe();
    for (int i = 0; i < 3 && next().what != What::kGiveUp; ++i) {
      probes(http_error(c.status, c.said));
      if (next().what == What::kPause) pause();
    }
    EXPECT_THAT(error(), AllOf(HasSubstr(std::string("; ") + c.error_class + ": "),
                               HasSubstr(c.remedy), HasSubstr(c.said)));
  }
}

TEST_F(ReadinessKeys, AnEmptyPurseIsNotAskedTwice) {
  up_to_probe();
  probes(http_error(429, "insufficient_quota: You exceeded your current quota"));
  EXPECT_EQ(next().what, What::kGiveUp);
  machine_.reset();
  up_to_probe();
  probes(http_error(429, "slow down"));
  EXPECT_EQ(next().what, What::kPause);
  machine_.reset();
  up_to_probe();
  Exchanged inside = failed(Ending::kStreamError, "in-stream error 401: token expired");
  inside.http_status = 200;
  probes(inside);
  EXPECT_THAT(error(), HasSubstr("key_refused"));
}

}  // namespace
}  // namespace evenbench::engine
