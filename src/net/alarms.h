// When to look at a request again because of a time limit. Entries are never taken back: who is
// woken looks whether there is still something to do, and may ask to be woken later.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "base/time.h"
#include "wire/transport.h"

namespace evenbench::net {

struct Alarm {
  MonoTime at;
  wire::Tag tag = 0;
  std::uint64_t serial = 0;
};

class Alarms {
 public:
  void add(const Alarm& alarm) { queue_.push(alarm); }
  // max: none is set.
  [[nodiscard]] MonoTime next() const { return queue_.empty() ? MonoTime::max() : queue_.top().at; }
  Alarm take() {
    const Alarm first = queue_.top();
    queue_.pop();
    return first;
  }

 private:
  struct Later {
    bool operator()(const Alarm& a, const Alarm& b) const { return a.at > b.at; }
  };
  std::priority_queue<Alarm, std::vector<Alarm>, Later> queue_;
};

}  // namespace evenbench::net
