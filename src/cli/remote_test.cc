#include "cli/remote.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::cli {
namespace {

using ::testing::HasSubstr;

Remote of(const std::string& url, const std::string& engine = "openai",
          std::optional<bool> stated = {}) {
  const std::vector<std::string> own = {"bench", "10.1.2.3"};
  SystemSpec system;
  system.engine = engine;
  system.remote = stated;
  return remote_of(system, *wire::parse_endpoint(url), own);
}

TEST(Remote, AnotherMachineIsRemoteAndItIsSaidWhich) {
  EXPECT_TRUE(of("https://gateway.example/api/v1").remote);
  EXPECT_THAT(of("https://gateway.example/api/v1").why, HasSubstr("gateway.example"));
  EXPECT_TRUE(of("http://10.1.2.4:8000", "vllm").remote);
}

TEST(Remote, ThisMachineIsNotUnlessAPathTellsOfAGateway) {
  for (const char* url : {"http://127.0.0.1:8000", "http://127.0.0.1:8000/v1", "http://bench:1",
                          "http://10.1.2.3:8000/v1/", "unix:/run/x.sock"}) {
    EXPECT_FALSE(of(url).remote) << url;
  }
  EXPECT_TRUE(of("http://127.0.0.1:4000/api/v1").remote);
  EXPECT_TRUE(of("http://127.0.0.1:4000/openai").remote);
  EXPECT_FALSE(of("http://127.0.0.1:4000/api/v1", "vllm").remote);
}

TEST(Remote, WhatIsHereIsAQuestionOfItsAddressAlone) {
  EXPECT_TRUE(of("http://127.0.0.1:8000", "vllm", true).here);
  EXPECT_TRUE(of("http://127.0.0.1:4000/openai").here);
  EXPECT_FALSE(of("http://10.1.2.4:8000", "vllm", false).here);
  EXPECT_FALSE(of("https://gateway.example/v1").here);
}

TEST(Remote, WhatIsLaunchedOrHasAnAddressOfThisMachineRunsHere) {
  const std::vector<std::string> own = {"bench", "10.1.2.3"};
  const auto here = [&](const std::string& url) {
    SystemSpec system;
    system.attach_url = url;
    return runs_here(system, own);
  };
  SystemSpec launched;
  launched.launched = true;
  EXPECT_TRUE(runs_here(launched, own));
  for (const char* url : {"http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000",
                          "http://10.1.2.3:8000", "unix:/tmp/the.socket"}) {
    EXPECT_TRUE(here(url)) << url;
  }
  EXPECT_FALSE(here("https://gateway.example/v1"));
  EXPECT_FALSE(here("http://10.0.0.7:8000"));
  EXPECT_FALSE(here(""));
}

TEST(Remote, TheSpecHasTheLastWordButNotOverALaunch) {
  EXPECT_TRUE(of("http://127.0.0.1:8000", "vllm", true).remote);
  EXPECT_FALSE(of("http://10.1.2.4:8000", "vllm", false).remote);
  SystemSpec launched;
  launched.launched = true;
  EXPECT_FALSE(remote_of(launched, *wire::parse_endpoint("http://127.0.0.1:8000"), {}).remote);
}

}  // namespace
}  // namespace evenbench::cli
