// A simulated engine's HTTP service without sockets and without a clock: requests and instants in,
// bytes for clients out. sim/server.cc puts it behind real connections.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/answer_text.h"
#include "sim/ask.h"
#include "sim/engine_model.h"
#include "sim/server.h"

namespace evenbench::sim {

// Where the answer of one request goes. A client has one request open at a time.
class Client {
 public:
  virtual ~Client() = default;
  // Never calls back into the service.
  virtual void send(std::string_view bytes) = 0;
  // The answer is whole.
  virtual void end() = 0;
};

struct Call {
  std::string_view method, target, body;
  bool keep_alive = true;
};

class Service {
 public:
  Service(const ServerOptions& options, MonoTime start, WallTime wall);

  // Advance to `now` first. The client stays known until its end() or gone().
  void handle(const Call& call, Client& client, MonoTime now);
  void gone(Client& client, MonoTime now);
  [[nodiscard]] std::optional<MonoTime> next_instant() const { return model_.next_instant(); }
  void advance(MonoTime now);

 private:
  struct Flight {
    Client* client;
    AnswerText text;
    bool stream;
    bool keep_alive;
  };
  [[nodiscard]] std::string get(std::string_view target, bool keep_alive, MonoTime now) const;
  void generate(wire::Api api, const Call& call, Client& client, MonoTime now);
  [[nodiscard]] std::string refusal(const Result<Ask>& ask, bool keep_alive) const;
  [[nodiscard]] Identity identity(MonoTime now) const;
  void deliver(const EmittedTokens& emitted);

  ServerOptions options_;
  Dialect dialect_;
  EngineModel model_;
  AskReader reader_;
  MonoTime start_;
  WallTime wall_;
  SequenceId next_id_ = 1;
  std::unordered_map<SequenceId, Flight> flights_;
  std::unordered_map<const Client*, SequenceId> by_client_;
  std::vector<EmittedTokens> emitted_;
  std::string bytes_;
};

}  // namespace evenbench::sim
