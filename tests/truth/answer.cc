#include "answer.h"

#include <fmt/format.h>

namespace truth {
namespace {

constexpr int kPromptTokens = 8;

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

std::string stream_head() {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
}

std::string event(const Asked& asked, int tokens) {
  const std::string text = text_of(tokens);
  return chunk(asked.chat ? fmt::format(R"({{"choices":[{{"index":0,"delta":{{"content":"{}"}},)"
                                        R"("finish_reason":null}}]}})",
                                        text)
                          : fmt::format(R"({{"choices":[{{"index":0,"text":"{}",)"
                                        R"("finish_reason":null}}]}})",
                                        text));
}

std::string tail(const Asked& asked, int tokens) {
  std::string out =
      chunk(asked.chat ? R"({"choices":[{"index":0,"delta":{},"finish_reason":"length"}]})"
                       : R"({"choices":[{"index":0,"text":"","finish_reason":"length"}]})");
  if (asked.usage) out += chunk(fmt::format(R"({{"choices":[],"usage":{}}})", usage(tokens)));
  return out + chunk("[DONE]") + "0\r\n\r\n";
}

std::string whole(const Asked& asked, int tokens) {
  const std::string text = text_of(tokens);
  const std::string said =
      asked.chat ? fmt::format(R"("message":{{"role":"assistant","content":"{}"}})", text)
                 : fmt::format(R"("text":"{}")", text);
  return plain(200, fmt::format(R"({{"choices":[{{"index":0,{},"finish_reason":"length"}}],)"
                                R"("usage":{}}})",
                                said, usage(tokens)));
}

}  // namespace truth
