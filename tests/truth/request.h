// One HTTP/1.1 request, taken from the front of what a connection has received.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace truth {

struct Request {
  std::string method;
  std::string path;
  std::string authorization;
  std::string id;  // X-Evenbench-Request, "" if absent
  std::string body;
};

// Nothing until head and body (by Content-Length) are there; what is taken is erased from `input`.
std::optional<Request> take_request(std::string& input);

// What a body of the two generation routes asks for.
struct Asked {
  bool valid = false;  // a JSON object
  bool chat = true;
  bool stream = false;
  bool usage = false;  // stream_options.include_usage
  int tokens = 16;     // max_tokens or max_completion_tokens
};
Asked asked_of(const Request& request);

}  // namespace truth
