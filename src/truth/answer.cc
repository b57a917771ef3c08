#include "truth/answer.h"

#include <fmt/format.h>

#include <algorithm>

namespace evenbench::truth {
namespace {

constexpr int kPromptTokens = 8;
constexpr std::string_view kStreamHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

std::string text_of(int tokens) {
  std::string out;
  for (int i = 0; i < tokens; ++i) out += " t";
  return out;
}

std::string chunk(std::string_view data) {
  return fmt::format("{:x}\r\ndata: {}\n\n\r\n", data.size() + 8, data);
}

std::string usage(int tokens) {
  return fmt::format(R"({{"prompt_tokens":{},"completion_tokens":{},"total_tokens":{}}})",
                     kPromptTokens, tokens, kPromptTokens + tokens);
}

// What every event of an engine begins with (here vLLM 0.32): some clients refuse events without
// it.
std::string object(const Asked& asked, std::string_view chat, std::string_view text) {
  return fmt::format(R"({{"id":"{}-8521d57ce1de566a","object":"{}","created":1796033400,)"
                     R"("model":"truth",)",
                     asked.chat ? "chatcmpl" : "cmpl", asked.chat ? chat : text);
}

std::string chunk_object(const Asked& asked) {
  return object(asked, "chat.completion.chunk", "text_completion");
}

// One event with the text of `tokens` tokens, as a chunk.
std::string event(const Asked& asked, int tokens) {
  const std::string text = text_of(tokens);
  const std::string said = asked.chat ? fmt::format(R"("delta":{{"content":"{}"}})", text)
                                      : fmt::format(R"("text":"{}")", text);
  return chunk(fmt::format(R"({}"choices":[{{"index":0,{},"logprobs":null,"finish_reason":null,)"
                           R"("token_ids":null}}]}})",
                           chunk_object(asked), said));
}

// The events of one send that holds `tokens` tokens.
std::string events(const Asked& asked, int tokens, int per_event) {
  std::string out;
  const std::string full = event(asked, per_event);
  for (; tokens >= per_event; tokens -= per_event) out += full;
  if (tokens > 0) out += event(asked, tokens);
  return out;
}

// Finish reason, usage if it was asked for, [DONE] and the end of the body.
std::string tail(const Asked& asked, int tokens) {
  const std::string head = chunk_object(asked);
  std::string out = chunk(
      fmt::format(R"({}"choices":[{{"index":0,{},"logprobs":null,"finish_reason":"length"}}]}})",
                  head, asked.chat ? R"("delta":{})" : R"("text":"")"));
  if (asked.usage) {
    out += chunk(fmt::format(R"({}"choices":[],"usage":{}}})", head, usage(tokens)));
  }
  return out + chunk("[DONE]") + "0\r\n\r\n";
}

// The answer when no stream was asked for.
std::string whole(const Asked& asked, int tokens) {
  const std::string text = text_of(tokens);
  const std::string said =
      asked.chat ? fmt::format(R"("message":{{"role":"assistant","content":"{}"}})", text)
                 : fmt::format(R"("text":"{}")", text);
  return plain(
      200, fmt::format(R"({}"choices":[{{"index":0,{},"finish_reason":"length"}}],)"
                       R"("usage":{}}})",
                       object(asked, "chat.completion", "text_completion"), said, usage(tokens)));
}

}  // namespace

std::string plain(int status, std::string_view json) {
  return fmt::format(
      "HTTP/1.1 {} Truth\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}", status,
      json.size(), json);
}

std::string error(int status, std::string_view message) {
  return plain(status, fmt::format(R"({{"error":{{"message":"{}","code":{}}}}})", message, status));
}

std::string models() {
  return plain(200, R"({"object":"list","data":[{"id":"truth","object":"model"}]})");
}

Script::Script(const Asked& asked, int tokens, int per_event, int events_per_send)
    : tokens_(tokens), tokens_per_send_(tokens) {
  if (!asked.stream) {
    first_ = whole(asked, tokens);
    return;
  }
  tokens_per_send_ = per_event * events_per_send;
  sends_ = (tokens - 1) / tokens_per_send_ + 1;
  first_ = std::string(kStreamHead) + events(asked, std::min(tokens, tokens_per_send_), per_event);
  if (sends_ == 1) {
    first_ += tail(asked, tokens);
    return;
  }
  middle_ = events(asked, tokens_per_send_, per_event);
  last_ = events(asked, tokens - tokens_before(sends_ - 1), per_event) + tail(asked, tokens);
}

std::string_view Script::bytes(int number) const {
  if (number == 0) return first_;
  return number == sends_ - 1 ? last_ : middle_;
}

int Script::tokens_before(int number) const {
  return number == sends_ ? tokens_ : number * tokens_per_send_;
}

}  // namespace evenbench::truth
