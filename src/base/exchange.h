// Everything the measuring side knows of one request once it has ended, and the judging side reads
// back: the contract between `wire` and `net`, who fill it, and `record`, which stores it. An
// instant that was not observed is kNever, a number that was not given is nullopt; neither is ever
// 0 in disguise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/outcome.h"
#include "base/stamp.h"
#include "base/time.h"

namespace evenbench {

struct Exchanged {
  Ending ending = Ending::kCutAtEnd;
  // Class of the failure and what was said, e.g. "HTTP 503: the request queue is full", "in-stream
  // error 500: engine stopped", "transport: body incomplete", "idle timeout". Empty for good
  // requests. At most 300 bytes, valid UTF-8, no keys.
  std::string detail;
  int http_status = 0;  // 0: no status line was read. Kept whatever the ending.
  bool streamed =
      false;  // the answer came as an event stream: only then token instants mean anything

  MonoTime connect_started = kNever;  // only when this request opened a connection
  MonoTime connected = kNever;        // TCP (and TLS) ready
  // First attempt: handed to the transport, before a connection is opened for it where none is
  // free. kNever when no connection came about.
  MonoTime sent = kNever;
  Stamp headers;        // response head complete
  Stamp first_event;    // first SSE event of any kind
  Stamp first_token;    // first token event
  Stamp first_content;  // first token event with visible content (not reasoning)
  Stamp last_token;     // last token event; for answers that are not streamed: the end of the body
  Stamp closed;         // response over, or the failure was seen
  TokenEvents tokens;   // every token event in order

  std::optional<std::uint32_t> prompt_tokens;  // server's usage
  std::optional<std::uint32_t>
      cached_tokens;  // server's usage: prompt tokens from the prefix cache
  std::optional<std::uint32_t> reasoning_tokens;  // server's usage: part of output_tokens
  std::optional<std::uint32_t> output_tokens;     // n; see `source`
  TokenSource source = TokenSource::kUnknown;

  std::string finish_reason;   // of the (last) choice, as sent; "" if none came
  bool done_mark = false;      // "[DONE]" was read
  std::uint32_t attempts = 1;  // sends, first included; above 1 only with --retries
  std::uint32_t refusals = 0;  // attempts that were answered 429 or 503
  bool reopened = false;       // a kept-alive connection was closed before the first byte and the
                               // request was sent again
  // Retry-After of an answer other than 200; not kept in the run file.
  std::optional<int> retry_after_s;
  std::uint64_t bytes = 0;         // response bytes read
  std::uint32_t reads = 0;         // reads that carried response bytes
  std::uint32_t merged_reads = 0;  // reads that held more than one token event
  std::string
      text;  // generated text; filled only when the caller asked to keep it (probes), else empty
};

}  // namespace evenbench
