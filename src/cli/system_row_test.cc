#include "cli/system_row.h"

#include <gtest/gtest.h>

namespace evenbench::cli {
namespace {

TEST(SystemRow, ASimulatedEngineIsMarkedWhereverItIsNamed) {
  SystemSpec system;
  system.name = "a";
  system.engine = "sim";
  system.profile = "tgi";
  system.port = 8000;
  const auto row = system_row(system, 2);
  EXPECT_EQ(row.id, 3);
  EXPECT_TRUE(row.simulated);
  EXPECT_EQ(row.engine, "sim:tgi");
  EXPECT_EQ(row.url, "http://127.0.0.1:8000");
}

TEST(SystemRow, AnAttachedServerThatSaysItIsSimulatedIsBelieved) {
  EXPECT_TRUE(says_simulated(R"({"data":[{"id":"m","owned_by":"evenbench-simulated"}]})"));
  EXPECT_FALSE(says_simulated(R"({"data":[{"id":"m","owned_by":"vllm"}]})"));
  EXPECT_FALSE(says_simulated(R"({"data":[{"id":"m","owned_by":null}]})"));
  EXPECT_FALSE(says_simulated(R"({"data":[7,"x"]})"));
  EXPECT_FALSE(says_simulated("no JSON"));
}

}  // namespace
}  // namespace evenbench::cli
