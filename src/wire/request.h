// The request side of the wire: JSON body and HTTP/1.1 head, as bytes. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace evenbench::wire {

enum class Api : std::uint8_t { kChat, kCompletions };

// Where an API lives. Parsed from what a user types: http(s)://host[:port][/prefix][/v1][/], or
// unix:/path/of/the.socket (no TLS, no prefix but /v1).
struct Endpoint {
  bool tls = false;
  std::string host;         // name or address, IPv6 without brackets
  std::string port;         // always set
  std::string unix_socket;  // its path; then host and port only name it in the Host header
  std::string
      prefix;  // path before the route, no trailing slash, "/v1" included: "/v1", "/openai/v1"
  // Path of an OpenAI route: "chat/completions" -> "/openai/v1/chat/completions". Never "//" or
  // "/v1/v1".
  [[nodiscard]] std::string path(std::string_view route) const;
  // Path of a route that lives beside /v1, such as "/health": the prefix without its trailing
  // "/v1".
  [[nodiscard]] std::string root_path(std::string_view route) const;
  [[nodiscard]] std::string url(std::string_view path) const;  // full URL, for messages
  [[nodiscard]] std::string authority() const;                 // Host header
};
// A base that does not end in a version segment (/v1, /v2, ...) gets "/v1". Error: usage, says what
// a base address looks like.
Result<Endpoint> parse_endpoint(std::string_view base_url);

// Which fields a request carries: the engine's adapter and the spec decide, the same for every
// request of a system.
struct RequestShape {
  Api api = Api::kChat;
  std::string model;
  bool stream = true;
  bool include_usage = true;                // stream_options.include_usage (only when streaming)
  bool continuous_usage = false;            // stream_options.continuous_usage_stats
  std::string output_field = "max_tokens";  // or max_completion_tokens
  bool ignore_eos = false;
  bool min_tokens = false;  // send min_tokens = the asked output length
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<std::int64_t> request_seed;
  std::string extra_json;  // object merged last, "" = none
};
// Names of the optional fields that are in force, for the report: {"stream_options", "ignore_eos",
// ...}.
std::vector<std::string> optional_fields(const RequestShape& shape);
// The JSON body. output_tokens 0: no length field. Never writes null fields.
std::string request_body(const RequestShape& shape, std::string_view prompt,
                         std::uint32_t output_tokens);

using Headers = std::vector<std::pair<std::string, std::string>>;
// Why a user's header cannot be sent as it is: no token of RFC 9110 as its name, control bytes in
// its value, or a name that the request itself sets. nullopt: it can.
std::optional<std::string> header_trouble(std::string_view name, std::string_view value);
// Each measured request carries its name, by which a server's or a gateway's own log can be joined
// with the run file: "STEP-NUMBER", the two columns of its row.
inline constexpr std::string_view kRequestNameHeader = "X-Evenbench-Request";
std::string request_name(std::int64_t step_id, std::uint32_t number);
// A whole HTTP/1.1 request. Adds Host, Content-Type, Content-Length, Accept, User-Agent and
// Connection: keep-alive.
std::string http_request(std::string_view method, const Endpoint& endpoint, std::string_view path,
                         const Headers& headers, std::string_view body);

}  // namespace evenbench::wire
