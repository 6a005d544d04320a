// A table of lists that goes into a pool as a whole: for files that hold each list once.
//
// Looking up each list while it is added costs some three cache misses a list. Here lists are appended, and compared
// afterwards, all at once, part by part of their hashes. Tests: value_pool_test.cpp.
#pragma once

#include <cstddef>
#include <span>

#include "linchpin/value.hpp"

namespace linchpin {

class ListTable {
 public:
  explicit ListTable(ValuePool& pool) : pool_(pool) {}

  void reserve(std::size_t more);
  /// Appends a list. Its parts must be of the pool. Until `all_differ` was asked no list may be added otherwise.
  /// O(elements)
  Value add(std::span<const Value> elements);
  /// Whether each list that was added is there once; if not, the pool is of no use. O(lists)
  [[nodiscard]] bool all_differ();

 private:
  ValuePool& pool_;
};

}  // namespace linchpin
