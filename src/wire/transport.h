// How the step runner sends: the seam between `load`, which decides, and whoever moves bytes (`net`
// over sockets, `sim` in virtual time, a script in tests). Pull model: the runner says until when
// it has nothing to do, and the transport works until then. Everything happens on the caller's
// thread; nothing is called re-entrantly from send() or cut().
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/exchange.h"
#include "base/time.h"
#include "base/transport_health.h"

namespace evenbench::wire {

// Chosen by the caller, unique among the requests in flight of one transport.
using Tag = std::uint32_t;

// Until when a transport works. Exactness costs: the last stretch before `exact` may be spun for.
struct Until {
  MonoTime exact;                    // hit as exactly as the transport can
  MonoTime rough = MonoTime::max();  // may be passed by a sleep's usual delay
  Until(MonoTime exact_at,
        MonoTime rough_at = MonoTime::max())  // NOLINT: an instant alone is exact
      : exact(exact_at), rough(rough_at) {}
  [[nodiscard]] MonoTime first() const { return std::min(exact, rough); }
};

class TransportListener {
 public:
  virtual ~TransportListener() = default;
  // The request is over, whatever became of it. Called once per send(), from run_until() only.
  virtual void on_done(Tag tag, Exchanged&& exchanged) = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;
  // Starts the exchange now. `request` (a whole HTTP request) must stay valid until on_done. A
  // failure is reported through on_done, never here.
  virtual void send(Tag tag, std::string_view request) = 0;
  // Ends an open exchange as kCutAtEnd; its on_done follows from run_until(). Unknown tags are
  // ignored.
  virtual void cut(Tag tag) = 0;
  // Moves bytes until the first of `until`, or until just after one or more on_done calls,
  // whichever is first. Returns the instant at which it returned.
  virtual MonoTime run_until(Until until, TransportListener& listener) = 0;
  // What it saw of itself since the last call, or since it was made.
  virtual TransportHealth take_health() { return {}; }
};

}  // namespace evenbench::wire
