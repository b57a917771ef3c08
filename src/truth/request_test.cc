#include "truth/request.h"

#include <gtest/gtest.h>

#include <string>

namespace evenbench::truth {
namespace {

const std::string kBody =
    R"({"stream":true,"max_tokens":7,"stream_options":{"include_usage":true}})";

std::string request_with(const std::string& body) {
  return "POST /v1/chat/completions HTTP/1.1\r\nx-evenbench-request: 3-17\r\n"
         "Authorization: Bearer k\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(TruthRequest, IsFoundOnlyOnceItsLastByteIsThere) {
  const std::string bytes = request_with(kBody);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(find_request(bytes.substr(0, size))) << size;
  }
  const std::string two = bytes + "GET /health HTTP/1.1\r\n\r\n";
  const auto request = find_request(two);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->size, bytes.size());
  EXPECT_EQ(request->method, "POST");
  EXPECT_EQ(request->path, "/v1/chat/completions");
  EXPECT_EQ(request->authorization, "Bearer k");
  EXPECT_EQ(request->id, "3-17");
  EXPECT_EQ(request->body, kBody);
}

TEST(TruthRequest, SaysWhatItsBodyAsksFor) {
  const std::string bytes = request_with(kBody);
  const Asked asked = asked_of(*find_request(bytes));
  EXPECT_TRUE(asked.valid && asked.chat && asked.stream && asked.usage);
  EXPECT_EQ(asked.tokens, 7);
  const std::string other = request_with(R"({"max_completion_tokens":9,"stream":"yes"})");
  const Asked whole = asked_of(*find_request(other));
  EXPECT_TRUE(whole.valid);
  EXPECT_FALSE(whole.stream || whole.usage);
  EXPECT_EQ(whole.tokens, 9);
}

TEST(TruthRequest, WhatIsNoJsonObjectIsNotValid) {
  for (const char* body : {"", "[1]", "{\"stream\":tru", "7"}) {
    const std::string bytes = request_with(body);
    EXPECT_FALSE(asked_of(*find_request(bytes)).valid) << body;
  }
}

}  // namespace
}  // namespace evenbench::truth
