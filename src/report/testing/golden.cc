#include "report/testing/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace evenbench::report::testing {

void expect_golden(const std::string& file, const std::string& text) {
  const std::string path = std::string(EVENBENCH_GOLDEN) + "/" + file;
  if (std::getenv("EVENBENCH_UPDATE_GOLDEN")) {  // lint-ok(environment): asked for by a developer
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in) << path << " is missing; write it with EVENBENCH_UPDATE_GOLDEN=1";
  std::ostringstream golden;
  golden << in.rdbuf();
  EXPECT_EQ(text, golden.str())
      << "If the change is meant: EVENBENCH_UPDATE_GOLDEN=1, and read the diff";
}

}  // namespace evenbench::report::testing
