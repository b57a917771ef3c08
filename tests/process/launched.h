// What the tests here share: engines made of shell lines, and bounded waits for processes to come
// and go.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/child_process.h"

namespace evenbench::process_tests {

// Command of this program that plays the tool: starts the engine `sh -c argv[2]` and waits to be
// killed.
inline constexpr const char* kToolCommand = "__tool";
int tool_main(int argc, char** argv);

// A folder of its own, removed at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::string read(const std::string& name) const;

 private:
  std::filesystem::path folder_;
};

// An engine of one shell line. Everything it starts carries `tag` in its environment.
engine::LaunchCommand shell(const std::string& line, const std::string& tag,
                            const std::filesystem::path& log);

// A tag that no other test uses.
std::string new_tag();
// While it lives, this process and so what it starts carry the tag.
class TaggedHere {
 public:
  explicit TaggedHere(const std::string& tag);
  ~TaggedHere();
  TaggedHere(const TaggedHere&) = delete;
  TaggedHere& operator=(const TaggedHere&) = delete;
};
// Living processes that carry the tag.
std::vector<int> tagged(const std::string& tag);

// Looks every few milliseconds, for at most `limit`. Whether it became true.
bool eventually(const std::function<bool()>& holds,
                std::chrono::milliseconds limit = std::chrono::seconds{20});

}  // namespace evenbench::process_tests
