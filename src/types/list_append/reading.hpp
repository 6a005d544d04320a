// A history of list-append as flat arrays: appends by element, and the reads that say what they saw.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "core/budget.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types::list_append {

inline constexpr std::uint32_t kNone = 0xffffffffU;

/// What became of a transaction.
enum class Fate : std::uint8_t {
  committed,  ///< it returned: it took effect
  open,       ///< pending: it may have taken effect
  promised,   ///< pending, and it is said what it would read: nobody saw it
  aborted,    ///< it returned, or would return, false: it did not take effect
};

/// An append, by the number of its element. An element is a value with its key.
struct Append {
  std::uint32_t transaction = 0;
  std::uint32_t key = 0;
  std::uint32_t next = kNone;  ///< the next that its transaction appends to the key
  bool first = true;           ///< the first that its transaction appends to the key
};

/// A read of a transaction that returned, with the list that it saw.
struct Read {
  std::uint32_t transaction = 0;
  std::uint32_t key = 0;
  Value list;                       ///< nil: empty
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
  absl::flat_hash_map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> elements;  ///< by value and key
  absl::flat_hash_map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> aborted;   ///< their transactions

  /// The number of the value as an element of the key; kNone: nobody that may have taken effect appended it.
  [[nodiscard]] std::uint32_t find(Value value, std::uint32_t key) const {
    const auto found = elements.find({value.bits(), key});
    return found == elements.end() ? kNone : found->second;
  }
};

/// The list that a read saw.
[[nodiscard]] inline std::span<const Value> seen(const ValuePool& pool, Value list) {
  return list.is_list() ? pool.elements_of(list) : std::span<const Value>();
}

/// O(micro-operations); where something was promised, also O(length of all lists).
[[nodiscard]] Reading read(const history::Subhistory& part);

}  // namespace linchpin::types::list_append
