#include "types/priority_queue/priorities.hpp"

#include <algorithm>

namespace linchpin::types {

std::vector<std::uint32_t> priority_classes(const history::Subhistory& part, const algo::ContainerHistory& history,
                                            bool largest_first) {
  std::vector<Value> priority(history.values);
  std::uint32_t added = 0;
  bool integers = true;
  std::int64_t least = INT64_MAX, most = INT64_MIN;
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    if (history.role[i] != algo::Role::add) continue;
    const Value given = part.arguments(i).back();
    priority[history.value[i]] = given;
    ++added;
    integers = integers && given.is_integer();
    if (!integers) continue;
    least = std::min(least, given.integer());
    most = std::max(most, given.integer());
  }
  std::vector<std::uint32_t> classes(history.values, 0);
  if (added == 0) return classes;
  std::vector<std::uint32_t> values;
  values.reserve(added);
  for (std::uint32_t v = 0; v < history.values; ++v) {
    if (!priority[v].is_none()) values.push_back(v);
  }
  // Inline integers have 61 bits: the difference does not overflow.
  if (integers && static_cast<std::uint64_t>(most - least) < 4 * values.size() + 1024) {
    const auto slot = [&](std::uint32_t v) {
      const std::int64_t p = priority[v].integer();
      return static_cast<std::size_t>(largest_first ? most - p : p - least);
    };
    std::vector<std::uint32_t> number(static_cast<std::size_t>(most - least) + 1, 0);
    for (const std::uint32_t v : values) number[slot(v)] = 1;
    std::uint32_t sum = 0;
    for (std::uint32_t& entry : number) sum += std::exchange(entry, sum);
    for (const std::uint32_t v : values) classes[v] = number[slot(v)];
    return classes;
  }
  const ValuePool& pool = part.history->pool();
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    if (integers) {
      const std::int64_t left = priority[a].integer(), right = priority[b].integer();
      return largest_first ? left > right : left < right;
    }
    const auto order = pool.compare(priority[a], priority[b]);
    return largest_first ? order > 0 : order < 0;
  };
  // Numbered in order already where values are their own priorities (algo/number_values.hpp).
  const auto worse = [&](std::uint32_t a, std::uint32_t b) { return better(b, a); };
  if (std::is_sorted(values.begin(), values.end(), worse)) std::reverse(values.begin(), values.end());
  if (!std::is_sorted(values.begin(), values.end(), better)) std::sort(values.begin(), values.end(), better);
  for (std::size_t i = 1; i < values.size(); ++i) {
    classes[values[i]] = classes[values[i - 1]] + (priority[values[i]] == priority[values[i - 1]] ? 0 : 1);
  }
  return classes;
}

std::vector<std::uint32_t> priority_classes(const algo::ContainerPart& part, std::uint32_t values,
                                            const std::vector<std::uint32_t>& whole) {
  std::vector<std::uint32_t> classes(values), sorted;
  for (std::uint32_t v = 0; v < values; ++v) classes[v] = whole[part.original_value(v)];
  sorted = classes;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (std::uint32_t& c : classes) {
    c = static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), c) - sorted.begin());
  }
  return classes;
}

}  // namespace linchpin::types
