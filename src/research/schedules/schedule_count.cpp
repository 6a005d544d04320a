#include "research/schedules/schedule_count.hpp"

#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/none.hpp"

namespace linchpin::research {

namespace {

/// A beginning: how many operations of each chain it has, and the states after it.
using Beginning = std::vector<std::uint32_t>;
using Counted = absl::flat_hash_map<Beginning, std::uint64_t>;

class Count {
 public:
  Count(const OperationPoset& poset, core::Budget& budget) : poset_(poset), budget_(budget), chains_(poset.chains) {
    for (std::uint32_t i = 0; i < poset.size(); ++i) chains_[poset.chain[i]].push_back(i);
  }

  /// `step(states, operation)` gives the states after it, kNone where it is illegal.
  template <class Step>
  std::optional<std::uint64_t> run(StateSet initial, const Step& step) {
    Beginning empty(chains_.size() + 1, 0);
    empty.back() = initial;
    Counted now{{empty, 1}};
    for (std::uint32_t length = 0; length < poset_.size(); ++length) {
      Counted next;
      for (const auto& [beginning, count] : now) {
        for (std::uint32_t chain = 0; chain < chains_.size(); ++chain) {
          if (!free(beginning, chain)) continue;
          const StateSet after = step(beginning.back(), chains_[chain][beginning[chain]]);
          if (after == kNone) continue;
          Beginning longer = beginning;
          ++longer[chain];
          longer.back() = after;
          if (!add(next, std::move(longer), count)) return std::nullopt;
        }
      }
      now = std::move(next);
    }
    std::uint64_t all = 0;
    for (const auto& [beginning, count] : now) {
      if (__builtin_add_overflow(all, count, &all)) return std::nullopt;
    }
    return all;
  }

 private:
  /// Whether the chain has a next operation that nothing else has to come before: the next one of another chain
  /// happens before whatever any later one of that chain happens before.
  [[nodiscard]] bool free(const Beginning& beginning, std::uint32_t chain) const {
    if (beginning[chain] == chains_[chain].size()) return false;
    const std::uint32_t operation = chains_[chain][beginning[chain]];
    for (std::uint32_t other = 0; other < chains_.size(); ++other) {
      if (beginning[other] < chains_[other].size() && poset_.before(chains_[other][beginning[other]], operation)) {
        return false;
      }
    }
    return true;
  }

  /// False: the sum has more than 64 bits, or the budget is spent.
  bool add(Counted& to, Beginning&& beginning, std::uint64_t count) {
    if (budget_.spent()) return false;
    if (to.size() == to.capacity() * 7 / 8 && !to.contains(beginning)) {
      const std::size_t each = sizeof(Counted::value_type) + 1 + (chains_.size() + 1) * sizeof(std::uint32_t);
      if (!budget_.allows(2 * to.capacity() * each)) return false;
    }
    std::uint64_t& sum = to[std::move(beginning)];
    return !__builtin_add_overflow(sum, count, &sum);
  }

  const OperationPoset& poset_;
  core::Budget& budget_;
  std::vector<std::vector<std::uint32_t>> chains_;  // their operations, first to last
};

}  // namespace

std::optional<std::uint64_t> count_schedules(const OperationPoset& poset, core::Budget& budget) {
  return Count(poset, budget).run(0, [](StateSet states, std::uint32_t /*operation*/) { return states; });
}

std::optional<std::uint64_t> count_witnesses(const OperationPoset& poset, StateSets& sets, core::Budget& budget) {
  return Count(poset, budget).run(sets.initial(), [&](StateSet states, std::uint32_t operation) {
    return sets.after(states, operation);
  });
}

}  // namespace linchpin::research
