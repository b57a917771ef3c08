#include "sim/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/reply.h"

namespace evenbench::sim {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kPlain = "text/plain; charset=utf-8";

std::optional<wire::Api> api_of(std::string_view target) {
  if (target == "/v1/chat/completions") return wire::Api::kChat;
  if (target == "/v1/completions") return wire::Api::kCompletions;
  return std::nullopt;
}

void answer(Client& client, std::string_view bytes) {
  client.send(bytes);
  client.end();
}

}  // namespace

Service::Service(const ServerOptions& options, MonoTime start, WallTime wall)
    : options_(options),
      dialect_(dialect_of(options.profile.name)),
      model_(sped_up(options.profile, options.speed), options.seed),
      start_(start),
      wall_(wall) {}

Identity Service::identity(MonoTime now) const {
  const auto seconds =
      std::chrono::floor<std::chrono::seconds>(wall_ + (now - start_)).time_since_epoch().count();
  return {dialect_, options_.model, seconds};
}

void Service::handle(const Call& call, Client& client, MonoTime now) {
  const std::string_view target = call.target.substr(0, call.target.find('?'));
  const auto api = api_of(target);
  if (api && call.method == "POST") {
    generate(*api, call, client, now);
  } else if (api || call.method != "GET") {
    answer(client, response(405, kJson, R"({"detail":"Method Not Allowed"})", call.keep_alive));
  } else {
    answer(client, get(target, call.keep_alive, now));
  }
}

std::string Service::get(std::string_view target, bool keep_alive, MonoTime now) const {
  if (target == "/health") {
    const bool ready = now >= start_ + options_.start_delay;
    return response(ready ? 200 : 503, kPlain, "", keep_alive);
  }
  if (target == "/v1/models") {
    return response(200, kJson, models_json(identity(start_), max_model_len(options_.profile)),
                    keep_alive);
  }
  if (target == "/version") {
    return response(200, kJson, version_json(options_.profile), keep_alive);
  }
  if (target == "/metrics") {
    return response(200, "text/plain; version=0.0.4; charset=utf-8",
                    metrics_text(dialect_, options_.profile, options_.model, model_.gauges()),
                    keep_alive);
  }
  return response(404, kJson, R"({"detail":"Not Found"})", keep_alive);
}

std::string Service::refusal(const Result<Ask>& ask, bool keep_alive) const {
  if (!ask) return error_response(dialect_, 400, ask.error().message, keep_alive);
  // Of the three only vLLM looks at the name.
  if (dialect_ == Dialect::kVllm && !ask->model.empty() && ask->model != options_.model) {
    return error_response(dialect_, 404, fmt::format("The model `{}` does not exist.", ask->model),
                          keep_alive);
  }
  return too_long_response(dialect_, options_.profile, *ask, keep_alive);
}

void Service::generate(wire::Api api, const Call& call, Client& client, MonoTime now) {
  const Result<Ask> ask = reader_.read(api, call.body);
  if (const std::string no = refusal(ask, call.keep_alive); !no.empty()) {
    answer(client, no);
    return;
  }
  const SequenceId id = next_id_++;
  const MonoTime begins = std::max(now, start_ + options_.start_delay);
  if (!model_.submit(id, ask->prompt_tokens, ask->output_tokens, begins)) {
    answer(client, overloaded_response(dialect_, ask->stream, call.keep_alive));
    return;
  }
  flights_.emplace(
      id, Flight{&client, AnswerText(identity(now), *ask, id), ask->stream, call.keep_alive});
  by_client_[&client] = id;
  if (ask->stream) client.send(stream_head(call.keep_alive));
}

void Service::gone(Client& client, MonoTime now) {
  const auto it = by_client_.find(&client);
  if (it == by_client_.end()) return;
  model_.abort(it->second, now);
  flights_.erase(it->second);
  by_client_.erase(it);
}

void Service::advance(MonoTime now) {
  emitted_.clear();
  model_.advance(now, emitted_);
  for (const EmittedTokens& emitted : emitted_) deliver(emitted);
}

void Service::deliver(const EmittedTokens& emitted) {
  const auto it = flights_.find(emitted.id);
  if (it == flights_.end()) return;
  const Flight& flight = it->second;
  Client& client = *flight.client;
  bytes_.clear();
  if (flight.stream) {
    flight.text.tokens(emitted.count, emitted.total, emitted.last, bytes_);
  } else if (emitted.last) {
    bytes_ = response(200, kJson, flight.text.whole(), flight.keep_alive);
  }
  if (!bytes_.empty()) client.send(bytes_);
  if (!emitted.last) return;
  by_client_.erase(&client);
  flights_.erase(it);
  client.end();
}

}  // namespace evenbench::sim
