// One HTTP/1.1 request at the front of what a connection has received. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace evenbench::truth {

struct Request {  // views into the bytes it was found in
  std::string_view method;
  std::string_view path;
  std::string_view authorization;
  std::string_view id;  // X-Evenbench-Request, "" if absent
  std::string_view body;
  std::size_t size = 0;  // bytes of head and body
};

// Nothing until head and body (by Content-Length) are there.
std::optional<Request> find_request(std::string_view input);

// What a body of the two generation routes asks for.
struct Asked {
  bool valid = false;  // a JSON object
  bool chat = true;
  bool stream = false;
  bool usage = false;  // stream_options.include_usage
  int tokens = 16;     // max_tokens or max_completion_tokens
  friend auto operator<=>(const Asked&, const Asked&) = default;
};
Asked asked_of(const Request& request);

}  // namespace evenbench::truth
