// Counts how much of what threads can do to each other a run has seen.
#pragma once

#include <cstddef>
#include <cstdint>

#include <absl/container/flat_hash_map.h>

#include "linchpin/history.hpp"

namespace linchpin::stress_plan {

/// Counts operations during which others were in progress, and how many kinds of these there were: the same method, the
/// same ones in progress when it was called, and the same calls and returns during it, in the same order.
class Overlaps {
 public:
  /// O(n log n + n times operations in progress).
  void add(const History& history);

  [[nodiscard]] std::size_t operations() const { return operations_; }
  [[nodiscard]] std::size_t kinds() const { return seen_.size(); }
  /// Kinds that came once. By Good and Turing, about `once / operations` of what is still to come is of kinds not seen.
  [[nodiscard]] std::size_t once() const { return once_; }

 private:
  static constexpr std::size_t kMostKinds = 1'000'000;  // beyond these, new ones are not told apart

  void add(std::uint64_t kind);

  std::size_t operations_ = 0;
  std::size_t once_ = 0;
  absl::flat_hash_map<std::uint64_t, bool> seen_;  // whether more than once
};

}  // namespace linchpin::stress_plan
