// The client's side of a loopback test: one transport, and what became of its requests.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "net/http_transport.h"

namespace evenbench::loopback {

using std::chrono::milliseconds;
using std::chrono::seconds;

inline net::TransportOptions options_for(const std::string& url) {
  net::TransportOptions options;
  options.endpoint = wire::parse_endpoint(url).value();
  return options;
}

class Client final : public wire::TransportListener {
 public:
  explicit Client(const net::TransportOptions& options)
      : request_(wire::http_request("POST", options.endpoint,
                                    options.endpoint.path("chat/completions"), {}, "{}")),
        transport_(net::make_http_transport(options, clock_).value()) {}

  void send(wire::Tag tag) { transport_->send(tag, request_); }
  void cut(wire::Tag tag) { transport_->cut(tag); }
  MonoTime run_until(MonoTime deadline) { return transport_->run_until(deadline, *this); }
  void run_for(Nanos duration) {
    const MonoTime until = now() + duration;
    while (run_until(until) < until) {
    }
  }
  // Until `count` requests have ended in all; gives up after 20 s.
  void run_to(std::size_t count) {
    const MonoTime until = now() + seconds{20};
    while (done_.size() < count && run_until(until) < until) {
    }
    ASSERT_GE(done_.size(), count);
  }
  // One request from its sending to its ending.
  Exchanged exchange(wire::Tag tag) {
    send(tag);
    run_to(done_.size() + 1);
    return done_[tag];
  }
  void on_done(wire::Tag tag, Exchanged&& exchanged) override {
    EXPECT_TRUE(done_.emplace(tag, std::move(exchanged)).second) << "tag " << tag << " twice";
  }

  [[nodiscard]] MonoTime now() const { return clock_.now(); }
  [[nodiscard]] const std::map<wire::Tag, Exchanged>& done() const { return done_; }
  TransportHealth take_health() { return transport_->take_health(); }
  void use_request(std::string request) { request_ = std::move(request); }

 private:
  SystemClock clock_;
  std::string request_;
  std::map<wire::Tag, Exchanged> done_;
  std::unique_ptr<wire::Transport> transport_;
};

}  // namespace evenbench::loopback
