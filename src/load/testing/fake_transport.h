// A transport for tests: virtual time, and a script that says what becomes of each request.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "load/step.h"
#include "wire/transport.h"

namespace evenbench::load::testing {

// Time that only the fake transport moves. Several workers may read it.
class FakeClock final : public Clock {
 public:
  [[nodiscard]] MonoTime now() const override { return now_; }
  [[nodiscard]] WallTime wall() const override { return WallTime{}; }
  void set(MonoTime t) { now_ = t; }

 private:
  std::atomic<MonoTime> now_{MonoTime{std::chrono::seconds{1000}}};
};

// What one request becomes: instants are counted from its send.
struct Fate {
  std::vector<Nanos> tokens = {};
  Nanos end{0};
  Ending ending = Ending::kDone;
  std::string detail = {};
  int status = 200;
};

class FakeTransport final : public wire::Transport {
 public:
  // `fate` of the n-th request (from 0), sent at `now`.
  using Script = std::function<Fate(std::size_t n, MonoTime now)>;
  FakeTransport(FakeClock& clock, Script script) : clock_(clock), script_(std::move(script)) {}

  Nanos work_per_send{0};  // time of the client that each send takes
  std::size_t most_open = 0;
  std::vector<std::string> requests;
  std::set<MonoTime> exact;  // instants that were asked for exactly

  void send(wire::Tag tag, std::string_view request) override {
    const MonoTime now = clock_.now();
    const Fate fate = script_(requests.size(), now);
    requests.emplace_back(request);
    Exchanged x;
    x.ending = fate.ending;
    x.detail = fate.detail;
    x.http_status = fate.status;
    x.streamed = true;
    x.sent = now;
    for (const Nanos after : fate.tokens) x.tokens.push_back({{now + after, kNever}, 1, false});
    if (!x.tokens.empty()) {
      x.first_token = x.tokens.front().at;
      x.last_token = x.tokens.back().at;
    }
    x.closed.user = now + fate.end;
    x.output_tokens = static_cast<std::uint32_t>(fate.tokens.size());
    open_[tag] = std::move(x);
    most_open = std::max(most_open, open_.size());
    clock_.set(now + work_per_send);
  }

  void cut(wire::Tag tag) override {
    const auto found = open_.find(tag);
    if (found == open_.end()) return;
    Exchanged& x = found->second;
    x.ending = Ending::kCutAtEnd;
    std::erase_if(x.tokens, [&](const TokenEvent& t) { return t.at.user > clock_.now(); });
    x.output_tokens.reset();
    x.closed.user = clock_.now();
  }

  MonoTime run_until(wire::Until until, wire::TransportListener& listener) override {
    exact.insert(until.exact);
    MonoTime next = MonoTime::max();
    for (const auto& [tag, x] : open_) next = std::min(next, x.closed.user);
    clock_.set(std::max(clock_.now(), std::min(next, until.first())));
    std::vector<std::pair<wire::Tag, Exchanged>> over;
    for (auto it = open_.begin(); it != open_.end();) {
      if (it->second.closed.user > clock_.now()) {
        ++it;
        continue;
      }
      over.emplace_back(it->first, std::move(it->second));
      it = open_.erase(it);
    }
    for (auto& [tag, x] : over) listener.on_done(tag, std::move(x));
    return clock_.now();
  }

 private:
  FakeClock& clock_;
  Script script_;
  std::map<wire::Tag, Exchanged> open_;
};

struct Rows final : record::RequestSink {
  std::vector<record::RequestRow> rows;
  void add(record::RequestRow&& row) override { rows.push_back(std::move(row)); }
};

}  // namespace evenbench::load::testing
