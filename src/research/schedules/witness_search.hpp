// Is there a witness of linearizability in the strong d-hitting family of a part, or of a segment of it?
//
// The enumeration's tree with the specification running along: a wrong result cuts off all schedules that begin so. A
// memo knows where the walk has been with the same operations to come, the same list and the same states, and with at
// least as many delays left: nothing new comes from there. (It holds 64-bit hashes: a collision could hide a witness,
// and never make one up.)
// Cost: O(m n^(d-1)) operations executed at worst; with the memo, no more than there are distinct standings.
// Source: ours, over B. Kulahcioglu Ozkan, R. Majumdar, F. Niksic, PPoPP 2019, section 4. Tests:
// witness_search_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/none.hpp"
#include "core/budget.hpp"
#include "research/schedules/enumeration.hpp"
#include "research/schedules/state_sets.hpp"

namespace linchpin::research {

class WitnessSearch {
 public:
  enum class Status : std::uint8_t { found, none, stopped };

  /// The operations [first, last) of the part, and `poset` of them. What is passed must outlive the search.
  WitnessSearch(const OperationPoset& poset, std::uint32_t first, StateSets& sets)
      : poset_(poset), first_(first), sets_(sets), enumeration_(poset, *this) {}
  WitnessSearch(const WitnessSearch&) = delete;
  WitnessSearch& operator=(const WitnessSearch&) = delete;

  /// Begins with the schedules for d, in the states `start`. Smaller d first: the memo remembers them.
  void begin(std::uint32_t d, StateSet start);
  /// Goes on until a witness is found, there is none among them, the steps are used up (they are counted down) or the
  /// budget is spent: stopped, to be continued.
  Status run(std::int64_t& steps, core::Budget& budget);
  /// Both, without a limit of steps.
  Status find(std::uint32_t d, StateSet start, core::Budget& budget);

  /// The witness found, as operations of the part.
  [[nodiscard]] const std::vector<std::uint32_t>& path() const { return path_; }

  struct End {
    StateSet states = 0;
    std::uint32_t depth = 0;          ///< one more than the delays of the path
    std::vector<std::uint32_t> path;  ///< operations of the part
  };
  /// Appends what the schedules for d reach from `start`, each set of states once (over all calls), until the budget
  /// is spent.
  Status collect(std::uint32_t d, StateSet start, std::vector<End>& ends, core::Budget& budget);

  /// Branches followed to a wrong result or to the end so far.
  [[nodiscard]] std::uint64_t tried() const { return tried_; }

 private:
  friend class Enumeration<WitnessSearch>;
  bool emit(std::uint32_t operation) {
    const StateSet next = sets_.after(states_.back(), first_ + operation);
    if (next == kNone) {
      ++tried_;
      return false;
    }
    states_.push_back(next);
    path_.push_back(first_ + operation);
    return true;
  }
  void retract(std::uint32_t count) {
    states_.resize(count + 1);
    path_.resize(count);
  }
  bool finish(std::uint32_t delays);
  bool known(const Standing& standing);
  bool allowed(core::Budget& budget);

  const OperationPoset& poset_;
  std::uint32_t first_;
  StateSets& sets_;
  Enumeration<WitnessSearch> enumeration_;
  std::uint32_t chain_ = 0, delays_ = 0;
  std::vector<StateSet> states_;  // before the first operation, and after each of path_
  std::vector<std::uint32_t> path_;
  std::vector<End>* ends_ = nullptr;                        // nothing: the first end is enough
  absl::flat_hash_map<std::uint64_t, std::uint32_t> memo_;  // hash of a standing: the delays left there
  std::uint64_t tried_ = 0;
};

}  // namespace linchpin::research
