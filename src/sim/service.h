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
#include "sim/engine_model.h"
#include "sim/front_end.h"
#include "sim/gate.h"
#include "sim/server.h"
#include "sim/tally.h"

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
  std::string_view authorization = "";
  std::string_view content_type = kJsonType;
};

class Service {
 public:
  // What engine_of() refuses must not come here.
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
    bool keep_alive;
    MonoTime arrived, first_token = kNever;
  };
  [[nodiscard]] Reply route(const Call& call, std::string_view path, MonoTime now);
  void generate(wire::Api api, const Call& call, Client& client, MonoTime now);
  void answer(Client& client, const Reply& reply, bool keep_alive);
  [[nodiscard]] std::int64_t seconds_at(MonoTime now) const;
  void deliver(const EmittedTokens& emitted);

  FrontEnd front_;
  Gate gate_;
  EngineModel model_;
  Tally tally_;
  MonoTime start_, ready_;
  WallTime wall_;
  SequenceId next_id_ = 1;
  std::uint64_t steps_told_ = 0;
  std::unordered_map<SequenceId, Flight> flights_;
  std::unordered_map<const Client*, SequenceId> by_client_;
  std::vector<EmittedTokens> emitted_;
  std::string bytes_;
};

}  // namespace evenbench::sim
