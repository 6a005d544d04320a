// Executes a specification along one order of operations, all choices at once.
//
// A pending operation may be left out, a step may have several successors: after each prefix of an order there is a
// set of states the object may be in. The order is a witness iff that set is never empty. Nearly always it is one
// state, which is its own number here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/none.hpp"
#include "decide/search/transitions.hpp"
#include "history/subhistory.hpp"

namespace linchpin::research {

using StateSet = std::uint32_t;  ///< a state's id, or kMany + an index into the sets of several

class StateSets {
 public:
  explicit StateSets(const history::Subhistory& part) : part_(part), labels_(part), transitions_(part, labels_) {}
  StateSets(const StateSets&) = delete;
  StateSets& operator=(const StateSets&) = delete;

  [[nodiscard]] StateSet initial() { return transitions_.initial(); }
  /// After the part's operation `local`; kNone: illegal in all of them.
  [[nodiscard]] StateSet after(StateSet set, std::uint32_t local) {
    if (set < kMany && !part_.pending(local)) {
      const std::span<const StateId> next = transitions_.after(set, labels_.of(local));
      if (next.size() == 1) return next[0];
    }
    return after_many(set, local);
  }

  /// The operations of a legal order that took effect: all but the pending ones that are left out, as few as can be
  /// chosen from behind. @pre the order is legal from `start`
  [[nodiscard]] std::vector<std::uint32_t> effective(StateSet start, std::span<const std::uint32_t> order);

  [[nodiscard]] std::size_t growth() const { return transitions_.growth(); }

 private:
  static constexpr StateSet kMany = 0x80000000U;

  [[nodiscard]] std::vector<StateId> states(StateSet set) const {
    return set < kMany ? std::vector<StateId>{set} : many_[set - kMany];
  }
  StateSet after_many(StateSet set, std::uint32_t local);

  const history::Subhistory& part_;
  decide::Labels labels_;
  decide::Transitions transitions_;
  std::vector<std::vector<StateId>> many_;  // each ascending, of two states or more
  absl::flat_hash_map<std::vector<StateId>, StateSet> numbers_;
};

}  // namespace linchpin::research
