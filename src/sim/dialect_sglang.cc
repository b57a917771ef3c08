// SGLang of 2026: nulls written out, the finish reason of a chat in an event of its own, flat
// errors, a key asked for everywhere but on /health and /metrics, all arguments on /server_info. No
// recorded answer of a real one was at hand: shapes as described in tests/data/sglang-shapes.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "sim/dialect.h"
#include "sim/json_text.h"
#include "sim/tokenizer.h"

namespace evenbench::sim {
namespace {

using Kind = Fault::Kind;

constexpr std::uint32_t kCompletionTokens = 16;  // where a completion states no limit
constexpr std::uint32_t kEosId = 2;

std::optional<Fault> admit(const Engine& engine, Ask& ask) {
  if (ask.temperature && *ask.temperature < 0.0) {
    return fault_of(ask, Kind::kOutOfRange, "temperature", python_float(*ask.temperature));
  }
  if (ask.top_p && !(*ask.top_p > 0.0 && *ask.top_p <= 1.0)) {
    return fault_of(ask, Kind::kOutOfRange, "top_p", python_float(*ask.top_p));
  }
  const std::uint32_t context = engine.profile.max_len;
  if (!prompt_fits(engine, ask, context - 1)) {
    Fault fault = fault_of(ask, Kind::kPromptTooLong);
    fault.at = ask.prompt_tokens;
    return fault;
  }
  const std::uint32_t room = context - std::max(ask.prompt_tokens, 1U);
  const bool chat = ask.api == wire::Api::kChat;
  ask.has_limit = ask.max_tokens || !chat;
  const std::uint32_t wanted = ask.max_tokens.value_or(chat ? room : kCompletionTokens);
  if (wanted > room && !engine.settings.truncate) {
    Fault fault = fault_of(ask, Kind::kTooLong);
    fault.at = ask.prompt_tokens;
    fault.limit = wanted;
    return fault;
  }
  ask.output_tokens = std::min(wanted, room);
  return std::nullopt;
}

std::string answer_id(const Ask& /*ask*/, std::uint64_t number) {
  return fmt::format("{:032x}", number);
}

std::string usage(UsageIn /*where*/, const Ask& ask, std::uint32_t completion) {
  return fmt::format(R"({{"prompt_tokens":{},"total_tokens":{},"completion_tokens":{},)"
                     R"("prompt_tokens_details":null,"reasoning_tokens":0}})",
                     ask.prompt_tokens, ask.prompt_tokens + completion, completion);
}

std::string start_of(const Answer& answer, std::string_view object) {
  return fmt::format(R"({{"id":"{}","object":"{}","created":{},"model":{})", answer.id, object,
                     answer.created, json_string(answer.model));
}

// What stopped it: the id of the token, or nothing.
std::string matched(const Answer& answer) {
  return answer.ask.natural_end ? std::to_string(kEosId) : "null";
}

std::string_view reason_of(const Answer& answer) {
  return answer.ask.natural_end ? "stop" : "length";
}

EventShape chat_events(const Answer& answer, std::string_view null_usage) {
  const std::string start = start_of(answer, "chat.completion.chunk");
  constexpr std::string_view kBehind = R"(,"reasoning_content":null,"tool_calls":null},)"
                                       R"("logprobs":null,"finish_reason":)";
  EventShape shape;
  shape.role =
      fmt::format(R"({},"choices":[{{"index":0,"delta":{{"role":"assistant","content":""{}null,)"
                  R"("matched_stop":null}}],"usage":null)",
                  start, kBehind);
  shape.before = start + R"(,"choices":[{"index":0,"delta":{"role":null,"content":")";
  shape.after = fmt::format(R"("{}null,"matched_stop":null}}]{})", kBehind, null_usage);
  shape.last_after = shape.after;
  shape.skips_empty_text = true;
  shape.finish =
      fmt::format(R"({},"choices":[{{"index":0,"delta":{{"role":null,"content":null{}"{}",)"
                  R"("matched_stop":{}}}],"usage":null)",
                  start, kBehind, reason_of(answer), matched(answer));
  shape.usage_before = start + R"(,"choices":[],"usage":)";
  return shape;
}

EventShape completion_events(const Answer& answer, std::string_view null_usage) {
  const std::string start = start_of(answer, "text_completion");
  EventShape shape;
  shape.before = start + R"(,"choices":[{"index":0,"text":")";
  shape.after =
      fmt::format(R"(","logprobs":null,"finish_reason":null,"matched_stop":null}}]{})", null_usage);
  shape.last_after = fmt::format(R"(","logprobs":null,"finish_reason":"{}","matched_stop":{}}}]{})",
                                 reason_of(answer), matched(answer), null_usage);
  shape.usage_before = start + R"(,"choices":[],"usage":)";
  return shape;
}

EventShape events(const Answer& answer) {
  const bool running = answer.ask.continuous_usage;
  const std::string_view null_usage = running ? "" : R"(,"usage":null)";
  EventShape shape = answer.ask.api == wire::Api::kChat ? chat_events(answer, null_usage)
                                                        : completion_events(answer, null_usage);
  shape.last_before = shape.before;
  shape.running_usage = running;
  shape.usage_event = answer.ask.include_usage;
  return shape;
}

std::string whole(const Answer& answer, const std::string& text) {
  const bool chat = answer.ask.api == wire::Api::kChat;
  const std::string choice = chat ? fmt::format(R"("message":{{"role":"assistant","content":"{}",)"
                                                R"("reasoning_content":null,"tool_calls":null}})",
                                                text)
                                  : fmt::format(R"("text":"{}")", text);
  return fmt::format(
      R"({},"choices":[{{"index":0,{},"logprobs":null,"finish_reason":"{}","matched_stop":{}}}],)"
      R"("usage":{},"metadata":{{"weight_version":"default"}}}})",
      start_of(answer, chat ? "chat.completion" : "text_completion"), choice, reason_of(answer),
      matched(answer), usage(UsageIn::kWhole, answer.ask, answer.ask.output_tokens));
}

Reply error(int status, std::string_view message, std::string_view type) {
  return {status, kJsonType,
          dumped({{"object", "error"},
                  {"message", message},
                  {"type", type},
                  {"param", nullptr},
                  {"code", status}})};
}

Reply refused(const Engine& engine, const Fault& fault) {
  constexpr std::string_view kInvalid = "Bad Request";
  constexpr std::string_view kBad = "BadRequestError";
  switch (fault.kind) {
    case Kind::kNotJson:
      return error(400, "Request body is not valid JSON: JSON decode error", kInvalid);
    case Kind::kWrongContentType:
      return error(400, "Unsupported Media Type: Only 'application/json' is allowed", kInvalid);
    case Kind::kMissing:
      return error(400, fmt::format("1 validation error: body.{}: Field required", fault.field),
                   kInvalid);
    case Kind::kEmpty:
      return error(400, fmt::format("{} cannot be empty", fault.field), kBad);
    case Kind::kOutOfRange:
      return error(400, fmt::format("{} is out of range, got {}.", fault.field, fault.value), kBad);
    case Kind::kPromptTooLong:
      return error(400,
                   fmt::format("The input ({} tokens) is longer than the model's context length "
                               "({} tokens).",
                               fault.at, engine.profile.max_len),
                   kBad);
    case Kind::kTooLong:
      return error(
          400,
          fmt::format("Requested token count exceeds the model's maximum context length "
                      "of {} tokens. You requested a total of {} tokens: {} tokens from "
                      "the input messages and {} tokens for the completion.",
                      engine.profile.max_len, fault.at + fault.limit, fault.at, fault.limit),
          kBad);
    default:
      return error(400,
                   fmt::format("1 validation error: body.{}: Input should be valid, got {}",
                               fault.field, fault.value),
                   kInvalid);
  }
}

Reply overloaded(bool /*stream*/) {
  return error(503, "The request queue is full.", "SERVICE_UNAVAILABLE");
}

bool asks_key(std::string_view path) {
  return !path.starts_with("/health") && !path.starts_with("/metrics");
}

Reply unauthorized() {
  return {401, kJsonType, R"({"error":"Unauthorized"})"};
}

Reply no_route(bool other_method) {
  if (other_method) {
    return {405, kJsonType, R"({"detail":"Method Not Allowed"})", "allow: POST\r\n"};
  }
  return {404, kJsonType, R"({"detail":"Not Found"})"};
}

Json or_null(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json();
}

Json server_info(const Engine& engine) {
  const Settings& s = engine.settings;
  const Profile& p = engine.profile;
  return {{"model_path", engine.model},
          {"tokenizer_path", engine.model},
          {"tokenizer_mode", "auto"},
          {"context_length", s.max_model_len ? Json(*s.max_model_len) : Json()},
          {"dtype", s.dtype.value_or("auto")},
          {"quantization", or_null(s.quantization)},
          {"kv_cache_dtype", s.kv_cache_dtype.value_or("auto")},
          {"mem_fraction_static", 0.88},
          {"max_running_requests", p.max_running},
          {"max_queued_requests", p.max_waiting > 0 ? Json(p.max_waiting) : Json()},
          {"chunked_prefill_size", p.chunked_prefill ? Json(p.step_token_budget) : Json(-1)},
          {"max_prefill_tokens", 16384},
          {"tp_size", 1},
          {"stream_interval", s.stream_interval.value_or(1)},
          {"api_key", nullptr},
          {"served_model_name", engine.model},
          {"sampling_defaults", s.engine_sampling ? "openai" : "model"},
          {"enable_metrics", true},
          {"enable_cache_report", false},
          {"allow_auto_truncate", s.truncate},
          {"disable_radix_cache", !s.caches_prefixes()},
          {"speculative_algorithm", or_null(s.speculative)},
          {"status", "ready"},
          {"max_total_num_tokens", p.kv_tokens},
          {"max_req_input_len", p.max_len - 1},
          {"internal_states", Json::array({{{"memory_usage", {{"token_capacity", p.kv_tokens}}}}})},
          {"version", engine.version()}};
}

std::string metrics(const Engine& engine, const Seen& seen) {
  const Tally& t = seen.tally;
  const EngineGauges& g = seen.gauges;
  Prometheus m({{"model_name", engine.model}});
  m.gauge("sglang:num_running_reqs", "The number of running requests.", g.running);
  m.gauge("sglang:num_queue_reqs", "The number of requests in the waiting queue.", g.waiting);
  m.gauge("sglang:token_usage", "The token usage.",
          static_cast<double>(g.kv_tokens_used) / engine.profile.kv_tokens);
  m.gauge("sglang:max_total_num_tokens", "Maximum total number of tokens.",
          engine.profile.kv_tokens);
  m.gauge("sglang:cache_hit_rate", "The prefix cache hit rate.", 0.0);
  m.counter("sglang:num_retracted_requests_total", "Number of retracted requests.", g.preemptions);
  m.counter("sglang:prompt_tokens_total", "Number of prefill tokens processed.", g.prompt_tokens);
  m.counter("sglang:generation_tokens_total", "Number of generation tokens processed.",
            g.generation_tokens);
  m.counter("sglang:num_requests_total", "Number of requests processed.",
            t.stopped + t.reached_limit);
  m.histogram("sglang:time_to_first_token_seconds", "Histogram of time to first token in seconds.",
              t.first_token);
  m.histogram("sglang:inter_token_latency_seconds", "Histogram of inter-token latency in seconds.",
              t.between_tokens);
  m.histogram("sglang:e2e_request_latency_seconds",
              "Histogram of End-to-end request latency in seconds", t.whole);
  return m.take();
}

std::optional<Reply> route(const Engine& engine, const RouteCall& call, const Seen& seen) {
  if (call.method != "GET") {
    if (call.path == "/flush_cache") return Reply{200, kTextType, "Cache flushed.\n"};
    if (call.path != "/tokenize" && call.path != "/v1/tokenize") return std::nullopt;
    const auto ids = token_ids(call.body, engine.settings.tokens_per_word);
    if (!ids) return refused(engine, {.kind = Kind::kMissing, .field = "prompt"});
    return Reply{
        200, kJsonType,
        dumped(
            {{"tokens", *ids}, {"count", ids->size()}, {"max_model_len", engine.profile.max_len}})};
  }
  if (call.path == "/health" || call.path == "/health_generate") {
    return Reply{seen.ready ? 200 : 503, "", ""};
  }
  if (call.path == "/v1/models") {
    const Json model{{"id", engine.model},
                     {"object", "model"},
                     {"created", seen.now_s},
                     {"owned_by", kOwner},
                     {"root", engine.model},
                     {"parent", nullptr},
                     {"max_model_len", engine.profile.max_len}};
    return Reply{200, kJsonType, dumped({{"object", "list"}, {"data", Json::array({model})}})};
  }
  if (call.path == "/server_info" || call.path == "/get_server_info") {
    return Reply{200, kJsonType, dumped(server_info(engine))};
  }
  if (call.path == "/metrics") {
    return Reply{200, "text/plain; version=1.0.0; charset=utf-8", metrics(engine, seen)};
  }
  return std::nullopt;
}

std::vector<std::string> start_log(const Engine& engine, std::uint16_t port, std::int64_t now_s) {
  const std::string mark =
      fmt::format("[{:%Y-%m-%d %H:%M:%S}] ", fmt::gmtime(static_cast<std::time_t>(now_s)));
  const Settings& s = engine.settings;
  const Profile& p = engine.profile;
  std::string args;
  const Json info = server_info(engine);
  for (const auto& [key, value] : info.items()) {
    if (key == "status") break;
    args += fmt::format("{}{}={}", args.empty() ? "" : ", ", key, python_repr(value));
  }
  const std::string cache = s.kv_cache_dtype.value_or(s.dtype.value_or("bfloat16"));
  return {mark + "server_args=ServerArgs(" + args + ")",
          mark + fmt::format("KV Cache is allocated. dtype: torch.{}, #tokens: {}, K size: 12.00 "
                             "GB, V size: 12.00 GB",
                             cache, p.kv_tokens),
          mark + fmt::format("max_total_num_tokens={}, chunked_prefill_size={}, "
                             "max_prefill_tokens=16384, max_running_requests={}, context_len={}, "
                             "available_gpu_mem=8.00 GB",
                             p.kv_tokens, p.chunked_prefill ? p.step_token_budget : -1,
                             p.max_running, p.max_len),
          fmt::format("INFO:     Uvicorn running on port {}", port),
          mark + "The server is fired up and ready to roll!"};
}

}  // namespace

Dialect sglang_dialect() {
  Dialect d;
  d.name = "sglang";
  d.says_name_back = true;
  d.admit = admit;
  d.answer_id = answer_id;
  d.events = events;
  d.usage = usage;
  d.whole = whole;
  d.refused = refused;
  d.overloaded = overloaded;
  d.asks_key = asks_key;
  d.unauthorized = unauthorized;
  d.no_route = no_route;
  d.route = route;
  d.start_log = start_log;
  return d;
}

}  // namespace evenbench::sim
