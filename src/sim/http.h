// The HTTP of a simulated engine's answers: whole responses and event streams, as bytes. Knows no
// engine.
#pragma once

#include <string>
#include <string_view>

namespace evenbench::sim {

inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kTextType = "text/plain; charset=utf-8";
inline constexpr std::string_view kStreamType = "text/event-stream";

// An answer that is not generated.
struct Reply {
  int status = 200;
  std::string_view type = kJsonType;  // "" = none is said, and there is no body
  std::string body;
  std::string headers = "";  // further ones, each with its line end
};
// How an engine's HTTP library writes its streams.
struct StreamStyle {
  std::string_view type = "text/event-stream; charset=utf-8";
  bool upper_hex = false;  // of the sizes of chunks
};

std::string response(const Reply& reply, bool keep_alive);
// Head of an event stream; chunks follow.
std::string stream_head(const StreamStyle& style, bool keep_alive);
// `events` as one HTTP chunk.
void append_chunk(const StreamStyle& style, std::string_view events, std::string& out);
// The chunk of "[DONE]" and the end of the body.
void append_done(const StreamStyle& style, std::string& out);

}  // namespace evenbench::sim
