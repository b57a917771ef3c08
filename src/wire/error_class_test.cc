#include "wire/error_class.h"

#include <gtest/gtest.h>

#include <set>

namespace evenbench::wire {
namespace {

using enum ErrorClass;

struct Case {
  int status;
  const char* said;
  ErrorClass expected;
};

void expect_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    EXPECT_EQ(name_of(error_class({c.status, c.said})), name_of(c.expected))
        << c.status << " " << c.said;
  }
}

TEST(ErrorClass, TellsKeyPermissionAndMoneyApart) {
  expect_all({
      {401, "", kKeyRefused},
      {401, "Unauthorized", kKeyRefused},
      // new-api: one message for an unknown, an expired and an exhausted token.
      {401, "invalid token (request id: 20261130)", kKeyRefused},
      {400, "API key not valid. Please pass a valid API key.", kKeyRefused},
      {402, "Payment Required", kQuota},
      {403, "Forbidden", kPermission},
      {403, "access_denied: your IP is not in the allowed list", kPermission},
      {403, "insufficient_user_quota: user quota is not enough (request id: 1)", kQuota},
      {403, "your plan has expired", kQuota},
  });
}

TEST(ErrorClass, TellsAnEmptyPurseFromATooFastHand) {
  expect_all({
      {429,
       "insufficient_quota: You exceeded your current quota, please check your plan and "
       "billing details.",
       kQuota},
      {429, "Rate limit reached for requests per minute", kThrottled},
      {429, "", kThrottled},
      {429, "Quota exceeded: 60 requests per minute", kThrottled},
      {429, "Model is overloaded", kOverloaded},
  });
  EXPECT_EQ(error_class({429, "quota exceeded", 3}), kThrottled);
  EXPECT_EQ(error_class({429, "quota exceeded", std::nullopt}), kQuota);
}

TEST(ErrorClass, TellsAFullQueueFromAFault) {
  expect_all({
      {503, "The request queue is full.", kOverloaded},
      {503, "server busy, please try again.  maximum pending requests exceeded", kOverloaded},
      {503, "The engine is currently busy and cannot accept new requests.", kOverloaded},
      {503, "LLM is unavailable. Please check the server logs for more details.", kProviderFault},
      {503, "Loading model", kProviderFault},
      {500, "Internal Server Error", kProviderFault},
      {502, "Bad Gateway", kProviderFault},
      {529, "", kProviderFault},
      {529, "overloaded_error: Overloaded", kOverloaded},
      {424, "Request failed during generation: x", kProviderFault},
      {422, "Model is overloaded", kOverloaded},
      // TensorRT-LLM answers every fault of the engine with 400.
      {400, "CUDA out of memory", kProviderFault},
  });
}

TEST(ErrorClass, TellsWhatIsWrongWithARequest) {
  expect_all({
      {400,
       "The sum of prompt length (77.0), query length (0) should not exceed max_num_tokens "
       "(64)",
       kTooLong},
      {400, "default_max_tokens (-12) must be greater than 0", kTooLong},
      {422,
       "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: "
       "4000 `inputs` tokens and 200 `max_new_tokens`",
       kTooLong},
      {413, "", kTooLong},
      {404, "The model `m` does not exist.", kUnknownModel},
      {404, "Not Found", kOther},
      {400, "[{'type': 'extra_forbidden', 'loc': ('body', 'x')}]", kUnsupportedField},
      {422, "Input validation error: `top_p` must be > 0.0 and < 1.0", kBadRequest},
      {0, "Input validation error: `top_p` must be > 0.0 and < 1.0", kBadRequest},
      {0, "something odd", kOther},
      {302, "", kOther},
  });
}

TEST(ErrorClass, IsReadFromTheEndingOfARequest) {
  Exchanged x;
  x.ending = Ending::kStreamError;
  x.http_status = 200;
  x.detail = "in-stream error 503: the engine is currently busy";
  EXPECT_EQ(error_class(x), kOverloaded);
  x.detail = "in-stream error: Model is overloaded";
  EXPECT_EQ(error_class(x), kOverloaded);
  x.ending = Ending::kHttpError;
  x.http_status = 401;
  x.detail = "HTTP 401";
  EXPECT_EQ(error_class(x), kKeyRefused);
  for (const Ending ending : {Ending::kDone, Ending::kEmpty, Ending::kBadStream, Ending::kReset,
                              Ending::kConnectFailed, Ending::kTimedOut, Ending::kCutAtEnd}) {
    x.ending = ending;
    EXPECT_EQ(error_class(x), std::nullopt);
  }
}

TEST(ErrorClass, HasANameOfItsOwnForEach) {
  std::set<std::string_view> names;
  for (int i = 0; i < kErrorClassCount; ++i) names.insert(name_of(static_cast<ErrorClass>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kErrorClassCount));
  EXPECT_FALSE(names.contains(""));
}

TEST(ErrorClass, OnlyKeyPermissionAndMoneyEndCredentials) {
  for (int i = 0; i < kErrorClassCount; ++i) {
    const auto error = static_cast<ErrorClass>(i);
    EXPECT_EQ(ends_credentials(error),
              error == kKeyRefused || error == kPermission || error == kQuota);
  }
}

}  // namespace
}  // namespace evenbench::wire
