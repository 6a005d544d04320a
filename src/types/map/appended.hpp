// Reads the history of one key of a map to which texts are appended as chains of contents (algo/chains.hpp).
//
// Every text that is put or appended is written once, and contents can be cut into such *parts* in one way (parts.hpp).
// So a content tells how it came about: its first part was put (or appended to nothing, or took the place of another
// content), the others were appended one after the other. The contents that begin with one part are an *epoch*: in
// every linearization each is the beginning of the next longer one, and nothing else comes between. An append that some
// answer shows moves from one content to the next; one that no answer shows leaves a content that nobody saw, as a
// write does. What remains is a register whose values are the contents.
// Only the longest content of an epoch is cut; of the others it is enough that they begin it and end where a part ends.
// Cost O(n + length of all contents that differ). Source: own; proof in docs/design/monitors.md.
// Tests: map_append_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algo/chains.hpp"
#include "base/none.hpp"
#include "history/subhistory.hpp"
#include "types/map/parts.hpp"
#include "types/map/specification.hpp"

namespace linchpin::types::map {

/// Answers that contradict each other by what they show, whenever they were given.
struct Contradiction {
  std::vector<std::uint32_t> operations;  ///< empty: there is none
  std::string sentence;
};

struct Appended {
  algo::ChainReading chains;  ///< value 0: absent; 1 + p: the content that ends with part p, or a part that nobody saw
  Contradiction contradiction;
  std::vector<Parts::Number> written;   ///< by operation: the part that it writes, or kNone
  std::vector<Parts::Number> seen;      ///< by operation: the last part of the content that it saw, or kNone
  std::vector<std::uint32_t> maker;     ///< by part: the operation
  std::vector<Parts::Number> before;    ///< by part: the one before it; itself: it is first; kNone: nobody saw it
  std::vector<Parts::Number> after;     ///< by part: the one behind it, or kNone
  std::vector<std::uint32_t> shown_by;  ///< by part: an operation that shows it, or kNone
  [[nodiscard]] Parts::Number first_of(Parts::Number part) const {
    while (before[part] != part) part = before[part];
    return part;
  }
};

inline constexpr const char* kNothingAppended = "nothing is appended";

/// Says why the operations cannot be read so, or nothing. @param removed  the key may become absent again: value 0
[[nodiscard]] std::string read_appended(const history::Subhistory& part, const Map& map, bool removed,
                                        Appended& appended);

/// Operations that show together where each of `core` stands: for what is appended an answer that shows it, and what
/// begins its epoch. Ascending.
[[nodiscard]] std::vector<std::uint32_t> with_answers(const history::Subhistory& part, const Appended& appended,
                                                      const std::vector<std::uint32_t>& core);

}  // namespace linchpin::types::map
