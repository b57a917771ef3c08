#include "net/http_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "net/alarms.h"
#include "net/connection.h"
#include "net/event_loop.h"
#include "net/flight.h"
#include "net/transport_parts.h"

namespace evenbench::net {
namespace {

// Handlers run in one go when a deadline or a limit has passed already.
constexpr int kBatch = 16;

class HttpTransport final : public wire::Transport, public ConnectionOwner {
 public:
  HttpTransport(TransportOptions options, Target target, bool keep_text,
                std::unique_ptr<EventLoop> events, const Clock& clock)
      : options_(std::move(options)),
        target_(std::move(target)),
        keep_text_(keep_text),
        clock_(clock),
        loop_(std::move(events), clock),
        events_(*loop_.events) {}

  void send(wire::Tag tag, std::string_view request) override;
  void cut(wire::Tag tag) override;
  MonoTime run_until(wire::Until until, wire::TransportListener& listener) override;

  TransportHealth take_health() override;

  void preopen();

 private:
  void on_reading(Connection& connection) override {
    if (connection.flight != nullptr) connection.flight->exchange.prefetch();
  }
  void on_ready(Connection& connection) override;
  void on_failed(Connection& connection, const std::string& why) override;
  void on_bytes(Connection& connection, std::string_view bytes, const Stamp& at) override;
  void on_lost(Connection& connection, wire::Loss loss, const Stamp& at) override;

  void start_attempt(Flight& flight, MonoTime now);
  void open_for(Flight& flight, MonoTime now);
  void attach(Flight& flight, std::shared_ptr<Connection> connection);
  void detach(Flight& flight, bool reusable);
  void drop_idle(const Connection& connection);
  void end(Flight& flight);
  void end_or_retry(Flight& flight);
  void set_alarm(const Flight& flight);
  void run_ready(MonoTime deadline);
  [[nodiscard]] Flight* flight_of(const Alarm& alarm);
  void fire_alarms(MonoTime now);
  void on_alarm(Flight& flight, MonoTime now);
  void deliver(wire::TransportListener& listener);

  const TransportOptions options_;
  Target target_;
  const bool keep_text_;
  const Clock& clock_;
  Loop loop_;
  EventLoop& events_;
  Alarms alarms_;
  std::unordered_map<wire::Tag, std::unique_ptr<Flight>> flights_;
  std::vector<std::unique_ptr<Flight>> spare_flights_;
  std::vector<std::shared_ptr<Connection>> idle_;  // the last one in is the first one out
  std::size_t preopening_ = 0;
  std::vector<std::shared_ptr<Connection>> opening_ahead_;
  std::vector<std::pair<wire::Tag, Exchanged>> ended_, delivering_;
};

void HttpTransport::send(wire::Tag tag, std::string_view request) {
  std::unique_ptr<Flight> flight;
  if (spare_flights_.empty()) {
    flight = std::make_unique<Flight>();
  } else {
    flight = std::move(spare_flights_.back());
    spare_flights_.pop_back();
  }
  Flight& started = *flight;
  const bool added = flights_.try_emplace(tag, std::move(flight)).second;
  EVENBENCH_CHECK(added, "tag {} is in flight already", tag);
  started.exchange.begin(options_.expect_stream, keep_text_);
  const MonoTime now = clock_.now();
  started.begin(tag, request, now);
  start_attempt(started, now);
  set_alarm(started);
}

void HttpTransport::start_attempt(Flight& flight, MonoTime now) {
  flight.attempt_sent = now;
  if (idle_.empty()) return open_for(flight, now);
  auto connection = std::move(idle_.back());
  idle_.pop_back();
  flight.pooled = true;
  attach(flight, std::move(connection));
  flight.written = true;
  flight.connection->write(flight.request);
}

void HttpTransport::open_for(Flight& flight, MonoTime now) {
  flight.pooled = false;
  flight.opening_since = now;
  if (!observed(flight.connect_started)) flight.connect_started = now;
  attach(flight, std::make_shared<Connection>(loop_, target_, *this));
  flight.connection->open();
}

void HttpTransport::attach(Flight& flight, std::shared_ptr<Connection> connection) {
  connection->flight = &flight;
  flight.connection = std::move(connection);
}

void HttpTransport::detach(Flight& flight, bool reusable) {
  auto connection = std::move(flight.connection);
  flight.connection = nullptr;
  if (!connection) return;
  connection->flight = nullptr;
  // A connection whose request was answered before it was all sent is of no more use.
  if (reusable && connection->ready() && connection->flushed()) {
    idle_.push_back(std::move(connection));
  } else {
    connection->close();
  }
}

void HttpTransport::cut(wire::Tag tag) {
  const auto found = flights_.find(tag);
  if (found == flights_.end()) return;
  Flight& flight = *found->second;
  flight.exchange.on_cut(Stamp{.user = clock_.now(), .kernel = kNever});
  detach(flight, false);
  end(flight);
}

void HttpTransport::on_ready(Connection& connection) {
  if (connection.flight == nullptr) {
    idle_.push_back(connection.shared_from_this());
    --preopening_;
    return;
  }
  Flight& flight = *connection.flight;
  flight.opening_since = kNever;
  const MonoTime now = clock_.now();
  if (!observed(flight.connected)) flight.connected = now;
  flight.attempt_sent = now;
  flight.written = true;
  connection.write(flight.request);
  set_alarm(flight);  // the idle limit may come before the one that was set
}

void HttpTransport::on_failed(Connection& connection, const std::string& why) {
  if (connection.flight == nullptr) {
    --preopening_;  // the request that needs it will tell
    return;
  }
  Flight& flight = *connection.flight;
  flight.exchange.on_connect_failed(why, Stamp{.user = clock_.now(), .kernel = kNever});
  detach(flight, false);
  end(flight);
}

void HttpTransport::on_bytes(Connection& connection, std::string_view bytes, const Stamp& at) {
  if (connection.flight == nullptr) {
    // Nothing was asked for: what comes is no answer to anything.
    drop_idle(connection);
    connection.close();
    return;
  }
  Flight& flight = *connection.flight;
  flight.last_bytes = at.user;
  const auto status = flight.exchange.on_bytes(bytes, at);
  if (status == wire::Exchange::Status::kMore) return;
  const bool whole = status == wire::Exchange::Status::kComplete;
  detach(flight, whole && flight.exchange.keep_alive());
  end_or_retry(flight);
}

void HttpTransport::on_lost(Connection& connection, wire::Loss loss, const Stamp& at) {
  if (connection.flight == nullptr) return drop_idle(connection);
  Flight& flight = *connection.flight;
  detach(flight, false);
  if (flight.may_reopen()) {
    flight.reopened = true;
    open_for(flight, at.user);
    set_alarm(flight);
    return;
  }
  flight.exchange.on_lost(loss, at);
  end_or_retry(flight);
}

void HttpTransport::drop_idle(const Connection& connection) {
  std::erase_if(idle_, [&](const auto& idle) { return idle.get() == &connection; });
}

void HttpTransport::end_or_retry(Flight& flight) {
  const auto wait = flight.retry_wait(options_.retries);
  if (!wait) return end(flight);
  flight.note_refusal(options_.expect_stream, keep_text_, clock_.now() + *wait);
  alarms_.add({.at = flight.resend_at, .tag = flight.tag, .serial = flight.serial});
}

void HttpTransport::end(Flight& flight) {
  ended_.emplace_back(flight.tag, flight.take());
  auto node = flights_.extract(flight.tag);
  spare_flights_.push_back(std::move(node.mapped()));
}

void HttpTransport::set_alarm(const Flight& flight) {
  const MonoTime at = flight.due(options_.limits).at;
  if (at != MonoTime::max()) {
    alarms_.add({.at = at, .tag = flight.tag, .serial = flight.serial});
  }
}

// Null when it has ended.
Flight* HttpTransport::flight_of(const Alarm& alarm) {
  const auto found = flights_.find(alarm.tag);
  const bool same = found != flights_.end() && found->second->serial == alarm.serial;
  return same ? found->second.get() : nullptr;
}

void HttpTransport::fire_alarms(MonoTime now) {
  while (alarms_.next() <= now) {
    const Alarm alarm = alarms_.take();
    Flight* flight = flight_of(alarm);
    if (flight == nullptr) continue;
    // A time limit must not overtake bytes that lay there in time, however long nobody looked.
    if (flight->due(options_.limits).at <= now && flight->connection &&
        flight->connection->ready()) {
      flight->connection->read_now();
      flight = flight_of(alarm);
    }
    if (flight != nullptr) on_alarm(*flight, now);
  }
}

void HttpTransport::on_alarm(Flight& flight, MonoTime now) {
  const Due due = flight.due(options_.limits);
  if (due.at <= now) {
    flight.exchange.on_limit(due.limit, Stamp{.user = now, .kernel = kNever});
    detach(flight, false);
    return end(flight);
  }
  if (observed(flight.resend_at) && flight.resend_at <= now) {
    flight.resend_at = kNever;
    ++flight.attempts;
    start_attempt(flight, now);
  }
  set_alarm(flight);
}

// Reads what has arrived. Bytes that keep coming must not put off a planned send or a limit.
void HttpTransport::run_ready(MonoTime deadline) {
  const bool late = clock_.now() >= deadline;  // the caller lags behind: reads get their turn too
  for (int done = 0; ended_.empty() && events_.run_one_ready(); ++done) {
    const MonoTime now = clock_.now();
    if (done >= kBatch && (now >= deadline || now >= alarms_.next())) return;
    if (now >= deadline && !late) return;
  }
}

MonoTime HttpTransport::run_until(wire::Until until, wire::TransportListener& listener) {
  const MonoTime deadline = until.first();
  events_.look_again();  // once a call, however late the caller is
  while (true) {
    run_ready(deadline);
    const MonoTime now = clock_.now();
    fire_alarms(now);
    if (!ended_.empty()) {
      deliver(listener);
      return clock_.now();
    }
    if (now >= deadline) return now;
    events_.sleep(until.exact, std::min(until.rough, alarms_.next()));
  }
}

TransportHealth HttpTransport::take_health() {
  for (const auto& connection : idle_) connection->count_segments();
  for (const auto& [tag, flight] : flights_) {
    if (flight->connection) flight->connection->count_segments();
  }
  return loop_.health.take(loop_.kernel_clock);
}

void HttpTransport::deliver(wire::TransportListener& listener) {
  // Listeners send: what ends meanwhile is for the next call.
  delivering_.swap(ended_);
  for (auto& [tag, exchanged] : delivering_) listener.on_done(tag, std::move(exchanged));
  delivering_.clear();
}

void HttpTransport::preopen() {
  for (std::uint32_t i = 0; i < options_.preopen; ++i) {
    opening_ahead_.push_back(std::make_shared<Connection>(loop_, target_, *this));
    opening_ahead_.back()->open();
    ++preopening_;
  }
  constexpr Nanos kPatience = std::chrono::seconds{10};
  const Nanos limit = options_.limits.connect > Nanos{0} ? options_.limits.connect : kPatience;
  const MonoTime until = clock_.now() + limit;
  while (preopening_ > 0 && clock_.now() < until) {
    if (events_.run_one_ready()) continue;
    events_.sleep(MonoTime::max(), until);
  }
  for (const auto& connection : opening_ahead_) {
    if (!connection->ready()) connection->close();
  }
  opening_ahead_.clear();
  preopening_ = 0;
}

}  // namespace

Result<Target> make_target(const wire::Endpoint& endpoint, const Tls& tls) {
  Target target;
  target.host = endpoint.host;
  auto addresses = endpoint.unix_socket.empty() ? resolve(endpoint.host, endpoint.port)
                                                : unix_address(endpoint.unix_socket);
  if (!addresses) return addresses.error();
  target.addresses = std::move(addresses).value();
  if (endpoint.tls) {
    auto context = TlsContext::make(tls);
    if (!context) return context.error();
    target.tls = std::move(context).value();
  }
  return target;
}

Result<std::unique_ptr<wire::Transport>> make_transport(const TransportOptions& options,
                                                        bool keep_text, const Clock& clock) {
  auto target = make_target(options.endpoint, options.tls);
  if (!target) return target.error();
  auto events = EventLoop::make(clock);
  if (!events) return events.error();
  auto transport = std::make_unique<HttpTransport>(options, std::move(target).value(), keep_text,
                                                   std::move(events).value(), clock);
  transport->preopen();
  return std::unique_ptr<wire::Transport>(std::move(transport));
}

Result<std::unique_ptr<wire::Transport>> make_http_transport(const TransportOptions& options,
                                                             const Clock& clock) {
  return make_transport(options, false, clock);
}

Result<std::vector<std::unique_ptr<wire::Transport>>> make_http_transports(
    const TransportOptions& options, std::uint32_t count, const Clock& clock) {
  std::vector<std::unique_ptr<wire::Transport>> out;
  for (std::uint32_t i = 0; i < count; ++i) {
    TransportOptions own = options;
    own.preopen = (options.preopen + count - 1 - i) / count;
    auto transport = make_http_transport(own, clock);
    if (!transport) return transport.error();
    out.push_back(std::move(*transport));
  }
  return out;
}

}  // namespace evenbench::net
