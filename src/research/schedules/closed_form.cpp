#include "research/schedules/closed_form.hpp"

#include <algorithm>

namespace linchpin::research {

void ClosedForm::schedule(std::uint32_t chain, std::span<const std::uint32_t> tuple, Schedule& schedule) {
  const std::uint32_t n = poset_.size();
  members_.clear();
  for (std::uint32_t y = 0; y < n; ++y) {
    if (poset_.chain[y] == chain) members_.push_back(y);
  }
  const auto counts = static_cast<std::uint32_t>(members_.size()) + 1;
  starts_.assign(counts * (tuple.size() + 1) + 1, 0);
  std::uint32_t count = 0;
  for (std::uint32_t y = 0; y < n; ++y) {
    std::uint32_t level = 0;
    for (auto j = static_cast<std::uint32_t>(tuple.size()); j > 0 && level == 0; --j) {
      if (poset_.before_or_equal(tuple[j - 1], y)) level = j;
    }
    while (count < members_.size() && poset_.before(members_[count], y)) ++count;
    const bool member = count < members_.size() && members_[count] == y;
    key_[y] = level * counts + count + (member ? 1 : 0);
    ++starts_[key_[y] + 1];
  }
  for (std::size_t key = 1; key < starts_.size(); ++key) starts_[key] += starts_[key - 1];
  schedule.resize(n);
  for (std::uint32_t y = 0; y < n; ++y) schedule[starts_[key_[y]]++] = y;
}

}  // namespace linchpin::research
