// One request on its way: its exchange, its attempts, and when which limit ends it. Decides; holds
// no socket of its own and reads no clock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/exchange.h"
#include "net/http_transport.h"
#include "wire/exchange.h"
#include "wire/transport.h"

namespace evenbench::net {

class Connection;

struct Due {
  MonoTime at = MonoTime::max();  // max: never
  wire::Limit limit = wire::Limit::kTotal;
};

struct Flight {
  wire::Tag tag = 0;
  std::string_view request;
  wire::Exchange exchange;
  std::shared_ptr<Connection> connection;  // null while it waits to be sent again

  MonoTime sent = kNever;  // first attempt
  MonoTime attempt_sent = kNever;
  MonoTime last_bytes = kNever;     // of this attempt
  MonoTime opening_since = kNever;  // set while a connection is being opened
  MonoTime resend_at = kNever;      // set while it waits to be sent again
  MonoTime connect_started = kNever;
  MonoTime connected = kNever;
  std::uint32_t attempts = 1;
  std::uint32_t refusals = 0;
  bool pooled = false;   // its connection was open before
  bool written = false;  // an attempt of it came as far as a connection
  bool reopened = false;
  std::uint64_t earlier_bytes = 0;  // of answers that were refusals
  std::uint32_t earlier_reads = 0;
  std::uint64_t serial = 0;  // tells this use of the object from the one before

  void begin(wire::Tag new_tag, std::string_view new_request, MonoTime now);

  // The limit that comes first, and when.
  [[nodiscard]] Due due(const Limits& limits) const;
  // A kept-alive connection that closes before the first byte of an answer has most likely been
  // closed by the server for idleness before the request arrived: it is opened anew, once.
  [[nodiscard]] bool may_reopen() const;
  // The answer at hand is a refusal, and the options allow another attempt: how long to wait.
  [[nodiscard]] std::optional<Nanos> retry_wait(const Retries& retries) const;
  // Keeps account of a refused attempt; the exchange is ready for the next one afterwards.
  void note_refusal(bool expect_stream, bool keep_text, MonoTime resend);
  // The result, with the sender's own instants filled in.
  Exchanged take();
};

[[nodiscard]] bool is_refusal(int http_status);

}  // namespace evenbench::net
