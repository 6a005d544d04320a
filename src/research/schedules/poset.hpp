// The operations of a history as the poset that schedules extend, with a partition into chains.
//
// Operations are numbered by their calls, so 0, 1, 2, ... is itself a schedule (a linear extension). Since operations
// are intervals, what `a` happens before is everything from some number on: one number an operation is the whole order.
// The chains are the processes; where the input names none, or one process has operations that touch at a tick (which
// are concurrent), operations are put on the first chain whose last one happens before them.
#pragma once

#include <cstdint>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::research {

struct OperationPoset {
  std::vector<std::uint32_t> beyond;  ///< by operation: it happens before exactly those from this number on
  std::vector<std::uint32_t> chain;   ///< by operation
  std::uint32_t chains = 0;

  /// The operations [first, last) of a part, numbered from 0. @pre no operation outside lies between them.
  static OperationPoset of(const history::Subhistory& part, std::uint32_t first, std::uint32_t last);
  static OperationPoset of(const history::Subhistory& part) { return of(part, 0, part.size()); }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(beyond.size()); }
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const { return b >= beyond[a]; }
  [[nodiscard]] bool before_or_equal(std::uint32_t a, std::uint32_t b) const { return a == b || before(a, b); }
  [[nodiscard]] bool concurrent(std::uint32_t a, std::uint32_t b) const {
    return a != b && !before(a, b) && !before(b, a);
  }

  /// The most operations that are mutually concurrent.
  [[nodiscard]] std::uint32_t concurrency() const;
  [[nodiscard]] std::uint64_t concurrent_pairs() const;
};

/// A linear extension of the poset: all its operations, first to last.
using Schedule = std::vector<std::uint32_t>;

[[nodiscard]] bool is_schedule(const OperationPoset& poset, const Schedule& schedule);

}  // namespace linchpin::research
