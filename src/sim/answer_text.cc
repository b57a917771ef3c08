#include "sim/answer_text.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

namespace evenbench::sim {
namespace {

constexpr std::array<std::string_view, 8> kWords{" alpha", " bravo", " delta", " hotel",
                                                 " india", " kilos", " oscar", " romeo"};
constexpr std::string_view kFinish = "\"length\"";  // a simulated answer always has its full length

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string usage_json(Dialect dialect, std::uint32_t prompt, std::uint32_t completion) {
  return fmt::format(
      R"({{"prompt_tokens":{},"total_tokens":{},"completion_tokens":{}{}}})", prompt,
      prompt + completion, completion,
      dialect == Dialect::kTrtllm ? R"(,"prompt_tokens_details":{"cached_tokens":0})" : "");
}

}  // namespace

Dialect dialect_of(std::string_view profile) {
  if (profile == "trtllm") return Dialect::kTrtllm;
  return profile == "tgi" ? Dialect::kTgi : Dialect::kVllm;
}

AnswerText::AnswerText(const Identity& identity, const Ask& ask, std::uint64_t number)
    : ask_(ask), dialect_(identity.dialect) {
  const bool chat = ask.api == wire::Api::kChat;
  const std::string id =
      dialect_ == Dialect::kTgi ? "" : fmt::format("{}-{}", chat ? "chatcmpl" : "cmpl", number);
  const std::string_view chat_object = ask.stream ? "chat.completion.chunk" : "chat.completion";
  start_ = fmt::format(R"({{"id":"{}","object":"{}","created":{},"model":{})", id,
                       chat ? chat_object : "text_completion", identity.created,
                       json_string(identity.model));
  if (dialect_ == Dialect::kTgi) start_ += R"(,"system_fingerprint":"tgi-sim-1")";
  chat ? make_chat() : make_completion();
}

void AnswerText::make_chat() {
  switch (dialect_) {
    case Dialect::kVllm:
      head_ = R"(,"choices":[{"index":0,"delta":{"content":")";
      end_ = R"("},"logprobs":null,"finish_reason":null,"token_ids":null}])";
      last_ = fmt::format(
          R"("}},"logprobs":null,"finish_reason":{},"stop_reason":null,"token_ids":null}}])",
          kFinish);
      break;
    case Dialect::kTrtllm:
      head_ = R"(,"choices":[{"index":0,"delta":{"content":")";
      end_ = R"(","reasoning_content":""},"avg_decoded_tokens_per_iter":1.0}])";
      last_ = fmt::format(
          R"(","reasoning_content":""}},"finish_reason":{},"avg_decoded_tokens_per_iter":1.0}}])",
          kFinish);
      break;
    case Dialect::kTgi:
      head_ = R"(,"choices":[{"index":0,"delta":{"role":"assistant","content":")";
      end_ = R"("},"logprobs":null,"finish_reason":null}],"usage":null)";
      last_ = fmt::format(R"("}},"logprobs":null,"finish_reason":{}}}],"usage":null)", kFinish);
      break;
  }
}

void AnswerText::make_completion() {
  head_ = R"(,"choices":[{"index":0,"text":")";
  switch (dialect_) {
    case Dialect::kVllm:
      end_ = R"(","logprobs":null,"finish_reason":null,"stop_reason":null,"token_ids":null}])";
      last_ = fmt::format(
          R"(","logprobs":null,"finish_reason":{},"stop_reason":null,"token_ids":null}}])",
          kFinish);
      break;
    case Dialect::kTrtllm:
      end_ = R"(","token_ids":null,"logprobs":null,"finish_reason":null,"stop_reason":null}])";
      last_ = fmt::format(
          R"(","token_ids":null,"logprobs":null,"finish_reason":{},"stop_reason":null}}])",
          kFinish);
      break;
    case Dialect::kTgi:  // usage rides on the last text, asked for or not
      end_ = R"(","logprobs":null,"finish_reason":""}])";
      last_ = fmt::format(R"(","logprobs":null,"finish_reason":{}}}],"usage":{})", kFinish,
                          usage_json(dialect_, ask_.prompt_tokens, ask_.output_tokens));
      break;
  }
}

void AnswerText::role(std::string& out) const {
  if (ask_.api != wire::Api::kChat || dialect_ == Dialect::kTgi) return;
  const std::string_view delta =
      dialect_ == Dialect::kVllm
          ? R"({"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]})"
          : R"({"role":"assistant"}}]} )";  // the blank is trtllm-serve's
  append_chunk(fmt::format("data: {},\"choices\":[{{\"index\":0,\"delta\":{}\n\n", start_, delta),
               out);
}

void AnswerText::usage(std::uint32_t completion, std::string& out) const {
  const bool own_chunk = dialect_ != Dialect::kTgi || ask_.api == wire::Api::kChat;
  if (!ask_.include_usage || !own_chunk) return;
  append_chunk(fmt::format("data: {},\"choices\":[],\"usage\":{}}}\n\n", start_,
                           usage_json(dialect_, ask_.prompt_tokens, completion)),
               out);
}

void AnswerText::tokens(std::uint32_t count, std::uint32_t total, bool last,
                        std::string& out) const {
  if (total == count) role(out);  // both engines that have one send it with the first token
  const bool running_usage = ask_.continuous_usage && dialect_ != Dialect::kTgi;
  std::string running;
  if (running_usage) {
    running = ",\"usage\":" + usage_json(dialect_, ask_.prompt_tokens, total);
  }
  const std::string& behind = last ? last_ : end_;
  constexpr std::string_view kData = "data: ";
  constexpr std::string_view kClose = "}\n\n";
  const std::size_t size = kData.size() + start_.size() + head_.size() + count * kWords[0].size() +
                           behind.size() + running.size() + kClose.size();
  fmt::format_to(std::back_inserter(out), "{:x}\r\n", size);
  out.append(kData).append(start_).append(head_);
  append_words(total - count, count, out);
  out.append(behind).append(running).append(kClose).append("\r\n");
  if (!last) return;
  usage(total, out);
  append_done(out);
}

std::string AnswerText::whole() const {
  std::string text;
  append_words(0, ask_.output_tokens, text);
  const std::string choice =
      ask_.api == wire::Api::kChat
          ? fmt::format(R"("message":{{"role":"assistant","content":"{}"}})", text)
          : fmt::format(R"("text":"{}")", text);
  return fmt::format(
      R"({},"choices":[{{"index":0,{},"logprobs":null,"finish_reason":{}}}],"usage":{}}})", start_,
      choice, kFinish, usage_json(dialect_, ask_.prompt_tokens, ask_.output_tokens));
}

void append_chunk(std::string_view events, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{:x}\r\n{}\r\n", events.size(), events);
}

void append_done(std::string& out) {
  out += "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n";
}

void append_words(std::uint32_t first, std::uint32_t count, std::string& out) {
  for (std::uint32_t i = first; i < first + count; ++i) out += kWords[i % kWords.size()];
}

}  // namespace evenbench::sim
