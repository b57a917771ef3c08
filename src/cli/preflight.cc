#include "cli/preflight.h"

#include <fmt/format.h>

#include <optional>

#include "cli/attachment.h"
#include "cli/ready_system.h"
#include "net/fetch.h"

namespace evenbench::cli {
namespace {

// One that cannot be reached may be there by its visit, and the others are measured either way.
bool reached(const SystemSpec& system, const Attachment& attachment, const Progress& progress,
             const Clock& clock) {
  const auto answer = net::fetch(attachment.endpoint, "GET", attachment.endpoint.path("models"),
                                 attachment.headers, "", {attachment.transport.tls}, clock);
  if (answer) return true;
  progress.warning(fmt::format("{} cannot be reached yet, its visit will try again: {}",
                               system.name,
                               without_secrets(answer.error(), attachment.secrets).message));
  return false;
}

Result<void> ask(const Spec& spec, const SystemSpec& system, const Credentials& credentials,
                 const Progress& progress, const Clock& clock, bool must_be_there) {
  const auto attachment = attachment_of(spec, system, credentials);
  if (!attachment) return attachment.error();
  if (stays_unasked(spec, system)) return {};
  if (!must_be_there && !reached(system, *attachment, progress, clock)) return {};
  const auto adapter = engine::adapter_named(system.engine);
  if (!adapter) return adapter.error();
  SystemToAsk question{&spec,  &system, *adapter, &*attachment, &progress,
                       &clock, nullptr, {},       true};
  const auto ready = ask_until_ready(question);
  if (!ready) return without_secrets(ready.error().in(system.name), attachment->secrets);
  progress.line(fmt::format(
      "{} answers{}", system.name,
      attachment->key_env.empty() ? "" : fmt::format(" with the key in {}", attachment->key_env)));
  return {};
}

}  // namespace

Result<void> preflight(const Spec& spec, const Credentials& credentials, const Progress& progress,
                       const Clock& clock, bool must_be_there) {
  std::optional<Error> failed;
  for (const SystemSpec& system : spec.systems) {
    if (system.launched) continue;
    const auto asked = ask(spec, system, credentials, progress, clock, must_be_there);
    if (asked) continue;
    if (asked.error().code == ErrorCode::kInterrupted) return asked;
    if (!failed) {
      failed = asked.error();
    } else {
      failed->message += "\n" + asked.error().message;
    }
  }
  if (!failed) return {};
  return *failed;
}

}  // namespace evenbench::cli
