#include "wire/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace evenbench::wire {
namespace {

using Json = nlohmann::ordered_json;

std::string chat_path(std::string_view base) {
  const auto endpoint = parse_endpoint(base);
  return endpoint ? endpoint->path("chat/completions") : endpoint.error().message;
}

TEST(Endpoint, O18_JoinsEveryFormOfABaseAddressWithoutDoubling) {
  for (const char* base : {"http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/"}) {
    EXPECT_EQ(chat_path(base), "/v1/chat/completions") << base;
  }
  EXPECT_EQ(chat_path("http://h:1/openai/v1"), "/openai/v1/chat/completions");
  EXPECT_EQ(chat_path("http://h:1//openai//v1//"), "/openai/v1/chat/completions");
  EXPECT_EQ(chat_path("https://h/api"), "/api/v1/chat/completions");
}

TEST(Endpoint, RoutesBesideTheVersionKeepThePrefix) {
  EXPECT_EQ(parse_endpoint("http://h:1")->root_path("/health"), "/health");
  EXPECT_EQ(parse_endpoint("http://h:1/openai/v1/")->root_path("health"), "/openai/health");
}

TEST(Endpoint, KnowsHostPortAndTlsOfNamesAndAddresses) {
  const auto plain = parse_endpoint("http://127.0.0.1:8000");
  EXPECT_EQ(plain->host, "127.0.0.1");
  EXPECT_EQ(plain->port, "8000");
  EXPECT_FALSE(plain->tls);
  EXPECT_EQ(parse_endpoint("http://h")->port, "80");
  EXPECT_EQ(parse_endpoint("https://h")->port, "443");
  const auto six = parse_endpoint("http://[::1]:8000/v1");
  EXPECT_EQ(six->host, "::1");
  EXPECT_EQ(six->url(six->path("models")), "http://[::1]:8000/v1/models");
}

TEST(Endpoint, WhatIsNoBaseAddressIsRefusedWithAnExample) {
  for (const char* bad :
       {"", "127.0.0.1:8000", "localhost:8000", "ftp://h", "http://", "http://h:0",
        "http://h:99999999", "http://h/v1?x=1", "http://h/#f", "http:// h"}) {
    const auto endpoint = parse_endpoint(bad);
    ASSERT_FALSE(endpoint) << bad;
    EXPECT_EQ(endpoint.error().code, ErrorCode::kUsage);
    EXPECT_NE(endpoint.error().message.find("http://127.0.0.1:8000"), std::string::npos) << bad;
  }
}

TEST(Endpoint, AKeyInsideAnAddressIsRefusedAndNotRepeated) {
  const auto endpoint = parse_endpoint("http://user:secret@h:1");
  ASSERT_FALSE(endpoint);
  EXPECT_EQ(endpoint.error().message.find("secret"), std::string::npos);
}

RequestShape bare() {
  RequestShape shape;
  shape.model = "short-name";
  shape.include_usage = false;
  return shape;
}

std::vector<std::string> keys_of(const std::string& body) {
  std::vector<std::string> out;
  const Json parsed = Json::parse(body);  // must outlive the loop
  for (const auto& item : parsed.items()) {
    EXPECT_FALSE(item.value().is_null()) << item.key();
    out.push_back(item.key());
  }
  return out;
}

TEST(RequestBody, O19_WithoutExtrasItHasExactlyFourKeysAndNoNull) {
  EXPECT_EQ(keys_of(request_body(bare(), "hi", 64)),
            (std::vector<std::string>{"model", "messages", "stream", "max_tokens"}));
}

TEST(RequestBody, O11_TheLengthFieldCarriesTheNameThatWasChosen) {
  RequestShape shape = bare();
  shape.output_field = "max_completion_tokens";
  shape.min_tokens = true;
  const Json body = Json::parse(request_body(shape, "hi", 64));
  EXPECT_EQ(body["max_completion_tokens"], 64);
  EXPECT_EQ(body["min_tokens"], 64);
  EXPECT_FALSE(body.contains("max_tokens"));
}

TEST(RequestBody, NoLengthIsAskedForWhereNoneIsWanted) {
  RequestShape shape = bare();
  shape.min_tokens = true;
  EXPECT_EQ(keys_of(request_body(shape, "hi", 0)),
            (std::vector<std::string>{"model", "messages", "stream"}));
}

TEST(RequestBody, UsageIsAskedForOnlyWhereTheAnswerStreams) {
  RequestShape shape = bare();
  shape.include_usage = true;
  EXPECT_EQ(Json::parse(request_body(shape, "hi", 1))["stream_options"]["include_usage"], true);
  shape.stream = false;
  EXPECT_FALSE(Json::parse(request_body(shape, "hi", 1)).contains("stream_options"));
}

TEST(RequestBody, CompletionsCarryAPromptAndExtrasComeLast) {
  RequestShape shape = bare();
  shape.api = Api::kCompletions;
  shape.temperature = 0.0;
  shape.extra_json = R"({"top_k":1,"temperature":0.5})";
  const Json body = Json::parse(request_body(shape, "hi \"there\"\n\xE5\x9D\x8F", 8));
  EXPECT_EQ(body["prompt"], "hi \"there\"\n\xE5\x9D\x8F");
  EXPECT_EQ(body["top_k"], 1);
  EXPECT_EQ(body["temperature"], 0.5);
  EXPECT_FALSE(body.contains("messages"));
}

TEST(RequestBody, BrokenUtf8OfAPromptStillGivesValidJson) {
  EXPECT_TRUE(Json::accept(request_body(bare(), "\xE5\x9D", 8)));
}

TEST(OptionalFields, NamesWhatIsInForce) {
  RequestShape shape = bare();
  EXPECT_TRUE(optional_fields(shape).empty());
  shape.include_usage = true;
  shape.ignore_eos = true;
  shape.min_tokens = true;
  EXPECT_EQ(optional_fields(shape),
            (std::vector<std::string>{"stream_options", "ignore_eos", "min_tokens"}));
}

TEST(HttpRequest, IsAWholeRequestWithItsLength) {
  const auto endpoint = parse_endpoint("http://[::1]:8000");
  EXPECT_EQ(
      http_request("POST", *endpoint, "/v1/completions", {{"Authorization", "Bearer K1"}}, "{}"),
      "POST /v1/completions HTTP/1.1\r\nHost: [::1]:8000\r\nAuthorization: Bearer K1\r\n"
      "User-Agent: evenbench\r\nAccept: text/event-stream, application/json\r\n"
      "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}");
  EXPECT_EQ(http_request("GET", *endpoint, "/health", {}, "").find("Content-"), std::string::npos);
}

TEST(Request, AHeaderThatWouldBreakTheHeadIsRefused) {
  EXPECT_EQ(header_trouble("X-Team", "blue"), std::nullopt);
  EXPECT_EQ(header_trouble("Authorization", "Bearer a.b-c"), std::nullopt);
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"", "x"},
                                                        {"A\nB", "x"},
                                                        {"Foo ", "x"},
                                                        {"X", "a\r\nEvil: b"},
                                                        {"Host", "h"},
                                                        {"CONTENT-LENGTH", "5"},
                                                        {"Transfer-Encoding", "chunked"},
                                                        {kRequestNameHeader.data(), "7"}}) {
    EXPECT_TRUE(header_trouble(name, value)) << name;
  }
}

TEST(Request, IsNamedByItsRowOfTheRunFile) {
  EXPECT_EQ(request_name(4, 17), "4-17");
}

TEST(Endpoint, APortThatIsNoneIsRefused) {
  for (const char* url :
       {"http://h:0", "http://h:65536", "http://h:74639", "http://h:99999999999"}) {
    EXPECT_FALSE(parse_endpoint(url)) << url;
  }
  EXPECT_TRUE(parse_endpoint("http://h:65535"));
}

TEST(Endpoint, AUnixSocketIsNamedByItsPath) {
  const auto endpoint = parse_endpoint("unix:/run/vllm.sock");
  ASSERT_TRUE(endpoint) << endpoint.error().message;
  EXPECT_EQ(endpoint->unix_socket, "/run/vllm.sock");
  EXPECT_EQ(endpoint->path("completions"), "/v1/completions");
  EXPECT_FALSE(endpoint->tls);
  EXPECT_THAT(http_request("GET", *endpoint, "/health", {}, ""),
              testing::HasSubstr("Host: localhost:80\r\n"));
  EXPECT_THAT(endpoint->url("/health"), testing::HasSubstr("unix:/run/vllm.sock"));
}

TEST(Endpoint, AUnixSocketWithoutAWholePathIsRefused) {
  for (const char* url : {"unix:", "unix:vllm.sock"}) EXPECT_FALSE(parse_endpoint(url)) << url;
}

}  // namespace
}  // namespace evenbench::wire
