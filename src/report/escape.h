// Text of others (names, server messages) made harmless for each kind of file. Whatever the bytes
// are, the result is valid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace evenbench::report {

// Invalid UTF-8 and control characters other than tab and line feed become U+FFFD, so that no
// server can steer a terminal.
std::string readable(std::string_view text);
// readable(), on one line.
std::string one_line(std::string_view text);

std::string html_text(std::string_view text);      // for element content and quoted attributes
std::string markdown_text(std::string_view text);  // for a cell of a table, or a line
std::string markdown_block(
    std::string_view text);                    // a fenced block whose fence the text cannot close
std::string csv_field(std::string_view text);  // RFC 4180: quoted only where needed
// JSON inside <script>: "<" as \u003c, so that nothing in it can end the element.
std::string script_json(std::string json);

}  // namespace evenbench::report
