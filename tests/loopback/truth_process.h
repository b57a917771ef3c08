// The server of known instants as a process of its own, with its log.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/time.h"
#include "certificate.h"

namespace evenbench::loopback {

// Stopped with the object.
class TruthServer {
 public:
  explicit TruthServer(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), EVENBENCH_TRUTH_SERVER);
    arguments.insert(arguments.end(), {"--log", log_.path()});
    std::vector<char*> argv;
    for (auto& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    int out[2];
    EVENBENCH_CHECK(::pipe(out) == 0, "no pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(out[1], STDOUT_FILENO);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(out[1]);
    FILE* lines = ::fdopen(out[0], "r");
    char where[256];
    EVENBENCH_CHECK(std::fscanf(lines, "listening %255s", where) == 1, "the server did not start");
    url_ =
        where[0] == '/' ? std::string("unix:") + where : std::string("http://127.0.0.1:") + where;
    std::fclose(lines);
  }
  ~TruthServer() { stop(); }
  TruthServer(const TruthServer&) = delete;
  TruthServer& operator=(const TruthServer&) = delete;

  void stop() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGTERM);
    ::waitpid(std::exchange(pid_, 0), nullptr, 0);
  }
  [[nodiscard]] const std::string& url() const { return url_; }
  // One entry a request, in order of arrival; once it has been stopped.
  [[nodiscard]] std::vector<nlohmann::json> log() const {
    std::vector<nlohmann::json> out;
    std::ifstream file(log_.path());
    for (std::string line; std::getline(file, line);) out.push_back(nlohmann::json::parse(line));
    return out;
  }
  // Instants of the sends of each request.
  [[nodiscard]] std::vector<std::vector<MonoTime>> writes() const {
    std::vector<std::vector<MonoTime>> out;
    for (const nlohmann::json& entry : log()) {
      auto& request = out.emplace_back();
      for (const auto& at : entry["writes_ns"]) {
        request.push_back(MonoTime{Nanos{at.get<std::int64_t>()}});
      }
    }
    return out;
  }

 private:
  TempFile log_{""};
  pid_t pid_ = 0;
  std::string url_;
};

}  // namespace evenbench::loopback
