#include "wire/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

namespace evenbench::wire {
namespace {

using Json = nlohmann::ordered_json;

void add_prompt(Json& body, Api api, std::string_view prompt) {
  if (api == Api::kChat) {
    body["messages"] = Json::array({Json{{"role", "user"}, {"content", prompt}}});
  } else {
    body["prompt"] = prompt;
  }
}

void add_options(Json& body, const RequestShape& shape) {
  if (shape.stream && shape.include_usage) {
    body["stream_options"]["include_usage"] = true;
    if (shape.continuous_usage) body["stream_options"]["continuous_usage_stats"] = true;
  }
  if (shape.ignore_eos) body["ignore_eos"] = true;
  if (shape.temperature) body["temperature"] = *shape.temperature;
  if (shape.top_p) body["top_p"] = *shape.top_p;
  if (shape.request_seed) body["seed"] = *shape.request_seed;
}

}  // namespace

std::vector<std::string> optional_fields(const RequestShape& shape) {
  Json body = Json::object();
  add_options(body, shape);
  if (shape.min_tokens) body["min_tokens"] = 0;
  std::vector<std::string> out;
  for (const auto& item : body.items()) out.push_back(item.key());
  return out;
}

std::string request_body(const RequestShape& shape, std::string_view prompt,
                         std::uint32_t output_tokens) {
  Json body = Json::object();
  body["model"] = shape.model;
  add_prompt(body, shape.api, prompt);
  body["stream"] = shape.stream;
  if (output_tokens > 0) {
    body[shape.output_field] = output_tokens;
    if (shape.min_tokens) body["min_tokens"] = output_tokens;
  }
  add_options(body, shape);
  if (!shape.extra_json.empty()) {
    // The spec's reader has checked that it is an object; anything else is ignored here rather than
    // thrown.
    const Json extra = Json::parse(shape.extra_json, nullptr, false);
    if (extra.is_object()) body.update(extra);
  }
  // Invalid UTF-8 of a data set is replaced, not thrown at: a request must always have bytes.
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<std::string> header_trouble(std::string_view name, std::string_view value) {
  static constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  static constexpr std::array<std::string_view, 8> kOwn = {
      "host",       "content-length", "content-type", "transfer-encoding",
      "connection", "accept",         "expect",       "x-evenbench-request"};
  std::string lower;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0 && kMarks.find(c) == std::string_view::npos) {
      return fmt::format("'{}' is no header name", name);
    }
    lower += static_cast<char>(std::tolower(byte));
  }
  if (name.empty()) return "a header needs a name";
  if (std::find(kOwn.begin(), kOwn.end(), lower) != kOwn.end()) {
    return fmt::format("'{}' is set by evenbench itself", name);
  }
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t') || byte == 0x7F) {
      return fmt::format("the value of '{}' holds a control character", name);
    }
  }
  return std::nullopt;
}

std::string request_name(std::int64_t step_id, std::uint32_t number) {
  return fmt::format("{}-{}", step_id, number);
}

std::string http_request(std::string_view method, const Endpoint& endpoint, std::string_view path,
                         const Headers& headers, std::string_view body) {
  std::string out =
      fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n", method, path, endpoint.authority());
  for (const auto& [name, value] : headers) out += fmt::format("{}: {}\r\n", name, value);
  out += "User-Agent: evenbench\r\nAccept: text/event-stream, application/json\r\n";
  if (!body.empty()) {
    out += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
  }
  out += "Connection: keep-alive\r\n\r\n";
  out += body;
  return out;
}

}  // namespace evenbench::wire
