// The answers of a simulated engine that are not generated text: health, models, version, metrics,
// refusals. Bytes of whole HTTP responses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/answer_text.h"
#include "sim/engine_model.h"

namespace evenbench::sim {

std::string response(int status, std::string_view content_type, std::string_view body,
                     bool keep_alive);
// Head of an event stream; chunks follow.
std::string stream_head(bool keep_alive);

// An error in the engine's own shape: 400 bad request, 404 unknown model.
std::string error_response(Dialect dialect, int status, std::string_view message, bool keep_alive);
// What a full queue is answered with: TGI says so inside a 200 stream, or by 429.
std::string overloaded_response(Dialect dialect, bool stream, bool keep_alive);
// Longest context that a simulated engine offers.
std::uint32_t max_model_len(const Profile& profile);
// The refusal of what is longer than the context; "" where it fits.
std::string too_long_response(Dialect dialect, const Profile& profile, const Ask& ask,
                              bool keep_alive);

std::string models_json(const Identity& identity, std::uint32_t max_model_len);
std::string version_json(const Profile& profile);
// Prometheus text under the engine's own names.
std::string metrics_text(Dialect dialect, const Profile& profile, std::string_view model,
                         const EngineGauges& gauges);

}  // namespace evenbench::sim
