// The failed requests of a cohort, grouped by how they ended and what was said.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/exchange.h"
#include "judge/headline_stamp.h"
#include "judge/judged_run.h"

namespace evenbench::judge {

// A fault of the server or of the way to it: neither good nor cut at the end.
inline bool is_failure(Ending ending) {
  return ending != Ending::kDone && ending != Ending::kCutAtEnd;
}
// The server (or a gateway) said that it is overloaded, or let a time limit pass: the request is
// offered load that was not served.
bool is_refusal(const Exchanged& exchanged);

class Failures {
 public:
  explicit Failures(Instants instants = {}) : instants_(instants) {}
  void add(const Exchanged& exchanged, MonoTime step_begin);
  // Most frequent first. Servers may write something new into every message, so the details of the
  // rarest are summed up per ending.
  [[nodiscard]] std::vector<FailureClass> classes() const;

 private:
  Instants instants_;
  std::map<std::pair<Ending, std::string>, FailureClass> classes_;
};

}  // namespace evenbench::judge
