#include "app/near_name.hpp"

#include <algorithm>
#include <vector>

namespace linchpin::app {

namespace {

/// Optimal string alignment: each letter takes part in one change at most.
std::size_t changes_between(std::string_view left, std::string_view right) {
  // of i letters on the left and j on the right
  std::vector<std::vector<std::size_t>> changes(left.size() + 1, std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i) {
    for (std::size_t j = 0; j <= right.size(); ++j) {
      if (i == 0 || j == 0) {
        changes[i][j] = i + j;
        continue;
      }
      changes[i][j] = std::min({changes[i - 1][j] + 1, changes[i][j - 1] + 1,
                                changes[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
        changes[i][j] = std::min(changes[i][j], changes[i - 2][j - 2] + 1);
      }
    }
  }
  return changes.back().back();
}

}  // namespace

std::string near_name(std::string_view given, std::span<const std::string> names) {
  constexpr std::size_t kLongest = 64, kMostChanges = 2;
  if (given.empty() || given.size() > kLongest) return "";
  const auto begins_so = [&](const std::string& name) { return name.starts_with(given); };
  if (std::count_if(names.begin(), names.end(), begins_so) == 1) {
    return *std::find_if(names.begin(), names.end(), begins_so);
  }
  std::string nearest;
  std::size_t fewest = std::min(kMostChanges + 1, (given.size() + 1) / 2);
  for (const std::string& name : names) {
    const std::size_t changes = changes_between(given, name);
    if (changes >= fewest) continue;
    fewest = changes;
    nearest = name;
  }
  return nearest;
}

}  // namespace linchpin::app
