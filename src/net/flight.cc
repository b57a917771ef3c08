#include "net/flight.h"

#include <algorithm>

namespace evenbench::net {
namespace {

// A server that asks for a day is told about, not waited for.
constexpr int kLongestRetryAfterS = 60;

}  // namespace

bool is_refusal(int http_status) {
  return http_status == 429 || http_status == 503;
}

void Flight::begin(wire::Tag new_tag, std::string_view new_request, MonoTime now) {
  tag = new_tag;
  request = new_request;
  connection.reset();
  sent = attempt_sent = now;
  last_bytes = opening_since = resend_at = connect_started = connected = kNever;
  attempts = 1;
  refusals = 0;
  pooled = reopened = written = false;
  earlier_bytes = 0;
  earlier_reads = 0;
  ++serial;
}

Due Flight::due(const Limits& limits) const {
  Due first;
  const auto consider = [&first](Nanos limit, MonoTime since, wire::Limit which) {
    if (limit > Nanos{0} && since + limit < first.at) first = {.at = since + limit, .limit = which};
  };
  consider(limits.total, sent, wire::Limit::kTotal);
  if (observed(resend_at)) return first;
  if (!exchange.has_token()) consider(limits.first_token, sent, wire::Limit::kFirstToken);
  if (observed(opening_since)) {
    consider(limits.connect, opening_since, wire::Limit::kConnect);
  } else {
    consider(limits.idle, observed(last_bytes) ? last_bytes : attempt_sent, wire::Limit::kIdle);
  }
  return first;
}

bool Flight::may_reopen() const {
  return pooled && !reopened && !exchange.started();
}

std::optional<Nanos> Flight::retry_wait(const Retries& retries) const {
  if (!is_refusal(exchange.http_status()) || attempts > retries.max) return std::nullopt;
  const int asked = exchange.retry_after_s();
  const Nanos wanted = std::chrono::seconds{std::clamp(asked, 0, kLongestRetryAfterS)};
  return std::max(retries.wait, wanted);
}

void Flight::note_refusal(bool expect_stream, bool keep_text, MonoTime resend) {
  const Exchanged refused = exchange.take();
  earlier_bytes += refused.bytes;
  earlier_reads += refused.reads;
  ++refusals;
  resend_at = resend;
  last_bytes = kNever;
  exchange.begin(expect_stream, keep_text);
}

Exchanged Flight::take() {
  Exchanged out = exchange.take();
  if (is_refusal(out.http_status)) ++refusals;
  // What found no connection was never sent, whenever it was handed over.
  out.sent = written ? sent : kNever;
  out.connect_started = connect_started;
  out.connected = connected;
  out.attempts = attempts;
  out.refusals = refusals;
  out.reopened = reopened;
  out.bytes += earlier_bytes;
  out.reads += earlier_reads;
  return out;
}

}  // namespace evenbench::net
