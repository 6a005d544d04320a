// The linearizability-preserving values of the paper on decrease and conquer (docs/papers/README.md): which value of a
// standardised history may be dropped first.
//
// Each definition follows the paper and costs O(n * k) or O(n^2) a call, so a decision takes O(n^2) or O(n^3). They are
// short enough to be seen to be right, and serve the cross tests and types of a user's own. The fast monitors of
// src/types answer the same questions without starting over after each value. Equal priorities are not in the paper. If
// they leave in any order, they do not block each other. If they leave first in, first out, they are a queue among
// themselves, whose removes happen when nothing better has to be inside (docs/design/pending.md names the proofs'
// source). Tests: tests/cross/monitors_test.cpp holds each against the reference decider and the monitors.
#include <algorithm>

#include "linchpin/framework.hpp"

namespace linchpin {

std::optional<std::uint32_t> compatible_value(const ContainerHistory& history) {
  // An operation of `a` has returned when one of `b` is called. A value that so precedes itself is what the paper calls
  // forward: it is inside from that response to that call. Of two values each of which precedes the other one is
  // forward, and leaves no room for the other: their intervals intersect, or the other's lies within (conditions 2
  // and 3). That no read returns before its write begins (condition 1) is so in standard form.
  const auto precedes = [&](std::uint32_t a, std::uint32_t b) {
    return history.add(a).moments.before(history.remove(b).moments);
  };
  const auto values = history.values();
  for (const std::uint32_t value : values) {
    if (std::none_of(values.begin(), values.end(), [&](std::uint32_t other) {
          return other != value && precedes(value, other) && precedes(other, value);
        })) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<std::uint32_t> safe_value(const ContainerHistory& history) {
  for (const std::uint32_t value : history.values()) {
    const auto safe = [&](const ContainerOperation& operation) {
      if (operation.kind != ActKind::missing) return true;
      // Its own cover only: other values do not matter.
      return !history.inside(value, operation.moments.first) || !history.inside(value, operation.moments.last);
    };
    const auto operations = history.operations(value);
    if (std::all_of(operations.begin(), operations.end(), safe)) return value;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> potentially_bottom_value(const ContainerHistory& history) {
  for (const std::uint32_t value : history.values()) {
    const auto operations = history.operations(value);
    if (std::all_of(operations.begin(), operations.end(), [&](const ContainerOperation& operation) {
          return history.may_find_empty(operation.moments, value);
        })) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<std::uint32_t> potentially_front_value(const ContainerHistory& history) {
  const auto seen_first = [&](std::uint32_t value) {
    Moments least = history.remove(value).moments;
    for (const ContainerOperation& operation : history.operations(value).subspan(2)) {
      if (operation.moments.last < least.last) least = operation.moments;
    }
    return least;
  };
  for (const std::uint32_t value : history.values()) {
    const auto values = history.values();
    if (std::none_of(values.begin(), values.end(), [&](std::uint32_t other) {
          if (other == value) return false;
          return history.add(other).moments.before(history.add(value).moments) ||
                 seen_first(other).before(history.remove(value).moments);
        })) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<std::uint32_t> potentially_minimal_value(const ContainerHistory& history,
                                                       const std::function<bool(std::uint32_t, std::uint32_t)>& better,
                                                       bool fifo_ties) {
  const auto values = history.values();
  if (values.empty()) return std::nullopt;
  std::uint32_t worst = values[0];
  for (const std::uint32_t value : values) {
    if (better(worst, value)) worst = value;
  }
  std::vector<std::uint32_t> blocked(history.moments(), 0);  // by moment: how many better values are inside
  std::vector<std::uint32_t> equal;
  for (const std::uint32_t value : values) {
    if (!better(value, worst)) {
      equal.push_back(value);
      continue;
    }
    for (std::uint32_t moment = history.add(value).moments.last + 1; history.inside(value, moment); ++moment) {
      ++blocked[moment];
    }
  }
  // When the looks and the remove of a value may act: from its latest first moment to its earliest last one.
  struct Range {
    bool possible = true;
    std::uint32_t latest_first = 0, earliest_last = UINT32_MAX;
  };
  std::vector<Range> ranges(equal.size());
  for (std::size_t i = 0; i < equal.size(); ++i) {
    for (const ContainerOperation& operation : history.operations(equal[i]).subspan(1)) {
      std::uint32_t first = operation.moments.first, last = operation.moments.last;
      while (first <= last && blocked[first] > 0) ++first;
      while (last > first && blocked[last] > 0) --last;
      if (first > last) ranges[i].possible = false;
      ranges[i].latest_first = std::max(ranges[i].latest_first, first);
      ranges[i].earliest_last = std::min(ranges[i].earliest_last, last);
    }
  }
  for (std::size_t v = 0; v < equal.size(); ++v) {
    if (!ranges[v].possible) continue;
    bool first = true;
    for (std::size_t u = 0; fifo_ties && u < equal.size(); ++u) {
      if (u == v) continue;
      first = first && !history.add(equal[u]).moments.before(history.add(equal[v]).moments) &&
              ranges[u].earliest_last >= ranges[v].latest_first;
    }
    if (first) return equal[v];
  }
  return std::nullopt;
}

}  // namespace linchpin
