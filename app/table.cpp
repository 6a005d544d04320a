#include "app/table.hpp"

#include <algorithm>

#include "base/foreign_text.hpp"

namespace linchpin::app {

namespace {

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string aligned(const std::vector<Column>& columns, std::vector<std::vector<std::string>> rows,
                    std::size_t indent) {
  for (auto& row : rows) {
    for (std::string& cell : row) cell = base::foreign_text(cell);
  }
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    titles.push_back(columns[i].title);
    std::size_t widest = width(columns[i].title);
    for (const auto& row : rows) widest = std::max(widest, width(row[i]));
    widths.push_back(widest);
  }
  std::string text;
  const auto add_row = [&](const std::vector<std::string>& row) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - width(row[i]), ' ');
      line.append(columns[i].right ? blanks : row[i]).append(columns[i].right ? row[i] : blanks).append("  ");
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add_row(titles);
  for (const auto& row : rows) add_row(row);
  return text;
}

}  // namespace linchpin::app
