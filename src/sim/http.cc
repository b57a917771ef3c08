#include "sim/http.h"

#include <fmt/format.h>

#include <iterator>

namespace evenbench::sim {
namespace {

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Entity";
    case 429:
      return "Too Many Requests";
    default:
      return "Service Unavailable";
  }
}

std::string_view connection(bool keep_alive) {
  return keep_alive ? "" : "connection: close\r\n";
}

}  // namespace

std::string response(const Reply& reply, bool keep_alive) {
  const std::string type =
      reply.type.empty() ? "" : fmt::format("content-type: {}\r\n", reply.type);
  return fmt::format(
      "HTTP/1.1 {} {}\r\nserver: evenbench-simulated\r\n{}{}{}content-length: {}\r\n\r\n{}",
      reply.status, reason_of(reply.status), connection(keep_alive), reply.headers, type,
      reply.body.size(), reply.body);
}

std::string stream_head(const StreamStyle& style, bool keep_alive) {
  return fmt::format(
      "HTTP/1.1 200 OK\r\nserver: evenbench-simulated\r\n{}content-type: {}\r\n"
      "transfer-encoding: chunked\r\n\r\n",
      connection(keep_alive), style.type);
}

void append_chunk(const StreamStyle& style, std::string_view events, std::string& out) {
  const auto to = std::back_inserter(out);
  style.upper_hex ? fmt::format_to(to, "{:X}\r\n{}\r\n", events.size(), events)
                  : fmt::format_to(to, "{:x}\r\n{}\r\n", events.size(), events);
}

void append_done(const StreamStyle& style, std::string& out) {
  append_chunk(style, "data: [DONE]\n\n", out);
  out += "0\r\n\r\n";
}

}  // namespace evenbench::sim
