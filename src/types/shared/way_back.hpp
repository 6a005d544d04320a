// What a domain of the search over sets of contents (content_set_search.hpp) does so that the way back finds again what
// the way there found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algo/frontier/slots.hpp"
#include "base/none.hpp"

namespace linchpin::types {

/// How a configuration came about during a response.
template <class Mask, class Set>
struct Derivation {
  static constexpr std::uint32_t kStart = 0xfffffffeU;

  std::uint32_t to;
  std::uint32_t from;            ///< kStart: one of the configurations before the response
  std::uint32_t first;           ///< what was done
  std::uint32_t second = kNone;  ///< done directly after it; kNone: nothing
  Mask between = {};             ///< the mask after the first, where there is a second
  Set part;                      ///< the contents that come this way
};

/// Opens an operation: by number, so that events gone through again, whatever was undone before, lead to the same.
inline void open_in_order(std::vector<std::uint32_t>& open, std::uint32_t local) {
  open.insert(std::lower_bound(open.begin(), open.end(), local), local);
}

}  // namespace linchpin::types
