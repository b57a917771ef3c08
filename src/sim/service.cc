#include "sim/service.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace evenbench::sim {
namespace {

std::optional<wire::Api> api_of(std::string_view path) {
  if (path == "/v1/chat/completions") return wire::Api::kChat;
  if (path == "/v1/completions") return wire::Api::kCompletions;
  return std::nullopt;
}

// What stands before the engine's own routes: "/gateway" for "/gateway/v1". nullopt: outside of it.
std::optional<std::string_view> below_prefix(std::string_view path, std::string_view prefix) {
  while (prefix.ends_with('/')) prefix.remove_suffix(1);
  if (prefix.ends_with("/v1")) prefix.remove_suffix(3);
  if (!path.starts_with(prefix)) return std::nullopt;
  return path.substr(prefix.size());
}

Engine engine_for(const ServerOptions& options) {
  Engine engine = engine_of(options.profile, options.settings, options.model).value();
  engine.seed = options.seed;
  return engine;
}

}  // namespace

Service::Service(const ServerOptions& options, MonoTime start, WallTime wall)
    : front_(engine_for(options)),
      gate_(front_.engine()),
      model_(sped_up(front_.engine().profile, options.speed), options.seed),
      start_(start),
      ready_(start + options.start_delay),
      wall_(wall) {}

std::int64_t Service::seconds_at(MonoTime now) const {
  return std::chrono::floor<std::chrono::seconds>(wall_ + (now - start_))
      .time_since_epoch()
      .count();
}

void Service::answer(Client& client, const Reply& reply, bool keep_alive) {
  client.send(front_.bytes_of(reply, keep_alive));
  client.end();
}

void Service::handle(const Call& call, Client& client, MonoTime now) {
  const Engine& engine = front_.engine();
  const auto path =
      below_prefix(call.target.substr(0, call.target.find('?')), engine.settings.path_prefix);
  if (!path) {
    answer(client, engine.dialect->no_route(false), call.keep_alive);
    return;
  }
  const auto api = api_of(*path);
  const bool generates = api && call.method == "POST";
  if (const auto stopped = gate_.stop(*path, call.authorization, generates, now)) {
    answer(client, *stopped, call.keep_alive);
  } else if (generates) {
    generate(*api, call, client, now);
  } else {
    answer(client, api ? engine.dialect->no_route(true) : route(call, *path, now), call.keep_alive);
  }
}

Reply Service::route(const Call& call, std::string_view path, MonoTime now) {
  const Engine& engine = front_.engine();
  const std::size_t query = call.target.find('?');
  const RouteCall asked{
      call.method, path,
      query == std::string_view::npos ? std::string_view() : call.target.substr(query + 1),
      call.body};
  const Seen seen{model_.gauges(), tally_, now >= ready_, seconds_at(now)};
  if (const auto reply = engine.dialect->route(engine, asked, seen)) return *reply;
  return engine.dialect->no_route(false);
}

void Service::generate(wire::Api api, const Call& call, Client& client, MonoTime now) {
  auto taken = front_.take(api, call.content_type, call.body);
  if (const Reply* no = std::get_if<Reply>(&taken)) {
    ++tally_.refused_as_invalid;
    answer(client, *no, call.keep_alive);
    return;
  }
  const Ask& ask = std::get<Ask>(taken);
  ++tally_.generations;
  const SequenceId id = next_id_++;
  const MonoTime begins = std::max(now, ready_);
  if (!model_.submit(id, ask.prompt_tokens, ask.output_tokens, begins)) {
    answer(client, front_.engine().dialect->overloaded(ask.stream), call.keep_alive);
    return;
  }
  flights_.emplace(id, Flight{&client, AnswerText(front_.engine(), ask, id, seconds_at(now)),
                              call.keep_alive, now});
  by_client_[&client] = id;
  if (ask.stream) client.send(stream_head(front_.engine().dialect->style, call.keep_alive));
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
  const EngineGauges gauges = model_.gauges();
  if (gauges.steps == std::exchange(steps_told_, gauges.steps)) return;
  tally_.add(Iteration{seconds_at(now), gauges.steps, gauges});
}

void Service::deliver(const EmittedTokens& emitted) {
  const auto it = flights_.find(emitted.id);
  if (it == flights_.end()) return;
  Flight& flight = it->second;
  Client& client = *flight.client;
  const Ask& ask = flight.text.ask();
  if (!observed(flight.first_token)) flight.first_token = emitted.at;
  bytes_.clear();
  if (ask.stream) {
    flight.text.tokens(emitted.count, emitted.total, emitted.last, bytes_);
  } else if (emitted.last) {
    bytes_ = response({200, kJsonType, flight.text.whole()}, flight.keep_alive);
  }
  if (!bytes_.empty()) client.send(bytes_);
  if (!emitted.last) return;
  tally_.add(Served{ask.prompt_tokens, ask.output_tokens, ask.natural_end,
                    to_seconds(flight.first_token - flight.arrived),
                    to_seconds(emitted.at - flight.arrived)});
  by_client_.erase(&client);
  flights_.erase(it);
  client.end();
}

}  // namespace evenbench::sim
