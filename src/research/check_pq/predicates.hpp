// The predicates of Check-PQ-Conc: whether a concurrent execution has a linearization in which the chosen remove, or
// the chosen value of maximal priority, stands right.
//
// ByDefinition looks for the linearization: every set of operations that may have taken effect before a moment is
// visited once, 2^n of them at worst. ByGraphs uses the paper's criteria instead: no cycle in the left-right constraint
// (Lemmas 13 and 42), gap-points and the put-before order (Lemma 33), and for values that are never removed the order
// of puts (Lemma 37). Polynomial, and right only where values of one priority keep a queue's order
// (single_priority.hpp). Tests: check_pq_test.cpp holds one against the other.
#pragma once

#include "research/check_pq/execution.hpp"
#include "research/check_pq/sequential.hpp"

namespace linchpin::research::check_pq {

class Predicates {
 public:
  Predicates() = default;
  Predicates(const Predicates&) = delete;
  Predicates& operator=(const Predicates&) = delete;
  virtual ~Predicates() = default;
  /// EmptyRemove-Conc(e, o)
  [[nodiscard]] virtual bool empty_remove(const Projection& e, std::uint32_t o) const = 0;
  /// UnmatchedMaxPriority-Conc(e, x)
  [[nodiscard]] virtual bool unmatched_max_priority(const Projection& e, std::uint32_t x) const = 0;
  /// MatchedMaxPriority-Conc(e, x)
  [[nodiscard]] virtual bool matched_max_priority(const Projection& e, std::uint32_t x) const = 0;
};

/// @pre at most 62 operations
class ByDefinition final : public Predicates {
 public:
  explicit ByDefinition(Text text) : text_(text) {}
  [[nodiscard]] bool empty_remove(const Projection& e, std::uint32_t o) const override;
  [[nodiscard]] bool unmatched_max_priority(const Projection& e, std::uint32_t x) const override;
  [[nodiscard]] bool matched_max_priority(const Projection& e, std::uint32_t x) const override;

 private:
  Text text_;
};

class ByGraphs final : public Predicates {
 public:
  [[nodiscard]] bool empty_remove(const Projection& e, std::uint32_t o) const override;
  [[nodiscard]] bool unmatched_max_priority(const Projection& e, std::uint32_t x) const override;
  [[nodiscard]] bool matched_max_priority(const Projection& e, std::uint32_t x) const override;
};

}  // namespace linchpin::research::check_pq
