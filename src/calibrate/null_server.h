// The server of known instants, as a child process of this program's own.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/child_process.h"

namespace evenbench::calibrate {

// Its name on our own command line.
inline constexpr const char* kNullServerCommand = "null-server";

class NullServer {
 public:
  // Starts it with `flags` and waits until it listens. Its files are `stem`.log and `stem`.jsonl.
  // Error: environment.
  static Result<NullServer> start(const std::vector<std::string>& flags,
                                  const std::filesystem::path& stem, const Clock& clock);
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + port_; }
  // Ends it; then its log is whole.
  void stop();
  [[nodiscard]] std::filesystem::path log() const;

 private:
  NullServer(std::unique_ptr<engine::ChildProcess> child, std::filesystem::path stem)
      : child_(std::move(child)), stem_(std::move(stem)) {}
  Result<void> wait_until_it_listens(const Clock& clock);

  std::unique_ptr<engine::ChildProcess> child_;
  std::filesystem::path stem_;
  std::string port_;
};

}  // namespace evenbench::calibrate
