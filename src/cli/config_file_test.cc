#include "cli/config_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evenbench::cli {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(ConfigFile, NestedValuesHaveDottedPaths) {
  EXPECT_THAT(flat_yaml_text("return_perf_metrics: true\nkv_cache_config:\n  dtype: fp8\n"
                             "  deeper: { x: 1 }\nlist: [1, 2]\nempty:\n"),
              UnorderedElementsAre(Pair("return_perf_metrics", "true"),
                                   Pair("kv_cache_config.dtype", "fp8"),
                                   Pair("kv_cache_config.deeper.x", "1")));
}

TEST(ConfigFile, WhatIsNoMapSetsNothing) {
  for (const char* text : {"", "7", "[a, b]", "a: [", "{", "- a: 1"}) {
    EXPECT_THAT(flat_yaml_text(text), IsEmpty()) << text;
  }
  EXPECT_THAT(flat_yaml("/there/is/none.yaml"), IsEmpty());
}

}  // namespace
}  // namespace evenbench::cli
