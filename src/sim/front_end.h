// What a simulated engine decides about a request before its model sees it: whether it is well
// formed and fits, how long the answer will be. Knows no socket and no instant.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "sim/ask.h"
#include "sim/dialect.h"

namespace evenbench::sim {

class FrontEnd {
 public:
  explicit FrontEnd(Engine engine) : engine_(std::move(engine)) {}
  [[nodiscard]] const Engine& engine() const { return engine_; }

  // The request as the model gets it, or why it does not.
  std::variant<Ask, Reply> take(wire::Api api, std::string_view content_type,
                                std::string_view body);
  // Bytes of a reply; one that the engine writes into a stream becomes a stream.
  [[nodiscard]] std::string bytes_of(const Reply& reply, bool keep_alive) const;

 private:
  Engine engine_;
  AskReader reader_;
};

}  // namespace evenbench::sim
