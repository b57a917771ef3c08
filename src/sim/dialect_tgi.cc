// Text Generation Inference 3.3: no role event, one token to an event, errors inside a stream as
// HTTP 200, flat error bodies or plain text outside, a key asked for on generation alone. Shapes:
// tests/data/captures/tgi-3.3.7-dfb3fbe7.
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

// Longer answers are made in pieces of so many tokens, each of them whole.
constexpr std::uint32_t kSegment = 1024;
constexpr std::string_view kFingerprint = "tgi-sim-1-native";

std::uint32_t longest_input(const Engine& engine) {
  return engine.profile.max_len - 1;
}

// The limit that is stated is only looked at for the first segment.
std::uint32_t segments(const Engine& engine, const Ask& ask, std::uint32_t wanted) {
  if (wanted <= kSegment) return wanted;
  const std::uint32_t room = engine.profile.max_len - std::max(ask.prompt_tokens, 1U);
  std::uint32_t total = 0;
  do {
    total += kSegment;
  } while (total < wanted && ask.prompt_tokens + total <= longest_input(engine));
  return std::min(total, room);
}

std::optional<Fault> admit(const Engine& engine, Ask& ask) {
  if (ask.temperature && *ask.temperature < 0.0) {
    return fault_of(ask, Kind::kOutOfRange, "temperature");
  }
  if (ask.top_p && !(*ask.top_p > 0.0 && *ask.top_p < 1.0)) {
    return fault_of(ask, Kind::kOutOfRange, "top_p");
  }
  if (!prompt_fits(engine, ask, longest_input(engine))) {
    Fault fault = fault_of(ask, Kind::kPromptTooLong, "inputs");
    fault.at = ask.prompt_tokens;
    return fault;
  }
  const std::uint32_t room = engine.profile.max_len - std::max(ask.prompt_tokens, 1U);
  ask.has_limit = ask.max_tokens.has_value();
  const std::uint32_t wanted = ask.max_tokens.value_or(room);
  if (ask.has_limit && std::min(wanted, kSegment) > room) {
    Fault fault = fault_of(ask, Kind::kTooLong, "max_new_tokens");
    fault.at = ask.prompt_tokens;
    fault.limit = std::min(wanted, kSegment);
    return fault;
  }
  ask.output_tokens = segments(engine, ask, wanted);
  return std::nullopt;
}

std::string answer_id(const Ask& /*ask*/, std::uint64_t /*number*/) {
  return "";
}

std::string usage(UsageIn /*where*/, const Ask& ask, std::uint32_t completion) {
  return fmt::format(R"({{"prompt_tokens":{},"completion_tokens":{},"total_tokens":{}}})",
                     ask.prompt_tokens, completion, ask.prompt_tokens + completion);
}

std::string start_of(const Answer& answer, std::string_view object) {
  return fmt::format(R"({{"object":"{}","id":"","created":{})", object, answer.created);
}

std::string who(const Answer& answer) {
  return fmt::format(R"(,"model":{},"system_fingerprint":"{}")", json_string(answer.model),
                     kFingerprint);
}

EventShape chat_events(const Answer& answer) {
  const std::string start = start_of(answer, "chat.completion.chunk") + who(answer);
  EventShape shape;
  shape.before = start + R"(,"choices":[{"index":0,"delta":{"role":"assistant","content":")";
  shape.after = R"("},"logprobs":null,"finish_reason":null}],"usage":null)";
  shape.last_before = shape.before;
  shape.last_after = fmt::format(R"("}},"logprobs":null,"finish_reason":"{}"}}],"usage":null)",
                                 answer.ask.natural_end ? "stop" : "length");
  shape.usage_event = answer.ask.include_usage;
  shape.usage_before = start + R"(,"choices":[],"usage":)";
  return shape;
}

// Usage rides on the last event, asked for or not, and keys change their order there.
EventShape completion_events(const Answer& answer) {
  const std::string start = start_of(answer, "text_completion");
  constexpr std::string_view kChoice = R"(,"choices":[{"index":0,"text":")";
  EventShape shape;
  shape.before = start + std::string(kChoice);
  shape.after = R"(","logprobs":null,"finish_reason":""}])" + who(answer);
  shape.last_before = start + who(answer) + std::string(kChoice);
  shape.last_after = fmt::format(R"(","logprobs":null,"finish_reason":"{}"}}],"usage":{})",
                                 answer.ask.natural_end ? "eos_token" : "length",
                                 usage(UsageIn::kLastEvent, answer.ask, answer.ask.output_tokens));
  shape.last_text = answer.ask.natural_end ? "</s>" : "";
  return shape;
}

EventShape events(const Answer& answer) {
  EventShape shape =
      answer.ask.api == wire::Api::kChat ? chat_events(answer) : completion_events(answer);
  shape.one_token_events = true;
  return shape;
}

std::string whole(const Answer& answer, const std::string& text) {
  const bool chat = answer.ask.api == wire::Api::kChat;
  const std::string choice =
      chat ? fmt::format(R"("message":{{"role":"assistant","content":"{}"}})", text)
           : fmt::format(R"("text":"{}")", text);
  return fmt::format(
      R"({}{},"choices":[{{"index":0,{},"logprobs":null,"finish_reason":"{}"}}],"usage":{}}})",
      start_of(answer, chat ? "chat.completion" : "text_completion"), who(answer), choice,
      answer.ask.natural_end ? "stop" : "length",
      usage(UsageIn::kWhole, answer.ask, answer.ask.output_tokens));
}

// 422 is what stands inside a stream, for overload too.
Reply failed(int status, std::string_view message, std::string_view type, bool stream) {
  if (stream) {
    return {200, kStreamType,
            dumped({{"error", {{"message", message}, {"http_status_code", 422}}}})};
  }
  return {status, kJsonType, dumped({{"error", message}, {"error_type", type}})};
}

Reply undeserialized(std::string_view what) {
  return {422, kTextType,
          fmt::format("Failed to deserialize the JSON body into the target type: {} at line 1 "
                      "column 1",
                      what)};
}

Reply invalid(const Fault& fault, std::string_view what) {
  return failed(422, fmt::format("Input validation error: {}", what), "validation", fault.stream);
}

Reply out_of_range(const Fault& fault) {
  if (fault.field == "top_p") return invalid(fault, "`top_p` must be > 0.0 and < 1.0");
  if (fault.field == "temperature") {
    return invalid(fault, "`temperature` must be strictly positive");
  }
  if (fault.value.starts_with("-")) {
    return undeserialized(
        fmt::format("{}: invalid value: integer `{}`, expected u32", fault.field, fault.value));
  }
  return invalid(fault, "`max_new_tokens` must be strictly positive");
}

Reply refused(const Engine& engine, const Fault& fault) {
  switch (fault.kind) {
    case Kind::kNotJson:
      return {400, kTextType,
              fmt::format("Failed to parse the request body as JSON: EOF while parsing a value at "
                          "line 1 column {}",
                          fault.at)};
    case Kind::kWrongContentType:
      return {415, kTextType, "Expected request with `Content-Type: application/json`"};
    case Kind::kMissing:
      return undeserialized(fmt::format("missing field `{}`", fault.field));
    case Kind::kTokenIds:
      return undeserialized(
          "prompt: data did not match any variant of untagged enum PromptDeserializer");
    case Kind::kEmpty:
      return invalid(fault, "`inputs` cannot be empty");
    case Kind::kOutOfRange:
      return out_of_range(fault);
    case Kind::kPromptTooLong:
      return invalid(fault, fmt::format("`inputs` must have less than {} tokens. Given: {}",
                                        longest_input(engine), fault.at));
    case Kind::kTooLong:
      return invalid(fault, fmt::format("`inputs` tokens + `max_new_tokens` must be <= {}. Given: "
                                        "{} `inputs` tokens and {} `max_new_tokens`",
                                        engine.profile.max_len, fault.at, fault.limit));
    default:
      return undeserialized(fmt::format("{}: invalid type", fault.field));
  }
}

Reply overloaded(bool stream) {
  return failed(429, "Model is overloaded", "overloaded", stream);
}

// Models, info, health and metrics are open.
bool asks_key(std::string_view path) {
  return path == "/v1/chat/completions" || path == "/v1/completions" || path == "/tokenize" ||
         path == "/chat_tokenize";
}

Reply unauthorized() {
  return {401, "", ""};
}

Reply no_route(bool other_method) {
  return {other_method ? 405 : 404, "", "", other_method ? "allow: POST\r\n" : ""};
}

std::string info(const Engine& engine) {
  const Profile& p = engine.profile;
  return dumped({{"model_id", engine.model},
                 {"model_sha", nullptr},
                 {"model_pipeline_tag", nullptr},
                 {"max_concurrent_requests", p.max_running + p.max_waiting},
                 {"max_best_of", 2},
                 {"max_stop_sequences", 4},
                 {"max_input_tokens", longest_input(engine)},
                 {"max_total_tokens", p.max_len},
                 {"validation_workers", 2},
                 {"max_client_batch_size", 4},
                 {"router", "text-generation-router"},
                 {"version", engine.version()},
                 {"sha", "0000000000000000000000000000000000000000"},
                 {"docker_label", nullptr}});
}

// Nothing stands there before the first request.
std::string metrics(const Engine& engine, const Seen& seen) {
  const Tally& t = seen.tally;
  const EngineGauges& g = seen.gauges;
  if (t.generations + t.refused_as_invalid == 0) return "";
  Prometheus m({});
  m.rust_style = true;
  m.counter("tgi_request_success", "Number of successful requests", t.stopped + t.reached_limit);
  // A chat request counts twice.
  m.counter("tgi_request_count", "Total number of requests",
            2 * (t.generations + t.refused_as_invalid));
  m.family("tgi_request_failure", "counter", "");
  m.series("tgi_request_failure", static_cast<double>(g.refused), {{"err", "overloaded"}});
  m.series("tgi_request_failure", static_cast<double>(t.refused_as_invalid),
           {{"err", "validation"}});
  m.gauge("tgi_queue_size", "Current queue size", g.waiting);
  m.gauge("tgi_batch_current_max_tokens", "Maximum tokens for the current batch", g.kv_tokens_used);
  m.gauge("tgi_batch_current_size", "Current batch size", g.running);
  m.histogram("tgi_request_generated_tokens", "Generated tokens per request", t.output);
  m.histogram("tgi_request_input_length", "Input token length per request", t.prompt);
  m.histogram("tgi_request_mean_time_per_token_duration", "Mean time per token per request",
              t.per_token);
  m.histogram("tgi_request_duration", "Request duration", t.whole);
  m.gauge("tgi_batch_max_total_tokens", "", engine.profile.kv_tokens);
  return m.take();
}

Json tokens_json(const std::string& text, double tokens_per_word) {
  Json tokens = Json::array();
  for (const Token& token : tokenize(text, tokens_per_word)) {
    tokens.push_back({{"id", token.id},
                      {"text", text.substr(token.start, token.stop - token.start)},
                      {"start", token.start},
                      {"stop", token.stop}});
  }
  return tokens;
}

std::optional<Reply> tokenizing(const Engine& engine, const RouteCall& call) {
  const double ratio = engine.settings.tokens_per_word;
  const bool chat = call.path == "/chat_tokenize";
  const auto text = text_to_tokenize(call.body, "inputs");
  if (!text) return undeserialized(chat ? "missing field `messages`" : "missing field `inputs`");
  if (!chat) return Reply{200, kJsonType, dumped(tokens_json(*text, ratio))};
  return Reply{
      200, kJsonType,
      dumped({{"tokenize_response", tokens_json(*text, ratio)}, {"templated_text", *text}})};
}

std::optional<Reply> route(const Engine& engine, const RouteCall& call, const Seen& seen) {
  if (call.method != "GET") {
    if (call.path == "/tokenize" || call.path == "/chat_tokenize") return tokenizing(engine, call);
    return std::nullopt;
  }
  if (call.path == "/health" || call.path == "/ping") {
    if (seen.ready) return Reply{200, "", ""};
    return failed(503, "unhealthy", "healthcheck", false);
  }
  if (call.path == "/info") return Reply{200, kJsonType, info(engine)};
  if (call.path == "/metrics") return Reply{200, kTextType, metrics(engine, seen)};
  if (call.path == "/v1/models") {
    const Json model{
        {"id", engine.model}, {"object", "model"}, {"created", 0}, {"owned_by", kOwner}};
    return Reply{200, kJsonType, dumped({{"object", "list"}, {"data", Json::array({model})}})};
  }
  return std::nullopt;
}

std::string rust_option(const std::optional<std::string>& value) {
  return value ? fmt::format("Some({})", *value) : "None";
}

std::vector<std::string> start_log(const Engine& engine, std::uint16_t port, std::int64_t now_s) {
  const Settings& s = engine.settings;
  const std::string mark = fmt::format("{:%Y-%m-%dT%H:%M:%S}.000000Z  INFO ",
                                       fmt::gmtime(static_cast<std::time_t>(now_s)));
  const std::string launcher = mark + "text_generation_launcher: ";
  const auto number = [](const std::optional<std::uint32_t>& value) {
    return value ? fmt::format("Some({})", *value) : std::string("None");
  };
  return {
      launcher + fmt::format("Args {{ model_id: \"{}\", quantize: {}, speculate: {}, dtype: {}, "
                             "kv_cache_dtype: {}, max_concurrent_requests: {}, max_total_tokens: "
                             "{}, max_batch_size: {}, port: {} }}",
                             engine.model, rust_option(s.quantization),
                             s.speculative ? "Some(3)" : "None", rust_option(s.dtype),
                             rust_option(s.kv_cache_dtype),
                             engine.profile.max_running + engine.profile.max_waiting,
                             number(s.max_model_len), number(s.max_num_seqs), port),
      launcher + fmt::format("Using attention flashinfer - Prefix caching {}",
                             s.caches_prefixes() ? "true" : "false"),
      launcher + fmt::format("Using prefill chunking = {}",
                             engine.profile.chunked_prefill ? "True" : "False"),
      launcher + fmt::format("KV-cache blocks: {}, size: 1", engine.profile.kv_tokens),
      mark + fmt::format("text_generation_router_v3: backends/v3/src/lib.rs:137: Setting max batch "
                         "total tokens to {}",
                         engine.profile.kv_tokens),
      mark + "text_generation_router::server: router/src/server.rs:2591: Connected"};
}

}  // namespace

Dialect tgi_dialect() {
  Dialect d;
  d.name = "tgi";
  d.completions.takes_token_ids = false;
  d.style = {kStreamType, true};
  d.ignores_eos_wish = true;
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
