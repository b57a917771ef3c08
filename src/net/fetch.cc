#include "net/fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "net/event_loop.h"
#include "net/transport_parts.h"
#include "wire/http_reader.h"

namespace evenbench::net {
namespace {

constexpr std::size_t kMaxBody = std::size_t{4} << 20;

// One connection, one request, one answer.
class Fetch final : public ConnectionOwner {
 public:
  Fetch(std::string request, Target target, std::unique_ptr<EventLoop> events, const Clock& clock)
      : request_(std::move(request)),
        target_(std::move(target)),
        clock_(clock),
        loop_(std::move(events), clock),
        events_(*loop_.events) {}

  // An error's message is only what went wrong: the caller knows for which URL.
  Result<Fetched> run(Nanos timeout) {
    reader_.begin();
    const auto connection = std::make_shared<Connection>(loop_, target_, *this);
    connection->open();
    const MonoTime until = clock_.now() + timeout;
    while (!over_ && clock_.now() < until) {
      if (!events_.run_one_ready()) events_.sleep(MonoTime::max(), until);
    }
    const bool was_ready = connection->ready();
    connection->close();
    if (!over_) {
      return environment_error(fmt::format("{} within {:.3g} s",
                                           was_ready ? "no whole answer" : "no connection",
                                           to_seconds(timeout)));
    }
    if (!problem_.empty()) return environment_error(problem_);
    answer_.status = reader_.status();
    answer_.content_type = reader_.content_type();
    return std::move(answer_);
  }

 private:
  void on_ready(Connection& connection) override { connection.write(request_); }
  void on_failed(Connection&, const std::string& why) override { finish(why); }
  void on_bytes(Connection&, std::string_view bytes, const Stamp&) override {
    if (over_) return;
    const auto status = reader_.feed(bytes, [this](std::string_view part) { take_body(part); });
    if (status == wire::HttpReader::Status::kBroken) return finish(reader_.error());
    if (too_large_) return finish("the answer is larger than 4 MiB");
    if (status == wire::HttpReader::Status::kComplete) finish("");
  }
  void on_lost(Connection&, wire::Loss loss, const Stamp&) override {
    if (over_) return;
    if (loss == wire::Loss::kEof && reader_.on_eof() == wire::HttpReader::Status::kComplete) {
      return finish("");
    }
    finish(reader_.started() ? "the connection broke before the answer was whole"
                             : "the connection was closed without an answer");
  }

  void take_body(std::string_view part) {
    if (answer_.body.size() + part.size() > kMaxBody) {
      too_large_ = true;
    } else {
      answer_.body += part;
    }
  }
  void finish(std::string problem) {
    problem_ = std::move(problem);
    over_ = true;
  }

  const std::string request_;
  Target target_;
  const Clock& clock_;
  Loop loop_;
  EventLoop& events_;
  wire::HttpReader reader_;
  Fetched answer_;
  bool too_large_ = false;
  bool over_ = false;
  std::string problem_;
};

class OneDone final : public wire::TransportListener {
 public:
  void on_done(wire::Tag, Exchanged&& exchanged) override { exchanged_ = std::move(exchanged); }
  std::optional<Exchanged> exchanged_;
};

}  // namespace

Result<Fetched> fetch(const wire::Endpoint& endpoint, std::string_view method,
                      std::string_view path, const wire::Headers& headers, std::string_view body,
                      const FetchOptions& options, const Clock& clock) {
  const std::string what = fmt::format("{} {}", method, endpoint.url(path));
  auto target = make_target(endpoint, options.tls);
  if (!target) return target.error().in(what);
  auto events = EventLoop::make(clock);
  if (!events) return events.error().in(what);
  Fetch fetching(wire::http_request(method, endpoint, path, headers, body),
                 std::move(target).value(), std::move(events).value(), clock);
  auto answer = fetching.run(options.timeout);
  if (!answer) return answer.error().in(what);
  return answer;
}

Result<Exchanged> fetch_stream(const TransportOptions& options, std::string_view http_request,
                               const Clock& clock) {
  auto transport = make_transport(options, true, clock);
  if (!transport) return transport.error();
  OneDone done;
  (*transport)->send(0, http_request);
  while (!done.exchanged_) (*transport)->run_until(MonoTime::max(), done);
  return std::move(*done.exchanged_);
}

}  // namespace evenbench::net
