#include "engine/readiness_machine.h"

#include "base/secrets.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/class_remedy.h"
#include "engine/refusal.h"
#include "engine/signatures.h"
#include "wire/detail_text.h"

namespace evenbench::engine {
namespace {

constexpr Nanos kGetLimit = std::chrono::seconds{5};
// A server that already runs answers a short request long before this, even when it has to compile
// something first.
constexpr Nanos kAttachedProbeLimit = std::chrono::seconds{60};
// An attached server is not waited for: it is asked again only to bear a hiccup.
constexpr int kFewAttempts = 3;

constexpr std::string_view kProbePrompt = "This is a readiness probe. Answer with a few words.";

bool is_refusal(int status) {
  return status == 400 || status == 422;
}

bool may_heal(int status) {
  return status == 408 || status == 425 || status == 429 || status >= 500;
}

std::string_view transport_remedy(std::string_view problem) {
  if (problem.find("certificate") != std::string_view::npos) {
    return "; give its authority with tls: { ca_file: ... }, or switch checking off with tls: { "
           "verify: false } (the run is then marked)";
  }
  return "; start the server, or correct its address";
}

std::string said(std::string_view body) {
  const std::string text = wire::detail_text(body);
  return text.empty() ? "" : ": " + text;
}

wire::ErrorClass class_of(const net::Fetched& answer) {
  return wire::error_class({answer.status, wire::detail_text(answer.body)});
}

}  // namespace

std::optional<std::vector<std::string>> model_names(std::string_view body) {
  const auto document = nlohmann::json::parse(body, nullptr, false);
  if (!document.is_object() || !document.contains("data") || !document["data"].is_array())
    return std::nullopt;
  std::vector<std::string> names;
  for (const auto& model : document["data"])
    if (model.is_object() && model.contains("id") && model["id"].is_string())
      names.push_back(model["id"].get<std::string>());
  return names;
}

ReadinessMachine::ReadinessMachine(const ReadinessOptions& options, MonoTime start)
    : options_(options), start_(start), launched_(options.child != nullptr) {
  EVENBENCH_CHECK(options.adapter != nullptr, "readiness without an adapter");
  ready_.shape = options.shape;
  if (options.adapter->health_route.empty()) phase_ = Phase::kModels;
}

Ask ReadinessMachine::next(MonoTime now) const {
  using What = Ask::What;
  if (error_) return {What::kGiveUp, "", Nanos{0}};
  if (phase_ == Phase::kReady) return {What::kReady, "", Nanos{0}};
  if (pausing_) return {What::kPause, "", options_.poll_every};
  const wire::Endpoint& endpoint = options_.transport.endpoint;
  const Nanos left = std::max(options_.timeout - (now - start_), Nanos{std::chrono::seconds{1}});
  const Nanos get_limit = std::min(left, kGetLimit);
  switch (phase_) {
    case Phase::kHealth:
      return {What::kGet, endpoint.root_path(options_.adapter->health_route), get_limit};
    case Phase::kModels:
      return {What::kGet, endpoint.path("models"), get_limit};
    case Phase::kVersion:
      return {What::kGet, endpoint.root_path(options_.adapter->version_route), get_limit};
    case Phase::kExplain:
      return {What::kExplain, path(), std::min(left, kAttachedProbeLimit)};
    default:
      return {What::kProbe, path(), launched_ ? left : std::min(left, kAttachedProbeLimit)};
  }
}

std::string ReadinessMachine::path() const {
  return options_.transport.endpoint.path(ready_.shape.api == wire::Api::kChat ? "chat/completions"
                                                                               : "completions");
}

std::string ReadinessMachine::url() const {
  return "POST " + options_.transport.endpoint.url(path());
}

std::string ReadinessMachine::body() const {
  return wire::request_body(ready_.shape, kProbePrompt, options_.probe_output_tokens);
}

void ReadinessMachine::enter(Phase phase) {
  if (phase == Phase::kVersion && options_.adapter->version_route.empty()) {
    ready_.engine_version = options_.adapter->version_of(ready_.models_body);
    phase = Phase::kProbe;
  }
  if (phase != phase_) attempts_ = 0;
  phase_ = phase;
}

void ReadinessMachine::give_up(const std::string& message) {
  error_ = environment_error(without_keys(message));
}

// Some servers repeat the key they refuse.
std::string ReadinessMachine::without_keys(std::string text) const {
  for (const auto& [name, value] : options_.headers) {
    const auto blank = value.find(' ');
    hide_secrets(text, std::vector<std::string>{
                           value, blank == std::string::npos ? "" : value.substr(blank + 1)});
  }
  return text;
}

void ReadinessMachine::wait(const std::string& reason, MonoTime now) {
  if (!launched_) return wait_a_little(reason, now);
  last_reason_ = without_keys(reason);
  pausing_ = now - start_ < options_.timeout;
  if (pausing_) return;
  give_up(fmt::format(
      "the engine was not ready within {:.0f} s. Last: {}. If it only needs longer, raise the "
      "start limit (limits: start); its log is {}",
      to_seconds(options_.timeout), reason, options_.log.string()));
}

// An engine that evenbench itself started needs no advice to start it.
void ReadinessMachine::wait_for_transport(const std::string& problem, MonoTime now) {
  wait(launched_ ? problem : fmt::format("{}{}", problem, transport_remedy(problem)), now);
}

void ReadinessMachine::wait_a_little(const std::string& reason, MonoTime now) {
  last_reason_ = without_keys(reason);
  pausing_ = ++attempts_ < kFewAttempts && now - start_ < options_.timeout;
  if (!pausing_) give_up(reason);
}

void ReadinessMachine::on_engine_ended(const ExitStatus& status, std::string_view shown,
                                       std::string_view searched) {
  give_up(fmt::format("the engine ended before it was ready ({}){}. The end of its log, {}:\n{}",
                      status.text(),
                      explained(options_.adapter->name, searched, was_killed(status)),
                      options_.log.string(), shown.empty() ? "(nothing)" : shown));
}

void ReadinessMachine::on_interrupted() {
  error_ = Error{ErrorCode::kInterrupted, "interrupted while waiting for the engine"};
}

bool ReadinessMachine::key_refused(int status, const std::string& what, const std::string& text) {
  if (status == 200) return false;
  const auto error = wire::error_class({status, wire::detail_text(text), {}});
  if (!wire::ends_credentials(error)) return false;
  give_up(with_remedy(fmt::format("{} answered {}{}", what, status, said(text)), error));
  return true;
}

std::string ReadinessMachine::with_remedy(const std::string& answered,
                                          std::optional<wire::ErrorClass> error) const {
  const std::string remedy = error ? class_remedy(*error, options_.key_env) : "";
  return remedy.empty() ? answered : answered + "; " + remedy;
}

void ReadinessMachine::on_answer(const Result<net::Fetched>& answer, MonoTime now) {
  if (phase_ == Phase::kExplain) {
    ++ready_.probe_requests;
    const bool same = answer && answer->status == refusal_status_;
    return on_refusal(same ? answer->body : refusal_);
  }
  if (phase_ == Phase::kVersion) {
    // Nice to know, nothing more: whatever goes wrong here, the version is unknown.
    if (answer && answer->status == 200)
      ready_.engine_version = options_.adapter->version_of(answer->body);
    return enter(Phase::kProbe);
  }
  if (!answer) {
    return wait_for_transport(answer.error().message, now);
  }
  const wire::Endpoint& endpoint = options_.transport.endpoint;
  const std::string path = phase_ == Phase::kHealth
                               ? endpoint.root_path(options_.adapter->health_route)
                               : endpoint.path("models");
  const std::string what = "GET " + endpoint.url(path);
  if (key_refused(answer->status, what, answer->body)) return;
  if (answer->status != 200 && may_heal(answer->status)) {
    return wait(
        with_remedy(fmt::format("{} answered {}{}", what, answer->status, said(answer->body)),
                    launched_ ? std::nullopt : std::optional(class_of(*answer))),
        now);
  }
  if (phase_ == Phase::kHealth) return on_health(answer->status, what);
  on_models(*answer, what);
}

void ReadinessMachine::on_health(int status, const std::string& what) {
  if (status != 200) {
    ready_.notes.push_back(
        fmt::format("{} answered {}: the model list stands in for it", what, status));
  }
  enter(Phase::kModels);
}

void ReadinessMachine::on_models(const net::Fetched& answer, const std::string& what) {
  ready_.models_body = answer.body;
  const auto names = answer.status == 200 ? model_names(answer.body) : std::nullopt;
  if (names) return choose_model(*names, what);
  if (ready_.shape.model.empty()) {
    return give_up(
        fmt::format("{} answered {} and gave no model list{}; check the base address, or state the "
                    "model's name",
                    what, answer.status, said(answer.body)));
  }
  ready_.notes.push_back(fmt::format(
      "{} answered {} and gave no model list: whether the server has \"{}\" is not checked", what,
      answer.status, ready_.shape.model));
  enter(Phase::kVersion);
}

void ReadinessMachine::choose_model(const std::vector<std::string>& names,
                                    const std::string& what) {
  std::string& model = ready_.shape.model;
  const std::string listed = names.empty() ? "no model" : fmt::format("{}", fmt::join(names, ", "));
  if (model.empty()) {
    if (names.size() != 1) {
      return give_up(
          fmt::format("{} lists {}; state the name of the one to measure", what, listed));
    }
    model = names.front();
  } else if (options_.adapter->any_model_name) {
    // What the list says of it is no more than the folder's name.
  } else if (std::find(names.begin(), names.end(), model) == names.end()) {
    return give_up(fmt::format(
        "{} does not list the model \"{}\" but {}; correct the name, or the address if this is "
        "another server",
        what, model, listed));
  }
  enter(Phase::kVersion);
}

void ReadinessMachine::on_probe(const Result<Exchanged>& probe, MonoTime now) {
  ++ready_.probe_requests;
  if (!probe) return give_up(probe.error().message);
  const auto failed = [&] { return fmt::format("{} failed: {}", url(), probe->detail); };
  switch (probe->ending) {
    case Ending::kDone:
      return on_token(*probe);
    case Ending::kEmpty:
      if (!options_.token_needed) return on_token(*probe);
      return wait_a_little(
          url() + " gave a proper answer without a single token; check the model and its template",
          now);
    case Ending::kHttpError:
      return on_http_failure(*probe, now);
    case Ending::kStreamError:
      // TGI refuses a value inside a stream that has begun with 200.
      if (refused_field(probe->detail, refusable_fields(ready_.shape))) {
        refusal_status_ = 0;
        return on_refusal(probe->detail);
      }
      if (const auto error = wire::error_class(*probe); error && wire::ends_credentials(*error)) {
        return give_up(with_remedy(failed(), error));
      }
      return wait_a_little(with_remedy(failed(), wire::error_class(*probe)), now);
    case Ending::kBadStream:
      return wait_a_little(failed(), now);
    case Ending::kConnectFailed:
      return wait_for_transport(failed(), now);
    case Ending::kReset:
    case Ending::kTimedOut:
    case Ending::kCutAtEnd:
      return wait(failed(), now);
  }
}

void ReadinessMachine::on_http_failure(const Exchanged& probe, MonoTime now) {
  const int status = probe.http_status;
  // The detail begins with "HTTP <status>".
  const auto error = wire::error_class(probe);
  const std::string said = fmt::format("{} answered {}", url(), probe.detail);
  const std::string answered = with_remedy(said, error);
  if (error && wire::ends_credentials(*error)) return give_up(answered);
  if (may_heal(status)) {
    return status == 500 ? wait_a_little(answered, now) : wait(answered, now);
  }
  if (error == wire::ErrorClass::kUnknownModel) return give_up(answered);
  if (status == 404) {
    return give_up(said +
                   "; check the base address, the api (chat or completions) and the model's name");
  }
  if (!is_refusal(status)) return give_up(answered);
  refusal_ = probe.detail;
  refusal_status_ = status;
  enter(Phase::kExplain);
}

void ReadinessMachine::on_refusal(const std::string& answer) {
  const auto field = refused_field(answer, refusable_fields(ready_.shape));
  const std::string refused =
      refusal_status_ == 0 ? fmt::format("{} failed{}", url(), said(answer))
                           : fmt::format("{} answered {}{}", url(), refusal_status_, said(answer));
  if (!field) return give_up(refused);
  const bool allowed = std::find(options_.droppable.begin(), options_.droppable.end(), *field) !=
                       options_.droppable.end();
  // Nobody asks for usage by name: it is on by default, so the tool may switch it off by itself.
  if ((*field == "stream_options" || allowed) && drop_field(ready_.shape, *field)) {
    ready_.notes.push_back(fmt::format(
        "{} was refused and is not sent{}", *field,
        *field == "stream_options" ? ": the server may not say how many tokens it gives" : ""));
    return enter(Phase::kProbe);
  }
  give_up(fmt::format("{}; the field is {}: {}", refused, *field,
                      *field == ready_.shape.output_field
                          ? "try the other output_field (max_tokens or max_completion_tokens)"
                          : "take it out of the request, or allow_dropping: [" + *field + "]"));
}

void ReadinessMachine::on_token(const Exchanged& probe) {
  if (ready_.shape.stream && ready_.shape.include_usage && probe.source == TokenSource::kUnknown) {
    ready_.notes.emplace_back(
        "usage was asked for but did not come: how many tokens an answer has is not known");
  }
  if (ready_.shape.ignore_eos && probe.output_tokens &&
      *probe.output_tokens != options_.probe_output_tokens) {
    ready_.notes.push_back(fmt::format(
        "ignore_eos is sent but {} tokens came where {} were asked: the lengths are not enforced",
        *probe.output_tokens, options_.probe_output_tokens));
  }
  for (std::string& note : ready_.notes) note = without_keys(note);
  ready_.probe = probe;
  phase_ = Phase::kReady;
}

}  // namespace evenbench::engine
