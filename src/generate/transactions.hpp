// Transactions within rows: a list of reads and writes that comes back with what the reads saw.
//
// A result answers the parts of its own transaction, so that two results cannot change places: what changes is what
// single reads saw. Tests: generate_test.cpp.
#pragma once

#include <cstddef>
#include <vector>

#include "generate/plan.hpp"
#include "linchpin/value.hpp"

namespace linchpin::generate {

[[nodiscard]] bool is_transaction(const Row& row);

/// A read of a transaction that returned.
struct Read {
  std::size_t part = 0;  ///< its place in the transaction
  Value key;
  Value value;
  bool touched = false;  ///< the transaction wrote the key before it, or read it: no other value is possible
};

/// In their order; none where the row is no transaction, or its result was lost.
[[nodiscard]] std::vector<Read> reads_of(const Row& row, const ValuePool& pool);

/// Makes the read at `part` see another value.
void see(Row& row, std::size_t part, Value value, ValuePool& pool);

}  // namespace linchpin::generate
