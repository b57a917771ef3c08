// The bytes of every answer. Pure.
#pragma once

#include <string>
#include <string_view>

#include "truth/request.h"

namespace evenbench::truth {

std::string plain(int status, std::string_view json);
std::string error(int status, std::string_view message);
std::string models();

// An answer made before it is needed, cut into its sends: making it then delays nothing.
class Script {
 public:
  // Of `tokens` tokens; streamed with `per_event` of them in an event and `events_per_send` events
  // in a send, if a stream was asked for.
  Script(const Asked& asked, int tokens, int per_event, int events_per_send);
  [[nodiscard]] int sends() const { return sends_; }
  // Of send `number`, from 0.
  [[nodiscard]] std::string_view bytes(int number) const;
  // In the sends before `number`.
  [[nodiscard]] int tokens_before(int number) const;

 private:
  int tokens_, tokens_per_send_, sends_ = 1;
  std::string first_, middle_, last_;  // those between the first and the last are alike
};

}  // namespace evenbench::truth
