// The recorded answers of real engines in tests/data/captures.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace evenbench::wire::testing {

struct Capture {
  std::string folder, name, asked, end;
  std::string expected;  // the rest of the line
  std::string bytes;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

// All lines of expected.tsv, each with its answer.
inline std::vector<Capture> captures() {
  const std::string root = std::string(EVENBENCH_TEST_DATA) + "/captures/";
  std::ifstream table(root + "expected.tsv");
  EXPECT_TRUE(table);
  std::vector<Capture> out;
  std::string line;
  std::getline(table, line);  // the names of the columns
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    Capture c;
    fields >> c.folder >> c.name >> c.asked >> c.end >> std::ws;
    std::getline(fields, c.expected);
    const std::string stem = root + c.folder + "/" + c.name;
    c.bytes = read_file(stem + ".headers.txt") + read_file(stem + ".body.txt");
    out.push_back(std::move(c));
  }
  return out;
}

}  // namespace evenbench::wire::testing
