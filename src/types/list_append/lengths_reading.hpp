// What list-append transactions whose elements repeat say about the lengths of the lists.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_set.h>

#include "history/subhistory.hpp"

namespace linchpin::types::list_append {

using Local = std::uint32_t;

constexpr std::uint32_t kUntold = 0xffffffffU;

/// What a transaction does with one key.
struct Touch {
  std::uint32_t key = 0;
  std::uint32_t need = kUntold;  // how long the list was before
  std::uint32_t first = 0;       // its appended values: where they begin in Transactions::values
  std::uint32_t adds = 0;        // how many there are
};

/// All transactions as flat arrays.
struct Transactions {
  std::string obstacle;              // empty: there is none
  std::vector<std::uint32_t> first;  // by local index, and one more: where its touches begin
  std::vector<Touch> touches;
  std::vector<Value> values;
  std::vector<bool> idle;  // it changes nothing, and is legal anywhere or need not take effect
  std::vector<bool> adds;
  std::vector<std::uint32_t> alike;         // equal for transactions that need and do the same
  std::vector<std::vector<Value>> longest;  // by key: what was read of it
  std::vector<Value> keys;                  // by number
  std::vector<Local> impossible;            // a few transactions, of which not all can have read what they did
  std::string sentence;
  std::optional<Local> blocked;

  [[nodiscard]] std::span<const Touch> of(Local x) const {
    return std::span(touches).subspan(first[x], first[x + 1] - first[x]);
  }
};

/// A part of what the transactions do: with these keys only, and without these elements of them. A history that is
/// linearizable stays so without the rest.
struct Projection {
  absl::flat_hash_set<std::uint64_t> keys;                                // by their bits
  absl::flat_hash_set<std::pair<std::uint64_t, std::uint64_t>> elements;  // that are left out: key, element
};

/// What pending transactions say that they would read is an obstacle to a search, and left out, which only allows more.
[[nodiscard]] Transactions read_lengths(const history::Subhistory& part);
/// Only that much of it; `impossible` is not sought for.
[[nodiscard]] Transactions read_lengths(const history::Subhistory& part, const Projection& only);

/// Why there is no search over the lengths; empty: there is one.
[[nodiscard]] std::string why_not_searched(const history::Subhistory& part, const Transactions& all);

}  // namespace linchpin::types::list_append
