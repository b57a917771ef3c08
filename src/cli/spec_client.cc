// The `client` part of a spec, and the flags that say the same.
#include <fmt/format.h>

#include "cli/client_flags.h"
#include "cli/spec_yaml.h"
#include "cli/units.h"

namespace evenbench::cli {
namespace {

constexpr std::uint32_t kMostWorkers = 256;

Result<std::optional<std::uint32_t>> parse_workers(std::string_view text) {
  if (text == "auto") return std::optional<std::uint32_t>();
  const auto number = parse_number(text);
  const auto count = static_cast<std::uint32_t>(number.value_or(0));
  if (number && *number >= 1 && *number <= kMostWorkers && *number == count) {
    return std::optional(count);
  }
  return usage_error(fmt::format(
      "must be a number of sending threads from 1 to {}, or auto, not '{}'", kMostWorkers, text));
}

Result<std::vector<int>> parse_cpus(std::string_view text) {
  if (auto cpus = parse_cpu_list(text)) return std::move(*cpus);
  return usage_error(fmt::format("must be CPU numbers such as 2-3 or 0,4-7, not '{}'", text));
}

Result<StampChoice> parse_stamp(std::string_view text) {
  if (const auto choice = stamp_choice_named(text)) return *choice;
  return usage_error(fmt::format("must be auto, user or kernel, not '{}'", text));
}

// Into `target`, or a complaint at the key.
template <typename T, typename Parse>
void read(Fields& client, const char* key, Parse&& parse, T& target) {
  const auto text = client.text(key);
  if (!text) return;
  if (auto value = parse(*text)) {
    target = std::move(*value);
  } else {
    client.complain(client.node(key),
                    fmt::format("{} {}", client.name(key), value.error().message));
  }
}

template <typename T, typename Parse>
Result<void> take(const std::optional<std::string>& text, const char* flag, Parse&& parse,
                  T& target) {
  if (!text) return {};
  auto value = parse(*text);
  if (!value) return usage_error(fmt::format("{} {}", flag, value.error().message));
  target = std::move(*value);
  return {};
}

}  // namespace

void read_client(Fields& top, ClientSpec& spec) {
  if (!top.has("client")) return;
  Fields client(top.node("client"), "client", {"workers", "stamp", "realtime", "cpus"},
                top.complaints());
  read(client, "workers", parse_workers, spec.workers);
  read(client, "stamp", parse_stamp, spec.stamp);
  read(client, "cpus", parse_cpus, spec.cpus);
  if (const auto realtime = client.boolean("realtime")) spec.realtime = *realtime;
}

Result<void> apply(const ClientFlags& flags, ClientSpec& spec) {
  if (auto done = take(flags.workers, "--workers", parse_workers, spec.workers); !done) return done;
  if (auto done = take(flags.stamp, "--stamp", parse_stamp, spec.stamp); !done) return done;
  if (auto done = take(flags.cpus, "--cpus", parse_cpus, spec.cpus); !done) return done;
  if (flags.realtime) spec.realtime = true;
  return {};
}

}  // namespace evenbench::cli
