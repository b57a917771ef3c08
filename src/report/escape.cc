#include "report/escape.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace evenbench::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::string valid_utf8(std::string_view text) {
  using nlohmann::json;
  const std::string quoted = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(quoted).get<std::string>();
}

bool is_control(unsigned char c) {
  return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

}  // namespace

std::string readable(std::string_view text) {
  std::string valid = valid_utf8(text);
  replace_all(valid, "\r\n", "\n");
  std::string out;
  out.reserve(valid.size());
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const auto c = static_cast<unsigned char>(valid[i]);
    // U+0080 to U+009F are control characters too: terminals may take them for escapes.
    const bool c1 = c == 0xC2 && static_cast<unsigned char>(valid[i + 1]) < 0xA0;
    if (c1) ++i;
    if (c1 || is_control(c)) {
      out += kReplacement;
    } else {
      out += valid[i];
    }
  }
  return out;
}

std::string one_line(std::string_view text) {
  std::string out = readable(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return out;
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : readable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*_[]|~#";
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      if (kSpecial.find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string markdown_block(std::string_view text) {
  const std::string body = readable(text);
  std::string fence = "```";
  while (body.find(fence) != std::string::npos) fence += '`';
  return fence + "\n" + body + (body.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string csv_field(std::string_view text) {
  std::string out = valid_utf8(text);
  if (out.find_first_of(",\"\r\n") == std::string::npos) return out;
  replace_all(out, "\"", "\"\"");
  return '"' + out + '"';
}

std::string script_json(std::string json) {
  replace_all(json, "<", "\\u003c");
  return json;
}

}  // namespace evenbench::report
