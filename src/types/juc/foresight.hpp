// What is known of an element beforehand, from all operations that name it.
//
// An element that is put in once, by one operation, is inside in one stretch: from there on until something removes it,
// and never again. So whatever needs it inside is in that stretch, and whatever excludes it is not.
// Source: own. Used by: element_lives.cpp (refutes at once), contents.cpp (a search that heeds it).
#pragma once

#include <vector>

#include "history/subhistory.hpp"
#include "types/juc/deeds.hpp"

namespace linchpin::types::juc {

struct ElementFacts {
  using Locals = std::vector<std::uint32_t>;  ///< ascending calls

  std::uint32_t additions = 0;  ///< places at which some operation may put it in
  std::uint32_t adder = 0;      ///< the last of them
  bool surely = false;          ///< it puts the element in, if it takes effect
  // Of operations that returned:
  Locals needed_by;                    ///< they need it inside
  history::Rank last_needed_call = 0;  ///< of these
  Locals at_front, at_back;            ///< they need it at an end
  Locals listed_by;                    ///< they printed it
  Locals taken_by;                     ///< they took or removed it
  // Of all:
  Locals left_by;                  ///< it may leave by them, and others stay
  Locals kept_by;                  ///< retainAll that lets it stay
  history::Rank last_mention = 0;  ///< the last response of what names it other than to add it
  [[nodiscard]] bool once() const { return additions == 1; }
};

struct Foresight {
  std::vector<ElementFacts> of;          ///< by element
  std::vector<std::uint32_t> any_takes;  ///< that took, or may take, one knows not what; ascending calls
};

/// O(n) and the length of what was printed.
[[nodiscard]] Foresight foresee(const history::Subhistory& part, const Deeds& deeds);

}  // namespace linchpin::types::juc
