#include "base/names.hpp"

#include <algorithm>

namespace linchpin::base {

bool same_name(std::string_view left, std::string_view right) {
  const auto skip = [](std::string_view text, std::size_t& at) {
    while (at < text.size() && (text[at] == '-' || text[at] == '_')) ++at;
  };
  // Not std::tolower, which asks the locale: names are compared for every method of every small history.
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::size_t i = 0;
  std::size_t j = 0;
  while (true) {
    skip(left, i);
    skip(right, j);
    if (i == left.size() || j == right.size()) return i == left.size() && j == right.size();
    if (lower(left[i]) != lower(right[j])) return false;
    ++i;
    ++j;
  }
}

bool is_listed(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t length = std::min(names.find(' '), names.size());
    if (length > 0 && same_name(names.substr(0, length), name)) return true;
    names.remove_prefix(std::min(length + 1, names.size()));
  }
  return false;
}

}  // namespace linchpin::base
