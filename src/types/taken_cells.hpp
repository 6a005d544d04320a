// Which things removals with lost results took: sets of cells in which a cell may stand several times, numbered, so
// that configurations that took the same are equal. Used by content_search.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

namespace linchpin::types {

class TakenCells {
 public:
  /// 0: nothing was taken.
  using Number = std::uint32_t;

  TakenCells() { clear(); }

  /// Sorted.
  [[nodiscard]] std::span<const std::uint32_t> cells(Number taken) const { return sets_[taken]; }
  /// What is in `taken`, and these as well, which are sorted. O(how many)
  Number with(Number taken, std::span<const std::uint32_t> more) {
    std::vector<std::uint32_t> all;
    all.reserve(sets_[taken].size() + more.size());
    std::merge(sets_[taken].begin(), sets_[taken].end(), more.begin(), more.end(), std::back_inserter(all));
    return number_of(std::move(all));
  }
  /// Whether all of `part` is in `whole`.
  [[nodiscard]] bool within(Number part, Number whole) const {
    return part == whole ||
           std::includes(sets_[whole].begin(), sets_[whole].end(), sets_[part].begin(), sets_[part].end());
  }
  [[nodiscard]] std::size_t count() const { return sets_.size(); }

  /// What is in each of these, which are not empty; from now on only what they hold besides is known, and they are
  /// numbered anew.
  template <class Numbers>
  std::vector<std::uint32_t> take_out_common(Numbers each_number) {
    std::vector<std::uint32_t> common, both;
    bool first = true;
    each_number([&](Number& taken) {
      if (std::exchange(first, false)) {
        common = sets_[taken];
        return;
      }
      both.clear();
      std::set_intersection(common.begin(), common.end(), sets_[taken].begin(), sets_[taken].end(),
                            std::back_inserter(both));
      std::swap(common, both);
    });
    const std::vector<std::vector<std::uint32_t>> before = std::move(sets_);
    clear();
    each_number([&](Number& taken) {
      std::vector<std::uint32_t> rest;
      std::set_difference(before[taken].begin(), before[taken].end(), common.begin(), common.end(),
                          std::back_inserter(rest));
      taken = number_of(std::move(rest));
    });
    return common;
  }

 private:
  void clear() {
    sets_.assign(1, {});
    number_.clear();
    number_.emplace(sets_[0], 0);
  }
  Number number_of(std::vector<std::uint32_t> cells) {
    const auto [known, fresh] = number_.try_emplace(cells, static_cast<Number>(sets_.size()));
    if (fresh) sets_.push_back(std::move(cells));
    return known->second;
  }

  std::vector<std::vector<std::uint32_t>> sets_;
  absl::flat_hash_map<std::vector<std::uint32_t>, Number> number_;
};

}  // namespace linchpin::types
