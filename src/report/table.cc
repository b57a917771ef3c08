#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/escape.h"

namespace evenbench::report {
namespace {

// Must match SYMBOLS in web/src/theme.js.
constexpr std::array<std::string_view, 6> kGlyphs = {"●", "■", "▲", "◆", "▼", "✚"};

// Code points: near enough to the width on a terminal.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return right ? space + text : text + space;
}

// Short words stay on one line, long text wraps anywhere.
std::string_view class_of(const Column& column, const std::string& cell) {
  return column.is_number ? "n" : width_of(cell) <= 32 ? "word" : "value";
}

const std::string& brief_of(const Column& column) {
  return column.brief.empty() ? column.name : column.brief;
}

}  // namespace

std::string html_mark(std::size_t system) {
  const std::size_t i = system % kGlyphs.size();
  return fmt::format(R"(<span class="mark s{}" aria-hidden="true">{}</span>)", i, kGlyphs[i]);
}

std::string markdown_of(const Table& table) {
  std::string head = "|";
  std::string rule = "|";
  for (const Column& column : table.columns) {
    head += " " + markdown_text(column.name) + " |";
    rule += column.is_number ? " ---: |" : " --- |";
  }
  std::string out = head + "\n" + rule + "\n";
  for (const Row& row : table.rows) {
    out += "|";
    for (const std::string& cell : row.cells) out += " " + markdown_text(cell) + " |";
    out += "\n";
  }
  return (table.caption.empty() ? "" : markdown_text(table.caption) + "\n\n") + out;
}

std::string html_of(const Table& table) {
  std::string out;
  // Outside the table: a caption inside would scroll away with a wide one.
  if (!table.caption.empty())
    out += fmt::format("<p class=\"note\">{}</p>\n", html_text(table.caption));
  out += R"(<div class="scroll"><table>)";
  out += "<thead><tr>";
  for (const Column& column : table.columns) {
    out += fmt::format(R"(<th scope="col"{}>{}</th>)", column.is_number ? R"( class="n")" : "",
                       html_text(column.name));
  }
  out += "</tr></thead>\n<tbody>";
  for (const Row& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::string text = html_text(row.cells[i]);
      if (i == 0) {
        out += fmt::format(R"(<th scope="row">{}{}</th>)", row.system ? html_mark(*row.system) : "",
                           text);
      } else {
        out +=
            fmt::format("<td class=\"{}\">{}</td>", class_of(table.columns[i], row.cells[i]), text);
      }
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string plain_of(const Table& table) {
  std::vector<Row> lines(1);
  for (const Column& column : table.columns) lines[0].cells.push_back(brief_of(column));
  for (const Row& row : table.rows) {
    Row& line = lines.emplace_back();
    for (const std::string& cell : row.cells) line.cells.push_back(one_line(cell));
  }
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (const Row& line : lines) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(line.cells[i]));
    }
  }
  std::string out;
  for (const Row& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      text += "  " + padded(line.cells[i], widths[i], table.columns[i].is_number);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

}  // namespace evenbench::report
