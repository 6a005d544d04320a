// Aligned columns of text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace linchpin::app {

struct Column {
  std::string title;
  bool right = false;  ///< numbers stand to the right
};

/// The rows under the titles, two blanks between columns, each line after `indent` blanks and without trailing ones.
/// A cell is one line, whatever is in it (base/foreign_text.hpp). Widths are counted in code points.
[[nodiscard]] std::string aligned(const std::vector<Column>& columns, std::vector<std::vector<std::string>> rows,
                                  std::size_t indent = 0);

}  // namespace linchpin::app
