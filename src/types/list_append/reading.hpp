// A history of list-append as flat arrays: appends by element, and the reads that say what they saw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/none.hpp"
#include "core/budget.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types::list_append {

/// What became of a transaction.
enum class Fate : std::uint8_t {
  committed,  ///< it returned: it took effect
  open,       ///< pending: it may have taken effect
  promised,   ///< pending, and it is said what it would read: nobody saw it
  aborted,    ///< it returned, or would return, false: it did not take effect
};

/// An append, by the number of its element. An element is a value with its key.
struct Append {
  Value value;
  std::uint32_t transaction = 0;
  std::uint32_t key = 0;
  std::uint32_t next = kNone;  ///< the next that its transaction appends to the key
  bool first = true;           ///< the first that its transaction appends to the key
};

/// A read of a transaction that returned, with the list that it saw.
struct Read {
  std::uint32_t transaction = 0;
  std::uint32_t key = 0;
  std::span<const Value> list;      ///< in the history's pool, so equal lists are at one place
  std::uint32_t own = 0;            ///< how many elements its transaction had appended to the key before
  std::uint32_t first_own = kNone;  ///< the first of them
};

struct Reading {
  std::string obstacle;                    ///< why the history cannot be read so; empty: it can
  std::optional<std::uint32_t> malformed;  ///< a transaction whose result does not complete it
  std::vector<Fate> fate;                  ///< by local index
  std::vector<Value> keys;                 ///< by their numbers
  std::vector<Append> appends;             ///< by element
  std::vector<Read> reads;                 ///< in the order of their transactions, and in each of its parts
  std::vector<std::uint32_t> begin;        ///< by key: into `by_value`; one more at the end
  std::vector<std::uint32_t> by_value;     ///< the elements of each key, ascending by their values' bits
  absl::flat_hash_map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> aborted;  ///< their transactions

  /// The number of the value as an element of the key; kNone: nobody that may have taken effect appended it.
  [[nodiscard]] std::uint32_t find(Value value, std::uint32_t key) const {
    const auto first = by_value.begin() + begin[key], last = by_value.begin() + begin[key + 1];
    const auto at = std::lower_bound(first, last, value.bits(), [&](std::uint32_t element, std::uint64_t wanted) {
      return appends[element].value.bits() < wanted;
    });
    return at != last && appends[*at].value == value ? *at : kNone;
  }
};

/// O(micro-operations), and a sort of the values of each key where they do not ascend; where something was promised,
/// also O(length of all lists).
[[nodiscard]] Reading read(const history::Subhistory& part);

}  // namespace linchpin::types::list_append
