#include "truth/request.h"

#include <strings.h>

#include <simdjson.h>
#include <charconv>

namespace evenbench::truth {
namespace {

std::string_view header(std::string_view head, std::string_view name) {
  std::size_t at = head.find("\r\n");
  while (at != std::string_view::npos) {
    at += 2;
    const std::size_t end = head.find("\r\n", at);
    const std::string_view line = head.substr(at, end == std::string_view::npos ? end : end - at);
    if (line.size() > name.size() && line[name.size()] == ':' &&
        ::strncasecmp(line.data(), name.data(), name.size()) == 0) {
      const std::size_t value = line.find_first_not_of(' ', name.size() + 1);
      return value == std::string_view::npos ? "" : line.substr(value);
    }
    at = end;
  }
  return "";
}

int whole_number(const simdjson::dom::object& object, const char* name, int otherwise) {
  std::int64_t value = 0;
  if (object[name].get(value) != simdjson::SUCCESS) return otherwise;
  return value >= 0 && value <= INT32_MAX ? static_cast<int>(value) : otherwise;
}

bool is_true(simdjson::simdjson_result<simdjson::dom::element> element) {
  bool value = false;
  return element.get(value) == simdjson::SUCCESS && value;
}

}  // namespace

std::optional<Request> find_request(std::string_view input) {
  const std::size_t end = input.find("\r\n\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view head = input.substr(0, end);
  const std::string_view length_text = header(head, "Content-Length");
  std::size_t length = 0;
  std::from_chars(length_text.data(), length_text.data() + length_text.size(), length);
  if (input.size() - (end + 4) < length) return std::nullopt;

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
  out.size = end + 4 + length;
  return out;
}

Asked asked_of(const Request& request) {
  thread_local simdjson::dom::parser parser;  // its memory is what makes it cheap
  Asked out;
  simdjson::dom::object body;
  if (parser.parse(request.body.data(), request.body.size()).get(body) != simdjson::SUCCESS) {
    return out;
  }
  out.valid = true;
  out.chat = request.path.ends_with("/chat/completions");
  out.stream = is_true(body["stream"]);
  out.usage = is_true(body["stream_options"]["include_usage"]);
  out.tokens = whole_number(body, "max_tokens", whole_number(body, "max_completion_tokens", 16));
  return out;
}

}  // namespace evenbench::truth
