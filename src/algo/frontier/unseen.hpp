// Operations that nobody sees: what hides them makes them *free*, so that they need not be done, but can. In the chains
// of a search each stands just before what hides it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algo/shared_chains.hpp"
#include "base/assert.hpp"
#include "base/none.hpp"

namespace linchpin::algo {

/// With the operation of a link: nobody saw it, and it is due.
inline constexpr std::uint32_t kUnseen = 0x80000000U;

/// x, which is due and free in `each`, passes: done, and nobody saw it. The chain of `each` is complete.
template <class Window, class Configuration, class Meet>
void pass_unseen(Window& window, Configuration each, std::uint32_t x, Meet&& meet) {
  const std::uint32_t tail = each.tail;
  each.mask |= window.bit(x);
  each.free &= ~window.bit(x);
  const auto met = meet(each);
  if (met.fresh) met.entry->tail = window.extended(tail, x | kUnseen);
}

/// The operations of a chain, an unseen one before the last that `hides(y, x)` it.
template <class Hides>
[[nodiscard]] std::vector<std::uint32_t> order_with_unseen(const SharedChains<std::uint32_t>& chains,
                                                           std::uint32_t tail, Hides&& hides) {
  std::vector<std::uint32_t> order, hidden;  // backward; not yet met: what hides them
  for (; tail != kNone; tail = chains.before(tail)) {
    const std::uint32_t y = chains.element(tail);
    if ((y & kUnseen) != 0) {
      hidden.push_back(y & ~kUnseen);
      continue;
    }
    order.push_back(y);
    std::erase_if(hidden, [&](std::uint32_t x) {
      if (!hides(y, x)) return false;
      order.push_back(x);
      return true;
    });
  }
  LINCHPIN_ASSERT(hidden.empty());
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace linchpin::algo
