#include "request.h"

#include <strings.h>

#include <charconv>
#include <nlohmann/json.hpp>

namespace truth {
namespace {

std::string header(std::string_view head, std::string_view name) {
  std::size_t at = head.find("\r\n");
  while (at != std::string_view::npos) {
    at += 2;
    const std::size_t end = head.find("\r\n", at);
    const std::string_view line = head.substr(at, end == std::string_view::npos ? end : end - at);
    if (line.size() > name.size() && line[name.size()] == ':' &&
        ::strncasecmp(line.data(), name.data(), name.size()) == 0) {
      const std::size_t value = line.find_first_not_of(' ', name.size() + 1);
      return value == std::string_view::npos ? "" : std::string(line.substr(value));
    }
    at = end;
  }
  return "";
}

int whole_number(const nlohmann::json& object, const char* name, int otherwise) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_integer() ? found->get<int>() : otherwise;
}

}  // namespace

std::optional<Request> take_request(std::string& input) {
  const std::size_t end = input.find("\r\n\r\n");
  if (end == std::string::npos) return std::nullopt;
  const std::string_view head(input.data(), end);
  const std::string length_text = header(head, "Content-Length");
  std::size_t length = 0;
  std::from_chars(length_text.data(), length_text.data() + length_text.size(), length);
  if (input.size() < end + 4 + length) return std::nullopt;

  Request out;
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const std::size_t first = line.find(' ');
  const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second != std::string_view::npos) {
    out.method = line.substr(0, first);
    out.path = line.substr(first + 1, second - first - 1);
  }
  out.authorization = header(head, "Authorization");
  out.id = header(head, "X-Evenbench-Request");
  out.body = input.substr(end + 4, length);
  input.erase(0, end + 4 + length);
  return out;
}

Asked asked_of(const Request& request) {
  Asked out;
  const auto body = nlohmann::json::parse(request.body, nullptr, false);
  if (!body.is_object()) return out;
  out.valid = true;
  out.chat = request.path.ends_with("/chat/completions");
  out.stream = body.contains("stream") && body["stream"] == true;
  const auto options = body.find("stream_options");
  out.usage = options != body.end() && options->is_object() && options->contains("include_usage") &&
              (*options)["include_usage"] == true;
  out.tokens = whole_number(body, "max_tokens", whole_number(body, "max_completion_tokens", 16));
  return out;
}

}  // namespace truth
