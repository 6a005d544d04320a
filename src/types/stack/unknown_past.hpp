// Refutes a stack history by a few of its events, whatever happened before them.
//
// A search that goes forward has to keep every configuration from the beginning on to refute anything. But what refutes
// a history rarely reaches back far: so go forward from a later event, from configurations that include all that can
// have come about there, and more. Where none of them goes on, none of the true ones does.
//
// Configurations between two events, by what the open operations say: the number of values is what returned pushes and
// pops leave, and some open pushes more; their order is unknown, so that the set is that of all stacks of this height.
//   open pushes   any of them are done; of equal ones those that respond first
//   open pops     none is done: if one was, what it took may still be on top, and it be done now; but where operations
//                 feel the height, any are done
//   pure ones     all are done, which only allows more
// Cost: O(n) for the start, then as stack_frontier.hpp.
// Source: docs/design/search.md, sets of stacks. Tests: stack_sets_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "types/shared/stack_frontier.hpp"

namespace linchpin::types {

/// @tparam Mask  an algo::SlotMask; instances: unknown_past.cpp
template <class Mask>
class StackUnknownPast {
 public:
  enum class Status : std::uint8_t { going, refuted, not_refuted };

  StackUnknownPast(const history::Subhistory& part, const StackActs& acts)
      : part_(part),
        acts_(acts),
        frontier_(stack_slots(part, acts), algo::Order{.due = part.response}, false, part, acts) {}

  /// From about `from`, where few operations are open, as far as `until`. False: there are too many starts.
  bool begin(history::Rank from, history::Rank until);
  /// One more step.
  Status advance();

  /// The event that could not be passed. @pre refuted
  [[nodiscard]] history::Rank rank() const { return rank_; }
  [[nodiscard]] std::uint64_t steps() const { return frontier_.steps(); }
  [[nodiscard]] bool may_grow(core::Budget& budget) const { return frontier_.may_grow(budget); }

 private:
  /// Open operations that do the same, by response, and how many of them are done at least.
  struct Alike {
    std::vector<std::uint32_t> locals;
    std::size_t least = 0;
    std::int64_t change = 0;  // of the height, each
  };

  [[nodiscard]] history::Rank place_near(history::Rank from, history::Rank count) const;
  [[nodiscard]] std::vector<Alike> open_changes(const std::vector<std::uint32_t>& open,
                                                const std::vector<std::int64_t>& held) const;
  [[nodiscard]] bool add_starts(const std::vector<std::uint32_t>& open, const std::vector<Alike>& changes,
                                std::int64_t height);
  template <class Body>
  void each_met(const std::vector<std::uint32_t>& open, Body&& body) const;
  [[nodiscard]] std::vector<std::uint32_t> values_seen(const std::vector<std::uint32_t>& open) const;
  [[nodiscard]] Status after_response();
  void collect();

  const history::Subhistory& part_;
  const StackActs& acts_;
  algo::Frontier<Stacks<Mask>> frontier_;
  history::Rank rank_ = 0;
  history::Rank until_ = 0;
};

}  // namespace linchpin::types
