#include "wire/exchange.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/prefetch.h"
#include "wire/detail_text.h"
#include "wire/event_decoder.h"
#include "wire/http_reader.h"
#include "wire/sse_scanner.h"

namespace evenbench::wire {
namespace {

// A whole answer that is not streamed, and what is kept of an error's body.
constexpr std::size_t kMaxJson = std::size_t{16} << 20;
constexpr std::size_t kMaxErrorBody = std::size_t{8} << 10;
// Token events for which room is made before the first of them comes.
constexpr std::size_t kFewTokens = 64, kManyTokens = 4096;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view without_data_prefix(std::string_view body) {
  constexpr std::string_view kPrefix = "data:";
  return body.starts_with(kPrefix) ? body.substr(kPrefix.size()) : body;
}

// A code in words stands before the message, where no cut can take it.
std::string said_of(const DecodedEvent& error) {
  const bool repeats = error.error_word.empty() || contains(error.error_message, error.error_word);
  return repeats ? error.error_message : error.error_word + ": " + error.error_message;
}

std::string_view limit_detail(Limit limit) {
  switch (limit) {
    case Limit::kTotal:
      return "total timeout";
    case Limit::kIdle:
      return "idle timeout";
    case Limit::kFirstToken:
      return "first token timeout";
    case Limit::kConnect:
      return "connect timeout";
  }
  return "timeout";
}

}  // namespace

struct Exchange::State {
  HttpReader http;
  SseScanner sse;
  EventDecoder decoder;
  HttpReader::OnBody on_body = [this](std::string_view bytes) { take_body(bytes); };
  SseScanner::OnEvent on_event = [this](std::string_view data) { take_event(data); };

  Exchanged out;
  bool expect_stream = true;
  bool keep_text = false;
  std::size_t expected_tokens = kFewTokens;  // as many as the longest answer so far had
  bool over = true;
  Stamp now;         // of the read at hand
  std::string body;  // of an error, or of an answer that is not streamed
  std::string broken;

  bool finished = false;  // a finish reason was read
  bool has_error = false;
  int error_code = 0;
  std::string error_message;

  std::optional<std::uint32_t> final_count, running_count;
  std::uint32_t ids_total = 0;
  std::uint32_t counted = 0;      // running total at the last token event
  bool uncounted_before = false;  // a token event without a count came since then

  void begin(bool stream, bool text) {
    http.begin();
    sse.reset();
    out = Exchanged{};
    expect_stream = stream;
    keep_text = text;
    over = false;
    now = Stamp{};
    body.clear();
    broken.clear();
    finished = has_error = false;
    error_code = 0;
    error_message.clear();
    final_count = running_count = {};
    ids_total = counted = 0;
    uncounted_before = false;
  }

  void note_head() {
    if (!http.head_done() || observed(out.headers)) return;
    out.headers = now;
    out.http_status = http.status();
    // A server that was asked for a stream and does not say JSON is taken at its word.
    out.streamed =
        http.status() == 200 && (contains(http.content_type(), "event-stream") ||
                                 (expect_stream && !contains(http.content_type(), "json")));
  }

  void take_body(std::string_view bytes) {
    note_head();
    if (out.streamed) {
      if (!broken.empty()) return;
      if (!sse.feed(bytes, on_event)) broken = "an event of the stream is larger than 1 MiB";
      return;
    }
    const std::size_t limit = out.http_status == 200 ? kMaxJson : kMaxErrorBody;
    if (body.size() + bytes.size() > limit && out.http_status == 200) {
      broken = "the answer is larger than 16 MiB";
    }
    if (body.size() < limit) body.append(bytes.substr(0, limit - body.size()));
  }

  void take_event(std::string_view data) {
    if (!broken.empty()) return;
    if (!observed(out.first_event)) out.first_event = now;
    const DecodedEvent& event = decoder.decode(data, keep_text);
    if (!event.broken.empty()) {
      broken = "an event is not a JSON object (" + std::string(event.broken) +
               "): " + detail_text(data, 80);
      return;
    }
    if (event.done_mark) {
      out.done_mark = true;
      return;
    }
    take_error(event);
    if (event.finished) {
      finished = true;
      out.finish_reason = event.finish_reason;
    }
    take_usage(event);
    if (event.is_token_event()) take_tokens(event);
  }

  void take_error(const DecodedEvent& event) {
    if (!event.has_error || has_error) return;
    has_error = true;
    error_code = event.error_code;
    error_message = said_of(event);
  }

  // The last usage wins and none is ever added to another: engines repeat running totals.
  void take_usage(const DecodedEvent& event) {
    if (!event.has_usage) return;
    if (event.prompt_tokens) out.prompt_tokens = event.prompt_tokens;
    if (event.cached_tokens) out.cached_tokens = event.cached_tokens;
    if (event.reasoning_tokens) out.reasoning_tokens = event.reasoning_tokens;
    if (!event.completion_tokens) return;
    const bool final = !event.has_choices || finished;
    (final ? final_count : running_count) = event.completion_tokens;
  }

  void take_tokens(const DecodedEvent& event) {
    if (!observed(out.first_token)) {
      out.first_token = now;
      out.tokens.reserve(expected_tokens);
    }
    if (!observed(out.first_content) && (event.content_bytes > 0 || event.tool_piece)) {
      out.first_content = now;
    }
    out.last_token = now;
    out.tokens.push_back({.at = now, .tokens = tokens_of(event), .merged = false});
    if (keep_text) out.text += event.text;
  }

  std::uint32_t tokens_of(const DecodedEvent& event) {
    ids_total += event.token_ids;
    if (event.has_usage && event.completion_tokens && *event.completion_tokens >= counted) {
      const std::uint32_t gained = *event.completion_tokens - counted;
      counted = *event.completion_tokens;
      // What came uncounted before this one is in the gain too: then it tells nothing of this one.
      return std::exchange(uncounted_before, false) ? 0 : gained;
    }
    if (event.token_ids > 0) return event.token_ids;
    uncounted_before = true;
    return 0;
  }

  Exchange::Status feed(std::string_view bytes, const Stamp& at) {
    now = at;
    out.bytes += bytes.size();
    ++out.reads;
    const std::size_t before = out.tokens.size();
    const auto status = http.feed(bytes, on_body);
    note_head();
    if (status == HttpReader::Status::kComplete) finish_body();
    mark_merged(before);
    if (status == HttpReader::Status::kBroken && broken.empty()) broken = http.error();
    if (!broken.empty()) {
      end(Ending::kBadStream, broken);
      return Exchange::Status::kBroken;
    }
    if (status != HttpReader::Status::kComplete) return Exchange::Status::kMore;
    end_properly();
    return Exchange::Status::kComplete;
  }

  // Several token events of one read: none of them is known to be as late as the read.
  void mark_merged(std::size_t before) {
    if (out.tokens.size() < before + 2) return;
    ++out.merged_reads;
    for (std::size_t i = before; i < out.tokens.size(); ++i) out.tokens[i].merged = true;
  }

  // The body has come to its end: what an unfinished line holds is all there will be of it.
  void finish_body() {
    if (out.streamed) {
      if (broken.empty() && sse.has_partial() && !sse.feed("\n\n", on_event)) {
        broken = "an event of the stream is larger than 1 MiB";
      }
    } else if (out.http_status == 200) {
      take_answer();
    }
  }

  void take_answer() {
    const DecodedEvent& answer = decoder.decode(body, keep_text);
    if (!answer.broken.empty()) {
      if (!body.empty() && broken.empty()) {
        broken = "the answer is not a JSON object (" + std::string(answer.broken) +
                 "): " + detail_text(body, 80);
      }
      return;
    }
    take_error(answer);
    finished = true;  // the answer is whole whether or not it says why it ended
    out.finish_reason = answer.finish_reason;
    take_usage(answer);
    if (answer.token_ids > 0) ids_total = answer.token_ids;
    if (answer.is_token_event()) out.last_token = now;
    if (keep_text) out.text = answer.text;
  }

  void end_properly() {
    if (settle_by_server()) return;
    if (!observed(out.last_token)) {
      end(Ending::kEmpty, "the answer held no token");
    } else if (!finished && !out.done_mark) {
      end(Ending::kBadStream, "the stream ended without a finish reason or [DONE]");
    } else {
      end(Ending::kDone, "");
    }
  }

  // What the server itself said stands, whatever becomes of the connection afterwards.
  bool settle_by_server() {
    if (out.http_status != 0 && out.http_status != 200) {
      end(Ending::kHttpError, http_detail());
      return true;
    }
    if (has_error) {
      const std::string code = error_code != 0 ? " " + std::to_string(error_code) : "";
      end(Ending::kStreamError, "in-stream error" + code + ": " + error_message);
      return true;
    }
    return false;
  }

  std::string http_detail() {
    const DecodedEvent& answer = decoder.decode(without_data_prefix(body), false);
    const std::string text =
        detail_text(answer.broken.empty() && answer.has_error ? said_of(answer) : body);
    return "HTTP " + std::to_string(out.http_status) + (text.empty() ? "" : ": " + text);
  }

  void end(Ending ending, std::string_view detail) {
    over = true;
    if (ending == Ending::kHttpError && http.retry_after_s() >= 0) {
      out.retry_after_s = http.retry_after_s();
    }
    out.ending = ending;
    out.detail = detail_text(detail);
    out.closed = now;
    if (final_count) {
      out.output_tokens = final_count;
      out.source = TokenSource::kUsage;
    } else if (running_count) {
      out.output_tokens = running_count;
      out.source = TokenSource::kRunningUsage;
    } else if (ids_total > 0) {
      out.output_tokens = ids_total;
      out.source = TokenSource::kTokenIds;
    }
  }

  std::string loss_detail(Loss loss) const {
    if (!http.started()) {
      return loss == Loss::kEof ? "transport: closed before the response"
                                : "transport: connection reset";
    }
    if (!http.head_done()) return "transport: response head incomplete";
    return out.done_mark ? "transport: body incomplete (behind [DONE])"
                         : "transport: body incomplete";
  }
};

Exchange::Exchange() : state_(std::make_unique<State>()) {}
Exchange::~Exchange() = default;
Exchange::Exchange(Exchange&&) noexcept = default;
Exchange& Exchange::operator=(Exchange&&) noexcept = default;

void Exchange::begin(bool expect_stream, bool keep_text) {
  state_->begin(expect_stream, keep_text);
}

void Exchange::prefetch() const {
  evenbench::prefetch(state_.get(), sizeof(State));
  state_->decoder.prefetch();
  const TokenEvents& tokens = state_->out.tokens;
  evenbench::prefetch(tokens.data() + tokens.size(), sizeof(TokenEvent));
}

Exchange::Status Exchange::on_bytes(std::string_view bytes, const Stamp& at) {
  EVENBENCH_CHECK(!state_->over, "bytes for an exchange that is over");
  if (bytes.empty()) return Status::kMore;
  return state_->feed(bytes, at);
}

void Exchange::on_lost(Loss loss, const Stamp& at) {
  State& s = *state_;
  if (s.over) return;
  s.now = at;
  if (loss == Loss::kEof && s.http.on_eof() == HttpReader::Status::kComplete) {
    s.finish_body();
    if (s.broken.empty()) {
      s.end_properly();
    } else {
      s.end(Ending::kBadStream, s.broken);
    }
    return;
  }
  if (!s.settle_by_server()) s.end(Ending::kReset, s.loss_detail(loss));
}

void Exchange::on_limit(Limit limit, const Stamp& at) {
  State& s = *state_;
  if (s.over) return;
  s.now = at;
  if (!s.settle_by_server()) s.end(Ending::kTimedOut, limit_detail(limit));
}

void Exchange::on_cut(const Stamp& at) {
  State& s = *state_;
  if (s.over) return;
  s.now = at;
  if (!s.settle_by_server()) s.end(Ending::kCutAtEnd, "");
}

void Exchange::on_connect_failed(std::string_view why, const Stamp& at) {
  State& s = *state_;
  if (s.over) return;
  s.now = at;
  s.end(Ending::kConnectFailed, why);
}

bool Exchange::started() const {
  return state_->http.started();
}
bool Exchange::keep_alive() const {
  return state_->http.keep_alive();
}
bool Exchange::has_token() const {
  return !state_->out.tokens.empty();
}
int Exchange::http_status() const {
  return state_->out.http_status;
}
int Exchange::retry_after_s() const {
  return state_->http.retry_after_s();
}
Exchanged Exchange::take() {
  State& s = *state_;
  EVENBENCH_CHECK(s.over, "an exchange is taken before it is over");
  s.expected_tokens = std::clamp(s.out.tokens.size(), s.expected_tokens, kManyTokens);
  return std::move(s.out);
}

}  // namespace evenbench::wire
