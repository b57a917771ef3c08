// What the transport stamps, held against a server of another make that wrote down when it sent.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "certificate.h"
#include "client.h"

namespace evenbench::loopback {
namespace {

// The server as a process of its own, stopped with the object.
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
    EVENBENCH_CHECK(std::fscanf(lines, "listening %d", &port_) == 1, "the server did not start");
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
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // Instants of the sends of each request, in order of arrival.
  [[nodiscard]] std::vector<std::vector<MonoTime>> writes() const {
    std::vector<std::vector<MonoTime>> out;
    std::ifstream file(log_.path());
    for (std::string line; std::getline(file, line);) {
      auto& request = out.emplace_back();
      const auto entry = nlohmann::json::parse(line);
      for (const auto& at : entry["writes_ns"]) {
        request.push_back(MonoTime{Nanos{at.get<std::int64_t>()}});
      }
    }
    return out;
  }

 private:
  TempFile log_{""};
  pid_t pid_ = 0;
  int port_ = 0;
};

TEST(Truth, NoTokenIsStampedBeforeItWasSentAndFewLongAfter) {
  TruthServer server({"--ttft", "30", "--interval", "5", "--tokens", "20"});
  auto options = options_for(server.url());
  Client client(options);
  client.use_request(wire::http_request("POST", options.endpoint, "/v1/chat/completions", {},
                                        "{\"stream\":true}"));
  for (wire::Tag tag = 0; tag < 5; ++tag) {
    ASSERT_EQ(client.exchange(tag).ending, Ending::kDone) << client.done().at(tag).detail;
  }
  server.stop();
  const auto writes = server.writes();
  ASSERT_EQ(writes.size(), 5U);
  std::vector<Nanos> delays;
  for (wire::Tag tag = 0; tag < 5; ++tag) {
    const auto& got = client.done().at(tag);
    ASSERT_EQ(got.tokens.size(), writes[tag].size());
    for (std::size_t i = 0; i < writes[tag].size(); ++i) {
      const Stamp& at = got.tokens[i].at;
      EXPECT_GE(at.user, writes[tag][i]);
      // The two clocks are matched to some hundred nanoseconds.
      if (observed(at.kernel)) {
        EXPECT_GE(at.kernel + std::chrono::microseconds{50}, writes[tag][i]);
      }
      delays.push_back(at.user - writes[tag][i]);
    }
    EXPECT_GE(got.first_token.user - got.sent, milliseconds{30});
  }
  std::nth_element(delays.begin(), delays.begin() + 50, delays.end());
  EXPECT_LT(delays[50], milliseconds{10});  // 0.03 ms on an idle machine
}

TEST(Truth, EventsOfOneSendAreMarkedMerged) {
  TruthServer server(
      {"--ttft", "20", "--interval", "5", "--tokens", "12", "--events-per-send", "4"});
  auto options = options_for(server.url());
  Client client(options);
  client.use_request(
      wire::http_request("POST", options.endpoint, "/v1/completions", {}, "{\"stream\":true}"));
  const Exchanged got = client.exchange(0);
  EXPECT_EQ(got.ending, Ending::kDone) << got.detail;
  EXPECT_EQ(got.tokens.size(), 12U);
  EXPECT_TRUE(std::all_of(got.tokens.begin(), got.tokens.end(),
                          [](const TokenEvent& event) { return event.merged; }));
}

}  // namespace
}  // namespace evenbench::loopback
