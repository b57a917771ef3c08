// trtllm-serve of 2026: a role event with a blank behind it, nulls left out of chat events and
// written into those of completions, unknown fields refused, errors as one flat object, JSON
// statistics on /metrics that are gone once read. Shapes: tests/data/captures/trtllm-transcribed.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/dialect.h"
#include "sim/json_text.h"
#include "sim/tokenizer.h"
#include "sim/trtllm_shown.h"

namespace evenbench::sim {
namespace {

using Kind = Fault::Kind;

constexpr std::uint32_t kCompletionTokens = 16;  // where a completion states no limit

// The fields of its request classes; every other one is forbidden.
constexpr auto kFields = std::to_array<std::string_view>({"model",
                                                          "messages",
                                                          "prompt",
                                                          "max_tokens",
                                                          "max_completion_tokens",
                                                          "stream",
                                                          "stream_options",
                                                          "temperature",
                                                          "top_p",
                                                          "top_k",
                                                          "min_p",
                                                          "seed",
                                                          "stop",
                                                          "stop_token_ids",
                                                          "n",
                                                          "best_of",
                                                          "logprobs",
                                                          "top_logprobs",
                                                          "logit_bias",
                                                          "frequency_penalty",
                                                          "presence_penalty",
                                                          "repetition_penalty",
                                                          "length_penalty",
                                                          "min_tokens",
                                                          "ignore_eos",
                                                          "skip_special_tokens",
                                                          "spaces_between_special_tokens",
                                                          "include_stop_str_in_output",
                                                          "use_beam_search",
                                                          "detokenize",
                                                          "add_special_tokens",
                                                          "add_generation_prompt",
                                                          "chat_template",
                                                          "chat_template_kwargs",
                                                          "response_format",
                                                          "tools",
                                                          "tool_choice",
                                                          "user",
                                                          "echo",
                                                          "suffix",
                                                          "truncate_prompt_tokens",
                                                          "reasoning_effort"});

std::uint32_t longest_prompt(const Engine& engine) {
  // Without chunked prefill a prompt must fit into one step.
  const std::uint32_t step =
      engine.profile.chunked_prefill ? engine.profile.max_len : engine.profile.step_token_budget;
  return std::min(step, engine.profile.max_len - 1);
}

std::optional<Fault> admit(const Engine& engine, Ask& ask) {
  if (!prompt_fits(engine, ask, longest_prompt(engine))) {
    Fault fault = fault_of(ask, Kind::kPromptTooLong, "prompt");
    fault.at = ask.prompt_tokens;
    fault.limit = longest_prompt(engine);
    return fault;
  }
  const std::uint32_t room = engine.profile.max_len - std::max(ask.prompt_tokens, 1U);
  const bool chat = ask.api == wire::Api::kChat;
  ask.has_limit = ask.max_tokens || !chat;
  // A limit beyond the room is cut without a word.
  ask.output_tokens = std::min(ask.max_tokens.value_or(chat ? room : kCompletionTokens), room);
  return std::nullopt;
}

std::string answer_id(const Ask& ask, std::uint64_t number) {
  const std::string_view kind = ask.api == wire::Api::kChat ? "chatcmpl" : "cmpl";
  return ask.stream ? fmt::format("{}-{}", kind, number) : fmt::format("{}-{:032x}", kind, number);
}

std::string usage(UsageIn /*where*/, const Ask& ask, std::uint32_t completion) {
  return fmt::format(R"({{"prompt_tokens":{},"total_tokens":{},"completion_tokens":{},)"
                     R"("prompt_tokens_details":{{"cached_tokens":0}}}})",
                     ask.prompt_tokens, ask.prompt_tokens + completion, completion);
}

std::string start_of(const Answer& answer, std::string_view object) {
  return fmt::format(R"({{"id":"{}","object":"{}","created":{},"model":{})", answer.id, object,
                     answer.created, json_string(answer.model));
}

EventShape chat_events(const Answer& answer) {
  const std::string start = start_of(answer, "chat.completion.chunk");
  EventShape shape;
  shape.running_usage = answer.ask.continuous_usage;
  shape.role = start + R"(,"choices":[{"index":0,"delta":{"role":"assistant"}}])";
  if (shape.running_usage) {
    shape.role += ",\"usage\":" + usage(UsageIn::kEveryEvent, answer.ask, 0);
  }
  shape.role_blank = true;
  shape.before = start + R"(,"choices":[{"index":0,"delta":{"content":")";
  shape.after = R"(","reasoning_content":""},"avg_decoded_tokens_per_iter":1.0}])";
  shape.last_after = fmt::format(
      R"(","reasoning_content":""}},"finish_reason":"{}","avg_decoded_tokens_per_iter":1.0}}])",
      answer.ask.natural_end ? "stop" : "length");
  shape.usage_before = start + R"(,"choices":[],"usage":)";
  return shape;
}

EventShape completion_events(const Answer& answer) {
  const std::string start = start_of(answer, "text_completion");
  EventShape shape;
  shape.running_usage = answer.ask.continuous_usage;
  const std::string_view null_usage = shape.running_usage ? "" : R"(,"usage":null)";
  shape.before = start + R"(,"choices":[{"index":0,"text":")";
  const auto after = [&](std::string_view reason) {
    return fmt::format(
        R"(","token_ids":null,"logprobs":null,"finish_reason":{},"stop_reason":null,)"
        R"("avg_decoded_tokens_per_iter":1.0}}]{})",
        reason, null_usage);
  };
  shape.after = after("null");
  shape.last_after = after(answer.ask.natural_end ? R"("stop")" : R"("length")");
  shape.usage_before = start + R"(,"choices":[],"usage":)";
  return shape;
}

EventShape events(const Answer& answer) {
  EventShape shape =
      answer.ask.api == wire::Api::kChat ? chat_events(answer) : completion_events(answer);
  shape.last_before = shape.before;
  shape.usage_event = answer.ask.include_usage;
  return shape;
}

std::string whole(const Answer& answer, const std::string& text) {
  const std::string_view reason = answer.ask.natural_end ? "stop" : "length";
  const std::string sums = usage(UsageIn::kWhole, answer.ask, answer.ask.output_tokens);
  if (answer.ask.api == wire::Api::kChat) {
    return fmt::format(
        R"({},"choices":[{{"index":0,"message":{{"role":"assistant","content":"{}",)"
        R"("reasoning_content":"","reasoning":null,"tool_calls":[]}},"logprobs":null,)"
        R"("finish_reason":"{}","stop_reason":null,"mm_embedding_handle":null,)"
        R"("disaggregated_params":null,"avg_decoded_tokens_per_iter":1.0}}],"usage":{},)"
        R"("prompt_token_ids":null,"prompt_token_ids_b64":null}})",
        start_of(answer, "chat.completion"), text, reason, sums);
  }
  return fmt::format(
      R"({},"choices":[{{"index":0,"text":"{}","token_ids":null,"logprobs":null,)"
      R"("context_logits":null,"finish_reason":"{}","stop_reason":null,)"
      R"("disaggregated_params":null,"avg_decoded_tokens_per_iter":1.0}}],"usage":{},)"
      R"("prompt_token_ids":null}})",
      start_of(answer, "text_completion"), text, reason, sums);
}

// What pydantic found: a list of Python's, as text.
Reply not_valid(std::string_view kind, std::string_view where, std::string_view more) {
  return {400, kJsonType,
          dumped({{"error", fmt::format("[{{'type': '{}', 'loc': {}, {}}}]", kind, where, more)}})};
}

// Whatever the engine raises.
Reply raised(int status, std::string_view message) {
  return {status, kJsonType,
          dumped({{"object", "error"},
                  {"message", message},
                  {"type", "BadRequestError"},
                  {"param", nullptr},
                  {"code", status}})};
}

Reply refused(const Engine& /*engine*/, const Fault& fault) {
  const std::string where = fmt::format("('body', '{}')", fault.field);
  switch (fault.kind) {
    case Kind::kNotJson:
      return not_valid("json_invalid", fmt::format("('body', {})", fault.at),
                       "'msg': 'JSON decode error', 'input': {}, 'ctx': {'error': 'Expecting "
                       "value'}");
    case Kind::kMissing:
      return not_valid("missing", where, "'msg': 'Field required'");
    case Kind::kUnknownField:
      return not_valid(
          "extra_forbidden", where,
          "'msg': 'Extra inputs are not permitted', 'input': " + python_repr_of(fault.value));
    case Kind::kOptionsWithoutStream:
      return not_valid("value_error", "('body',)",
                       "'msg': 'Value error, Stream options can only be defined when stream is "
                       "true.', 'input': {'stream_options': " +
                           python_repr_of(fault.value) + "}");
    case Kind::kPromptTooLong:
      return raised(400, fmt::format("The sum of prompt length ({}), query length (0) should not "
                                     "exceed max_num_tokens ({})",
                                     python_float(static_cast<double>(fault.at)), fault.limit));
    case Kind::kOutOfRange:
      return raised(400,
                    fmt::format("{} must be greater than 0, but got {}", fault.field, fault.value));
    case Kind::kEmpty:
      return raised(400, fmt::format("{} must not be empty", fault.field));
    default:
      return not_valid("value_error", where,
                       "'msg': 'Input should be valid', 'input': " + python_repr_of(fault.value));
  }
}

// It has no limit of its own: this stands for one that a profile is given.
Reply overloaded(bool /*stream*/) {
  return raised(503, "the request queue is full");
}

// It asks for no key. A key of --api-key-env is that of a proxy before it.
bool asks_key(std::string_view path) {
  return path.starts_with("/v1");
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

std::optional<Reply> route(const Engine& engine, const RouteCall& call, const Seen& seen) {
  const bool get = call.method == "GET";
  if (get && call.path == "/health") {
    if (seen.ready) return Reply{200, "", ""};
    return Reply{503, kTextType, "LLM is unavailable. Please check the server logs for details."};
  }
  if (get && call.path == "/v1/models") {
    const Json model{
        {"id", engine.model}, {"object", "model"}, {"created", seen.now_s}, {"owned_by", kOwner}};
    return Reply{200, kJsonType, dumped({{"object", "list"}, {"data", Json::array({model})}})};
  }
  if (get && call.path == "/version") {
    return Reply{200, kJsonType, dumped({{"version", engine.version()}})};
  }
  if (get && call.path == "/metrics") return Reply{200, kJsonType, trtllm_drained(engine, seen)};
  if (get && call.path == "/prometheus/metrics") {
    return Reply{200, "text/plain; version=0.0.4; charset=utf-8", trtllm_prometheus(engine, seen)};
  }
  if (!get && call.path == "/_internal/tokenize") {
    const auto ids = token_ids(call.body, engine.settings.tokens_per_word);
    if (!ids) return refused(engine, {.kind = Kind::kMissing, .field = "prompt"});
    return Reply{200, kJsonType, dumped({{"count", ids->size()}, {"tokens", *ids}})};
  }
  return std::nullopt;
}

}  // namespace

Dialect trtllm_dialect() {
  Dialect d;
  d.name = "trtllm";
  d.chat.needs_model = d.chat.options_need_stream = d.chat.usage_unless_denied = true;
  d.chat.known_fields = kFields;
  d.completions = d.chat;
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
  d.start_log = trtllm_start_log;
  d.says_name_back = true;
  return d;
}

}  // namespace evenbench::sim
