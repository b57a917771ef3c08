#include "sim/reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace evenbench::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kOverloaded = "Model is overloaded";

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 429:
      return "Too Many Requests";
    default:
      return "Service Unavailable";
  }
}

std::string_view connection(bool keep_alive) {
  return keep_alive ? "" : "connection: close\r\n";
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class Metrics {
 public:
  explicit Metrics(std::string labels) : labels_(std::move(labels)) {}
  void add(std::string_view type, std::string_view name, double value) {
    // An OpenMetrics counter's family has no _total; its sample has.
    std::string_view family = name;
    if (family.ends_with("_total")) family.remove_suffix(6);
    fmt::format_to(std::back_inserter(text_), "# TYPE {} {}\n{}{} {}\n", family, type, name,
                   labels_, value);
  }
  void gauge(std::string_view name, double value) { add("gauge", name, value); }
  void counter(std::string_view name, std::uint64_t value) {
    add("counter", name, static_cast<double>(value));
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string labels_;
  std::string text_;
};

void add_vllm(Metrics& m, const EngineGauges& g, double kv) {
  m.gauge("vllm:num_requests_running", g.running);
  m.gauge("vllm:num_requests_waiting", g.waiting);
  m.gauge("vllm:kv_cache_usage_perc", kv);
  m.counter("vllm:num_preemptions_total", g.preemptions);
  m.counter("vllm:prompt_tokens_total", g.prompt_tokens);
  m.counter("vllm:generation_tokens_total", g.generation_tokens);
  m.counter("vllm:request_success_total", g.finished);
}

void add_trtllm(Metrics& m, const EngineGauges& g, double kv) {
  m.gauge("trtllm_num_requests_running", g.running);
  m.gauge("trtllm_num_requests_waiting", g.waiting);
  m.gauge("trtllm_kv_cache_utilization", kv);
  m.counter("trtllm_prompt_tokens_total", g.prompt_tokens);
  m.counter("trtllm_generation_tokens_total", g.generation_tokens);
  m.counter("trtllm_request_success_total", g.finished);
}

void add_tgi(Metrics& m, const Profile& profile, const EngineGauges& g) {
  m.gauge("tgi_batch_current_size", g.running);
  m.gauge("tgi_queue_size", g.waiting);
  m.gauge("tgi_batch_current_max_tokens", g.kv_tokens_used);
  m.gauge("tgi_batch_max_total_tokens", profile.kv_tokens);
  m.counter("tgi_request_input_length_sum", g.prompt_tokens);
  m.counter("tgi_request_generated_tokens_sum", g.generation_tokens);
  m.counter("tgi_request_success", g.finished);
  m.counter("tgi_request_failure", g.refused);
}

}  // namespace

std::string response(int status, std::string_view content_type, std::string_view body,
                     bool keep_alive) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nserver: evenbench-simulated\r\n{}content-type: {}\r\ncontent-length: "
      "{}\r\n\r\n{}",
      status, reason_of(status), connection(keep_alive), content_type, body.size(), body);
}

std::string stream_head(bool keep_alive) {
  return fmt::format(
      "HTTP/1.1 200 OK\r\nserver: evenbench-simulated\r\n{}content-type: text/event-stream; "
      "charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n",
      connection(keep_alive));
}

std::string error_response(Dialect dialect, int status, std::string_view message, bool keep_alive) {
  Json body;
  const std::string_view type = status == 404 ? "NotFoundError" : "BadRequestError";
  switch (dialect) {
    case Dialect::kVllm:
      body["error"] = {{"message", message}, {"type", type}, {"param", nullptr}, {"code", status}};
      break;
    case Dialect::kTrtllm:
      body = {{"object", "error"},
              {"message", message},
              {"type", type},
              {"param", nullptr},
              {"code", status}};
      break;
    case Dialect::kTgi:
      body = {{"error", message}, {"error_type", "validation"}};
      break;
  }
  return response(status, "application/json", dumped(body), keep_alive);
}

std::string overloaded_response(Dialect dialect, bool stream, bool keep_alive) {
  if (dialect != Dialect::kTgi) {
    return error_response(dialect, 503, "the request queue is full", keep_alive);
  }
  if (!stream) {
    const Json body{{"error", kOverloaded}, {"error_type", "overloaded"}};
    return response(429, "application/json", dumped(body), keep_alive);
  }
  // 422 is what TGI writes there, for overload too.
  const Json event{{"error", {{"message", kOverloaded}, {"http_status_code", 422}}}};
  std::string out = stream_head(keep_alive);
  append_chunk("data: " + dumped(event) + "\n\n", out);
  append_done(out);
  return out;
}

std::uint32_t max_model_len(const Profile& profile) {
  return std::min(8192U, profile.kv_tokens / profile.kv_block * profile.kv_block);
}

std::string too_long_response(Dialect dialect, const Profile& profile, const Ask& ask,
                              bool keep_alive) {
  // The model prefills at least one token.
  const std::uint64_t length = std::uint64_t{std::max(ask.prompt_tokens, 1U)} + ask.output_tokens;
  if (length <= max_model_len(profile)) return "";
  return error_response(dialect, 400,
                        fmt::format("prompt and output are {} tokens, the context holds {}", length,
                                    max_model_len(profile)),
                        keep_alive);
}

std::string models_json(const Identity& identity, std::uint32_t max_model_len) {
  const Json model{{"id", identity.model},
                   {"object", "model"},
                   {"created", identity.created},
                   {"owned_by", "evenbench-simulated"},
                   {"max_model_len", max_model_len}};
  return dumped({{"object", "list"}, {"data", Json::array({model})}});
}

std::string version_json(const Profile& profile) {
  return dumped({{"version", profile.name + "-sim-1"}});
}

std::string metrics_text(Dialect dialect, const Profile& profile, std::string_view model,
                         const EngineGauges& gauges) {
  const double kv = static_cast<double>(gauges.kv_tokens_used) / profile.kv_tokens;
  Metrics metrics(dialect == Dialect::kTgi
                      ? ""
                      : fmt::format("{{model_name={}}}", dumped(Json(std::string(model)))));
  switch (dialect) {
    case Dialect::kVllm:
      add_vllm(metrics, gauges, kv);
      break;
    case Dialect::kTrtllm:
      add_trtllm(metrics, gauges, kv);
      break;
    case Dialect::kTgi:
      add_tgi(metrics, profile, gauges);
      break;
  }
  return metrics.take();
}

}  // namespace evenbench::sim
