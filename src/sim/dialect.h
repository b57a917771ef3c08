// What makes the answers of one engine different from another's, as data and functions: the shape
// of its events and bodies, its refusals, the routes beside generation, what it writes into its
// log. One file per engine, dialect_NAME.cc. Knows no socket, no instant and no model of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/ask.h"
#include "sim/engine_model.h"
#include "sim/http.h"
#include "sim/settings.h"
#include "sim/tally.h"

namespace evenbench::sim {

struct Dialect;

// Says in every model list that nothing here is real.
inline constexpr std::string_view kOwner = "evenbench-simulated";

// One simulated engine, as its dialect sees it.
struct Engine {
  const Dialect* dialect = nullptr;
  Profile profile;  // with the settings in it
  Settings settings;
  std::string model;
  std::uint64_t seed = 1;  // of the words that nobody asked to be repeatable
  [[nodiscard]] std::string version() const { return profile.name + "-sim-1"; }
};

// Error: usage, names the setting that cannot be. The profile must be one of profile_named()'s.
Result<Engine> engine_of(Profile profile, const Settings& settings, std::string model);

// What one answer says of itself.
struct Answer {
  const Ask& ask;
  std::string id;
  std::string model;         // as the engine names it in answers
  std::int64_t created = 0;  // seconds since 1970
};

// How the events of one answer are written: made once per answer. Texts are whole pieces of JSON;
// "data: " before an event and the brace and blank line behind it are not in them.
struct EventShape {
  std::string role;                       // the whole event before the first text; "" = none
  bool role_blank = false;                // a blank stands behind it
  std::string before, after;              // around the text of an event
  std::string last_before, last_after;    // the same where the answer ends
  std::string last_text;                  // what the end of the text itself is written as
  std::string finish;                     // a whole event behind the last text; "" = none
  std::string usage_before, usage_after;  // around the usage of the event that holds nothing else
  bool usage_event = false;
  bool running_usage = false;
  bool one_token_events = false;  // several tokens of a step are several events
  bool skips_empty_text = false;
};

enum class UsageIn : std::uint8_t { kWhole, kLastEvent, kEveryEvent };

// What a route may show of the engine at this moment.
struct Seen {
  EngineGauges gauges;
  Tally& tally;
  bool ready = true;
  std::int64_t now_s = 0;  // seconds since 1970
};

struct RouteCall {
  std::string_view method, path, query, body;
};

struct Dialect {
  std::string_view name;  // of the profile
  AskRules chat, completions;
  StreamStyle style;
  bool ignores_eos_wish = false;  // "ignore_eos" is read over
  bool says_name_back = false;    // answers name the model as the request did

  // Settles output_tokens, the most that the answer may have; prompt_tokens is set, and shortened
  // where the engine cuts prompts. Or why the request is refused.
  std::optional<Fault> (*admit)(const Engine&, Ask& ask) = nullptr;
  std::string (*answer_id)(const Ask&, std::uint64_t number) = nullptr;
  EventShape (*events)(const Answer&) = nullptr;
  std::string (*usage)(UsageIn, const Ask&, std::uint32_t completion) = nullptr;
  std::string (*whole)(const Answer&, const std::string& text) = nullptr;

  // A reply whose type is that of a stream is sent as one: its body is the event.
  Reply (*refused)(const Engine&, const Fault&) = nullptr;
  Reply (*overloaded)(bool stream) = nullptr;
  bool (*asks_key)(std::string_view path) = nullptr;
  Reply (*unauthorized)() = nullptr;
  Reply (*no_route)(bool other_method) = nullptr;

  // nullopt: no such route.
  std::optional<Reply> (*route)(const Engine&, const RouteCall&, const Seen&) = nullptr;
  std::vector<std::string> (*start_log)(const Engine&, std::uint16_t port,
                                        std::int64_t now_s) = nullptr;
};

Dialect vllm_dialect();
Dialect trtllm_dialect();
Dialect tgi_dialect();
Dialect sglang_dialect();
// By the name of the profile, which must be one of profile_named()'s.
const Dialect& dialect_of(std::string_view profile);

// What several engines' admit() share. Cuts the prompt to `most` tokens where it is told to.
bool prompt_fits(const Engine& engine, Ask& ask, std::uint32_t most);
Fault fault_of(const Ask& ask, Fault::Kind kind, std::string field = "", std::string value = "");
// Minus signs, points and all, as Python writes a float.
std::string python_float(double value);

}  // namespace evenbench::sim
