// Chains of linearized operations (algo/shared_chains.hpp), some of which nobody sees: they are put in when the chain
// is asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algo/shared_chains.hpp"
#include "decide/search/transitions.hpp"

namespace linchpin::decide {

using algo::kNoLink;

class Chains {
 public:
  std::uint32_t extend(std::uint32_t tail, std::uint32_t local) { return links_.extend(tail, local); }
  /// `local` is overwritten at once by the last operation of the chain that overwrites the same.
  std::uint32_t extend_unseen(std::uint32_t tail, std::uint32_t local) { return extend(tail, local | kUnseen); }

  /// The operations up to `tail`; `overwrites(local)` is what an operation overwrites.
  template <class Overwrites>
  [[nodiscard]] std::vector<std::uint32_t> from_start(std::uint32_t tail, Overwrites&& overwrites) const {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> unseen;  // not yet met: what hides them
    for (; tail != kNoLink; tail = links_.before(tail)) {
      const std::uint32_t local = links_.element(tail);
      if ((local & kUnseen) != 0) {
        unseen.push_back(local & ~kUnseen);
        continue;
      }
      order.push_back(local);
      const std::uint32_t place = overwrites(local);
      if (place == Labels::kNowhere) continue;
      std::erase_if(unseen, [&](std::uint32_t hidden) {
        if (overwrites(hidden) != place) return false;
        order.push_back(hidden);
        return true;
      });
    }
    std::reverse(order.begin(), order.end());
    return order;
  }
  [[nodiscard]] bool worth_collecting() const { return links_.worth_collecting(std::size_t{1} << 20); }
  /// Drops what none of `tails` reaches, and renames `tails`.
  void collect(std::vector<std::uint32_t>& tails) {
    links_.collect(tails, [](std::uint32_t& tail) -> std::uint32_t& { return tail; });
  }
  [[nodiscard]] std::size_t bytes() const { return links_.bytes(); }
  /// Bytes that the next extension, or the collection that is due, takes at once.
  [[nodiscard]] std::size_t growth() const {
    return links_.growth(kEntriesAhead) + (worth_collecting() ? links_.size() * sizeof(std::uint32_t) : 0);
  }

 private:
  static constexpr std::uint32_t kUnseen = 0x80000000U;
  algo::SharedChains<std::uint32_t> links_;  // operations; those that are unseen with kUnseen
};

}  // namespace linchpin::decide
