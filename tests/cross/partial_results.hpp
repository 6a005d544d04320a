// Results of which a part was lost: a list that holds `?`, as types may read that of a transaction.
#pragma once

#include <cstddef>
#include <vector>

#include "linchpin/value.hpp"

namespace linchpin::cross {

/// The list with `?` in the place of one element.
inline Value without_part(ValuePool& pool, Value list, std::size_t part) {
  const auto elements = pool.elements_of(list);
  std::vector<Value> copy(elements.begin(), elements.end());
  copy[part] = Value::unknown();
  return pool.list(copy);
}

/// The list with `?` in the place of the last field of one element, where that is a list and not empty.
inline Value without_field(ValuePool& pool, Value list, std::size_t part) {
  const auto elements = pool.elements_of(list);
  std::vector<Value> copy(elements.begin(), elements.end());
  if (!copy[part].is_list() || pool.elements_of(copy[part]).empty()) return list;
  copy[part] = without_part(pool, copy[part], pool.elements_of(copy[part]).size() - 1);
  return pool.list(copy);
}

}  // namespace linchpin::cross
