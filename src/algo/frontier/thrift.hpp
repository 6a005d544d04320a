// Of configurations that hold the same, which did needlessly much of what is pending: that never has to be done.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace linchpin::algo {

/// Leaves out a configuration where another one of the same `row` did the same of `acts`, and of what is pending a part
/// of what it did, if `replaces(a, b)`: b is not needed beside a. Each is compared with `most` others, each a step.
template <class Configuration, class Mask, class Replaces>
void drop_spendthrifts(std::vector<Configuration>& passed, const Mask& pending, const Mask& acts, std::size_t most,
                       std::uint64_t& steps, Replaces&& replaces) {
  const auto spent = [&](const Configuration& each) { return each.mask & pending; };
  std::sort(passed.begin(), passed.end(), [&](const Configuration& a, const Configuration& b) {
    if (a.row != b.row) return a.row < b.row;
    if ((a.mask & acts) != (b.mask & acts)) return (a.mask & acts) < (b.mask & acts);
    return spent(a).count() < spent(b).count();
  });
  std::size_t kept = 0, alike = 0;
  for (const Configuration& b : passed) {
    if (kept > alike && (passed[alike].row != b.row || (passed[alike].mask & acts) != (b.mask & acts))) alike = kept;
    const auto first = passed.begin() + static_cast<std::ptrdiff_t>(alike);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(kept - alike, most));
    const bool needless = std::any_of(first, last, [&](const Configuration& a) {
      ++steps;
      return (spent(a) & ~b.mask).none() && replaces(a, b);
    });
    if (!needless) passed[kept++] = b;
  }
  passed.resize(kept);
}

}  // namespace linchpin::algo
