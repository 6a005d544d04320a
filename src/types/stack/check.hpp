// One run of the stack monitor over a history in which every pending pop is known or left out.
//
// Steps: sum up each value (algo/container.hpp), thin the gaps out to segments (segments.hpp), check that each empty
// has a segment outside all covers, eliminate (elimination.hpp). A witness is put together from the segments chosen on
// the way (witness.cpp), a core from what remains (core.cpp).
//
// Empties: linearizable iff the history without them is and each has a gap that no cover contains (flush lemma: there
// the stack can be made empty without any change elsewhere).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algo/container.hpp"
#include "base/none.hpp"
#include "core/budget.hpp"
#include "types/stack/elimination.hpp"
#include "types/stack/segments.hpp"

namespace linchpin::types {

class StackCheck {
 public:
  enum class Result : std::uint8_t { linearizable, value_fault, covered_empty, stuck, spent };

  /// Keeps a reference to `history` and marks in it what does not matter.
  explicit StackCheck(algo::ContainerHistory& history) : history_(history) {}

  Result run(core::Budget& budget, bool record_witness);

  /// After linearizable with `record_witness`: what took effect, in order.
  [[nodiscard]] std::vector<std::uint32_t> witness() const;
  /// After a violation: operations that are not linearizable on their own, not yet shrunk.
  [[nodiscard]] std::vector<std::uint32_t> core() const;

  [[nodiscard]] const algo::ContainerHistory& history() const { return history_; }
  [[nodiscard]] const algo::ContainerValues& container() const { return container_; }
  [[nodiscard]] const std::optional<algo::ValueFault>& fault() const { return fault_; }
  /// After covered_empty.
  [[nodiscard]] std::uint32_t empty() const { return empty_; }
  [[nodiscard]] std::vector<algo::ValueNumber> empty_chain() const;  ///< values whose covers contain all its gaps
  [[nodiscard]] const StackSegments& segments() const { return *segments_; }
  [[nodiscard]] const StackLooks& looks() const { return looks_; }
  /// After a violation.
  [[nodiscard]] const StackElimination& elimination() const { return *elimination_; }

 private:
  /// Segments of an empty or a look.
  [[nodiscard]] algo::Gaps segments_of(std::uint32_t operation) const;
  [[nodiscard]] std::vector<algo::ValueNumber> residual_core() const;
  [[nodiscard]] std::vector<algo::ValueNumber> values_of(const std::vector<std::uint32_t>& covers) const;

  algo::ContainerHistory& history_;
  algo::ContainerValues container_;
  std::optional<algo::ValueFault> fault_;
  std::uint32_t empty_ = kNone;
  std::optional<StackSegments> segments_;
  std::optional<algo::LooksByValue> looks_by_value_;  // where there are looks
  StackLooks looks_;
  std::optional<StackElimination> elimination_;

  // For the witness.
  std::vector<std::uint32_t> order_;                       // k, as eliminated
  std::vector<std::uint32_t> push_segment_, pop_segment_;  // by k
  std::vector<std::uint32_t> other_segment_;  // by operation: looks and empties; empty where there are none
};

}  // namespace linchpin::types
