// Data-differentiated executions of a priority queue as Bouajjani, Enea and Wang see them ([4] below): every value is
// put at most once, under a priority; a remove names its value or finds nothing; every operation has returned.
//
// Their order of call and return actions is that of the ranks. Whether one value goes before another is asked of the
// specification (put both, see who may be removed), so that nothing here shares code with the monitor that it is held
// against. Where equal priorities leave in any order they are taken for incomparable ones, as the paper does.
//
// [4] Ahmed Bouajjani, Constantin Enea, Chao Wang: Checking linearizability of concurrent priority queues, CONCUR 2017.
// Definitions, lemmas and algorithms are numbered as there; where it had to be mended docs/papers says how.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"

namespace linchpin::research::check_pq {

/// An operation by the indices of its call and return actions.
struct Interval {
  history::Rank call = 0, ret = 0;
  [[nodiscard]] bool happens_before(const Interval& other) const { return ret < other.call; }
};

/// The operations on one value.
struct PutAndRemove {
  Interval put;
  std::optional<Interval> rm;  ///< nothing: the put is unmatched
  std::uint32_t put_local = kNone, rm_local = kNone;
};

struct EmptyRemove {
  Interval interval;
  std::uint32_t local = kNone;
};

/// How one priority stands to another. `same` occurs only where equal priorities leave first in, first out.
enum class Comparison : std::uint8_t { smaller, larger, same, incomparable };

struct Execution {
  std::vector<PutAndRemove> values;
  std::vector<EmptyRemove> empties;
  std::vector<Comparison> comparisons;  ///< by two values

  [[nodiscard]] Comparison compare(std::uint32_t left, std::uint32_t right) const {
    return comparisons[std::size_t{left} * values.size() + right];
  }
  /// Whether the priority of `left` is strictly smaller.
  [[nodiscard]] bool smaller(std::uint32_t left, std::uint32_t right) const {
    return compare(left, right) == Comparison::smaller;
  }
  [[nodiscard]] bool same(std::uint32_t left, std::uint32_t right) const {
    return left == right || compare(left, right) == Comparison::same;
  }
};

/// e|D: what is left of an execution, by indices; ascending.
struct Projection {
  const Execution* execution = nullptr;
  std::vector<std::uint32_t> values;
  std::vector<std::uint32_t> empties;

  [[nodiscard]] static Projection whole(const Execution& execution);
  [[nodiscard]] bool empty() const { return values.empty() && empties.empty(); }
  [[nodiscard]] Projection without_value(std::uint32_t value) const;
  [[nodiscard]] Projection without_empty(std::uint32_t which) const;
  /// Whether no priority in it is larger than the value's.
  [[nodiscard]] bool maximal(std::uint32_t value) const;
  /// e|_{<= p}: the values of the value's priority and of smaller ones; no removes that found nothing.
  [[nodiscard]] Projection up_to_priority_of(std::uint32_t value) const;
};

/// A value whose removes fit to no put: never put, or removed twice. Not linearizable in any surroundings.
struct Mismatch {
  std::vector<std::uint32_t> locals;  ///< ascending
  std::string sentence;
};

struct Reading {
  std::string obstacle;  ///< why the history is no data-differentiated completed execution; empty where it is one
  std::optional<Mismatch> mismatch;
  Execution execution;
};

/// Reads a history. Pending inserts that nobody saw are left out; those of values that were removed return at the end.
[[nodiscard]] Reading read_execution(const history::Subhistory& part);

}  // namespace linchpin::research::check_pq
