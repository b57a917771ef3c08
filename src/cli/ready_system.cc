#include "cli/ready_system.h"

#include <fmt/format.h>

#include "cli/launch.h"
#include "cli/request_shape.h"
#include "cli/signals.h"

namespace evenbench::cli {
bool stays_unasked(const Spec& spec, const SystemSpec& system) {
  return !spec.probe && !system.launched && !model_name_of(spec, system).empty();
}

Result<engine::Ready> ask_until_ready(const SystemToAsk& ask) {
  const wire::RequestShape shape = shape_of(*ask.spec, *ask.system, *ask.adapter);
  if (stays_unasked(*ask.spec, *ask.system)) {
    engine::Ready unprobed;
    unprobed.shape = shape;
    return unprobed;
  }
  engine::ReadinessOptions options;
  options.adapter = ask.adapter;
  options.transport = ask.attachment->transport;
  options.headers = ask.attachment->headers;
  options.key_env = ask.attachment->key_env;
  options.shape = shape;
  if (ask.one_token) options.probe_output_tokens = 1;
  options.token_needed = !ask.one_token;
  options.droppable = ask.spec->request.droppable;
  options.timeout = ask.spec->start_timeout;
  options.child = ask.child;
  options.log = ask.log;
  options.interrupted = [] { return interrupts() > 0; };
  options.tell = [&](std::string_view text) { ask.progress->line(fmt::format("  {}", text)); };
  return engine::wait_until_ready(options, *ask.clock);
}

}  // namespace evenbench::cli
