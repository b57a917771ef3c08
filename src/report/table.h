// A table as a value, so that page, Markdown and terminal print the same words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace evenbench::report {

struct Column {
  std::string name;
  bool is_number = false;
  std::string brief;  // for the terminal; "" = name
};

struct Row {
  std::vector<std::string> cells;     // as many as there are columns
  std::optional<std::size_t> system;  // whose row it is; the first cell is then its name
};

struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<Row> rows;
};

std::string markdown_of(const Table& table);
std::string html_of(const Table& table);
// Aligned by spaces, two before each line.
std::string plain_of(const Table& table);

// Glyph and colour class that stand for a system on the page.
std::string html_mark(std::size_t system);

}  // namespace evenbench::report
