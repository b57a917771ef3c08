#include "cli/secret_names.h"

#include <gtest/gtest.h>

#include "cli/spec_print.h"
#include "cli/spec_yaml.h"

namespace evenbench::cli {
namespace {

TEST(SecretNames, CredentialsAreKnownByTheirNamesInAnyCase) {
  for (const char* name : {"Authorization", "x-api-key", "HF_TOKEN", "Cookie", "DB_PASSWORD"}) {
    EXPECT_TRUE(names_secret(name)) << name;
  }
  for (const char* name : {"X-Team", "VLLM_CPU_OMP_THREADS_BIND", "Accept"}) {
    EXPECT_FALSE(names_secret(name)) << name;
  }
}

TEST(SecretNames, TheResolvedSpecHoldsNoSecretOfHeadersOrEnvironments) {
  const Spec spec = parse_spec(R"(evenbench: 1
systems:
  - { name: a, engine: sim, env: { HF_TOKEN: hf_abc, THREADS: "2" } }
request: { headers: { X-Api-Key: sk-abc, X-Team: blue } }
load: { ladder: { rates: [1] } }
)",
                               "s.yaml")
                        .value();
  const std::string printed = print_spec(spec);
  EXPECT_EQ(printed.find("hf_abc"), std::string::npos);
  EXPECT_EQ(printed.find("sk-abc"), std::string::npos);
  EXPECT_NE(printed.find("blue"), std::string::npos);
  EXPECT_NE(printed.find("THREADS"), std::string::npos);
}

TEST(SecretNames, KeysAmongAnEnginesArgumentsAreHidden) {
  const std::vector<std::string> args = {
      "--api-key", "k1", "--max-num-batched-tokens", "2048", "--hf-token=k2", "--api-key"};
  const std::vector<std::string> expected = {"--api-key",
                                             "[not recorded]",
                                             "--max-num-batched-tokens",
                                             "2048",
                                             "--hf-token=[not recorded]",
                                             "--api-key"};
  EXPECT_EQ(without_secret_values(args), expected);
}

}  // namespace
}  // namespace evenbench::cli
