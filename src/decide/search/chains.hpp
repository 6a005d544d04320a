// Chains of linearized operations with shared beginnings: how each configuration of a search came about.
//
// A hundred thousand operations and thousands of configurations need a few megabytes: a chain is known by its last
// link, and what no configuration leads back to any more is collected when it outgrows the rest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "decide/search/transitions.hpp"

namespace linchpin::decide {

inline constexpr std::uint32_t kNoLink = 0xffffffffU;

class Chains {
 public:
  std::uint32_t extend(std::uint32_t tail, std::uint32_t local) {
    links_.push_back({local, tail});
    return static_cast<std::uint32_t>(links_.size() - 1);
  }
  /// `local` is overwritten at once by the last operation of the chain that overwrites the same.
  std::uint32_t extend_unseen(std::uint32_t tail, std::uint32_t local) { return extend(tail, local | kUnseen); }

  /// The operations up to `tail`; `overwrites(local)` is what an operation overwrites.
  template <class Overwrites>
  [[nodiscard]] std::vector<std::uint32_t> from_start(std::uint32_t tail, Overwrites&& overwrites) const {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> unseen;  // not yet met: what hides them
    for (; tail != kNoLink; tail = links_[tail].previous) {
      const std::uint32_t local = links_[tail].local;
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
  [[nodiscard]] bool worth_collecting() const { return links_.size() > 2 * kept_ + (std::size_t{1} << 20); }
  /// Drops what none of `tails` reaches, and renames `tails`.
  void collect(std::vector<std::uint32_t>& tails) {
    std::vector<std::uint32_t> renamed(links_.size(), kNoLink);
    std::vector<bool> live(links_.size(), false);
    for (std::uint32_t tail : tails) {
      for (; tail != kNoLink && !live[tail]; tail = links_[tail].previous) live[tail] = true;
    }
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      if (!live[i]) continue;
      renamed[i] = kept;
      links_[kept] = {links_[i].local, links_[i].previous == kNoLink ? kNoLink : renamed[links_[i].previous]};
      ++kept;
    }
    links_.resize(kept);
    for (std::uint32_t& tail : tails) tail = tail == kNoLink ? kNoLink : renamed[tail];
    kept_ = kept;
  }
  [[nodiscard]] std::size_t bytes() const { return links_.capacity() * sizeof(Link); }
  /// Bytes that the next extension, or the collection that is due, takes at once.
  [[nodiscard]] std::size_t growth() const {
    const std::size_t extension = links_.size() + kEntriesAhead > links_.capacity() ? 2 * bytes() : 0;
    return extension + (worth_collecting() ? links_.size() * sizeof(std::uint32_t) + links_.size() / 8 : 0);
  }

 private:
  static constexpr std::uint32_t kUnseen = 0x80000000U;
  struct Link {
    std::uint32_t local;
    std::uint32_t previous;
  };
  std::vector<Link> links_;
  std::size_t kept_ = 0;
};

}  // namespace linchpin::decide
