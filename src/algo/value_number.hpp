// Numbers of values: monitors know the values of a container's history by them, and keep columns by them.
#pragma once

#include <cstddef>
#include <vector>

#include "linchpin/index.hpp"

namespace linchpin::algo {

/// 0, 1, 2, ... for the values of one history, one for equal ones (number_values.hpp, dense_values.hpp).
/// `ValueNumber::none()` is that of no value, or of one that was given none.
using ValueNumber = Index<struct NumberOfValue>;

/// A column with an entry for each value: only the number of a value leads into it.
template <class T>
class ByValue : std::vector<T> {
  using Column = std::vector<T>;

 public:
  using Column::assign;
  using Column::begin;
  using Column::clear;
  using Column::emplace_back;
  using Column::empty;
  using Column::end;
  using Column::erase;
  using Column::push_back;
  using Column::reserve;
  using Column::resize;
  using Column::size;
  using typename Column::const_iterator;
  using typename Column::iterator;
  using typename Column::value_type;

  ByValue() = default;
  explicit ByValue(std::size_t values, const T& value = T()) : Column(values, value) {}
  [[nodiscard]] decltype(auto) operator[](ValueNumber value) { return Column::operator[](value.number()); }
  [[nodiscard]] decltype(auto) operator[](ValueNumber value) const { return Column::operator[](value.number()); }
};

}  // namespace linchpin::algo
