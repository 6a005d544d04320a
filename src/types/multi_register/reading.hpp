// A history of a multi-register as flat arrays: which transaction wrote what each read saw.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types::multi_register {

/// A read of a value that its own transaction did not write.
struct Read {
  std::uint32_t key = 0;
  std::uint32_t writer =
      kNone;                  ///< the transaction whose last write of the key it saw; kNone: it saw the initial value
  std::uint32_t content = 0;  ///< which content of the key that is: an index of `writes`; behind them, initial ones
  /// Whether it is certain that it saw that writer's. With `initial=any` a key may begin with a value that is also
  /// written later, until a write has returned or a read saw what nobody wrote.
  bool certain = true;
  std::uint32_t shown_by = kNone;  ///< the transaction that makes it certain; kNone: none is needed
};

/// Transactions that contradict each other, or one by itself, whatever the others do.
struct Contradiction {
  std::vector<std::uint32_t> transactions;  ///< ascending
  std::uint32_t blocked = 0;
  std::string sentence;
  bool certain = true;  ///< else it rests on a read that may have seen an initial value
};

struct Reading {
  std::string obstacle;  ///< why the history cannot be read so; empty: it can
  std::optional<Contradiction> contradiction;
  std::vector<bool> kept;  ///< by local index: it took effect. Of the others nobody saw anything, and they did not
  std::vector<std::uint32_t> seen_by;  ///< by local index, of pending ones that are kept: who saw what it wrote
  std::vector<Value> keys;             ///< by their numbers
  std::vector<Read> reads;             ///< of transactions that are kept, one by one
  std::vector<std::uint32_t> writes;   ///< the keys that they wrote, each once a transaction, likewise
  std::vector<std::uint32_t> read_begin, write_begin;  ///< by local index; one more at the end

  /// The key's content before any write.
  [[nodiscard]] std::uint32_t initial_content(std::uint32_t key) const {
    return static_cast<std::uint32_t>(writes.size()) + key;
  }
  [[nodiscard]] std::span<const Read> reads_of(std::uint32_t t) const {
    return {reads.data() + read_begin[t], reads.data() + read_begin[t + 1]};
  }
  [[nodiscard]] std::span<const std::uint32_t> writes_of(std::uint32_t t) const {
    return {writes.data() + write_begin[t], writes.data() + write_begin[t + 1]};
  }
};

/// Adds what shows that the pending ones among the transactions took effect, and that of those, and so on.
[[nodiscard]] Contradiction with_support(const Reading& reading, Contradiction contradiction);

/// O(micro-operations).
[[nodiscard]] Reading read(const history::Subhistory& part);

}  // namespace linchpin::types::multi_register
