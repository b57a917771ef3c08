// The folder of built engines: KEY/ for each, with engine/, build.log and build.json; KEY.lock
// while it is asked for; KEY.XXXXXX while it is built. KEY: 64 hexadecimal digits. An entry appears
// at once and whole. Knows nothing of how engines are built.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/owned_fd.h"

namespace evenbench::engine {

inline constexpr const char* kBuildLog = "build.log";

struct BuiltEngine {
  std::filesystem::path folder;  // of the entry
  double seconds = 0;            // that its build took
  std::string date;              // when it was done, ISO 8601
};

// What is written beside an engine for people: any names and texts.
using BuildFacts = std::vector<std::pair<std::string, std::string>>;

class EngineCache {
 public:
  explicit EngineCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] std::filesystem::path entry(const std::string& key) const { return folder_ / key; }
  // nullopt: not built, or not as it was left (a file is missing or has another size).
  [[nodiscard]] std::optional<BuiltEngine> find(const std::string& key) const;

  // The right to build `key`, until the descriptor is closed; nullopt: another program has it.
  // Error: environment, the folder cannot be made or written.
  [[nodiscard]] Result<std::optional<OwnedFd>> try_lock(const std::string& key) const;

  // The next three: only with the lock of `key`.
  // A new folder to build in, with kCheckpointFolder and kBuiltFolder. What builds that were killed
  // have left is removed first.
  [[nodiscard]] Result<std::filesystem::path> begin(const std::string& key) const;
  // Makes it the entry of `key`, without its checkpoint. Error: environment; nothing was kept.
  Result<BuiltEngine> keep(const std::string& key, const std::filesystem::path& work,
                           const std::filesystem::path& log, double seconds,
                           const std::string& date, const BuildFacts& facts) const;
  // Error: environment, names what is still there.
  static Result<void> discard(const std::filesystem::path& work);

 private:
  void sweep(const std::string& own) const;
  std::filesystem::path folder_;
};

}  // namespace evenbench::engine
