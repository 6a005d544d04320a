// What each operation of a deque does to which value, where no value is pushed twice.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/decider.hpp"

namespace linchpin::types::deque {

inline constexpr std::uint32_t kNone = 0xffffffffU;

enum class Act : std::uint8_t {
  push_front,
  push_back,
  pop_front,
  pop_back,
  peek_front,
  peek_back,
  empty,        ///< found nothing inside
  nonempty,     ///< found that something is inside
  size,         ///< told how many values are inside
  free,         ///< a look of unknown result
  spare_front,  ///< a pending pop of unknown result
  spare_back,   ///< the same at the back
  ignored,      ///< not there: a pending look, a pending push that nobody saw
};

[[nodiscard]] constexpr bool is_push(Act act) { return act <= Act::push_back; }
[[nodiscard]] constexpr bool is_pop(Act act) { return act == Act::pop_front || act == Act::pop_back; }
[[nodiscard]] constexpr bool is_spare(Act act) { return act == Act::spare_front || act == Act::spare_back; }
/// Changes nothing where it is legal.
[[nodiscard]] constexpr bool is_look(Act act) { return act >= Act::peek_front && act <= Act::free; }

struct Acts {
  std::vector<Act> act;              ///< by local index
  std::vector<std::uint32_t> value;  ///< dense; of a `size` the number; kNone: none, or one that nobody pushed
  std::vector<std::uint32_t> push;   ///< by value: its push
  std::vector<std::uint32_t> pop;    ///< by value: its pop, or kNone
  /// By value: of its peeks at the front the one that returned first and the one called last, the same at the back;
  /// kNone: there is none. They tell most of what all of them tell.
  std::vector<std::array<std::uint32_t, 4>> peeks;
  std::vector<std::uint32_t> wrong;  ///< operations that no order explains; empty: none found
  std::string why;                   ///< in words
  bool spare = false;                ///< there is a pending pop of unknown result
};

/// Fills `acts` where no value is pushed twice and results tell what happened. O(n).
[[nodiscard]] core::Applicability read(const history::Subhistory& part, Acts& acts);

}  // namespace linchpin::types::deque
