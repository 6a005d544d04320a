// Which orders of two overlapping operations of a deque are possible, as far as their two values tell.
//
// A deque's history stays linearizable when all operations of other values are erased. So if the operations of two
// values, a handful, have no order in which a comes before b, no linearization of the whole has one. Where they have
// none at all, the whole is refuted by them.
// Cost: O(n k) pairs for k operations open at once, each a search over a dozen operations at most.
// Tests: deque_pairs_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "types/deque/acts.hpp"

namespace linchpin::types::deque {

/// Two operations with all that tells about their values: pushes, pops, and the peeks of Acts::peeks.
class Handful {
 public:
  Handful(const Acts& acts, std::uint32_t a, std::uint32_t b);
  [[nodiscard]] std::span<const std::uint32_t> operations() const { return {operations_.data(), size_}; }

  static constexpr std::size_t kMost = 2 * (1 + 2 + 4);

 private:
  void add(std::uint32_t operation);
  std::array<std::uint32_t, kMost> operations_{};
  std::size_t size_ = 0;
};

/// Whether they have a legal order that respects happens-before, and in which `first` comes before `then` (both among
/// them; kNone: no such demand).
[[nodiscard]] bool possible(const history::Subhistory& part, const Acts& acts, const Handful& handful,
                            std::uint32_t first = kNone, std::uint32_t then = kNone);

/// Whether it is known when the value of an operation leaves: a pending pop may have taken one that nobody popped.
[[nodiscard]] bool tells(const Acts& acts, std::uint32_t operation);

/// Why the handful of a and b has no legal order, where one value or an empty answer is at fault; else empty.
[[nodiscard]] std::string why_impossible(const history::Subhistory& part, const Acts& acts, std::uint32_t a,
                                         std::uint32_t b);

/// Orders of overlapping operations that are forced.
class ForcedOrders {
 public:
  /// All that pairs of values force. False where the budget was spent.
  bool by_pairs(const history::Subhistory& part, const Acts& acts, core::Budget& budget);
  /// What the operation must precede.
  [[nodiscard]] std::span<const std::uint32_t> later(std::uint32_t operation) const {
    return {later_.data() + begin_[operation], begin_[operation + 1] - begin_[operation]};
  }
  /// How many must precede each operation.
  [[nodiscard]] const std::vector<std::uint32_t>& earlier() const { return earlier_; }
  /// Operations without any order; empty: none found.
  [[nodiscard]] std::span<const std::uint32_t> core() const { return core_; }
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  /// Notes which order of two operations is left; false: none.
  bool compare(const history::Subhistory& part, const Acts& acts, std::uint32_t a, std::uint32_t b);
  void index();

  std::vector<std::pair<std::uint32_t, std::uint32_t>> orders_;  // (earlier, later)
  std::vector<std::uint32_t> begin_, later_, earlier_, core_;
  std::string why_;
};

}  // namespace linchpin::types::deque
