// What each operation of a deque does to which value, where no value is pushed twice.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/none.hpp"
#include "core/decider.hpp"
#include "types/shared/end_acts.hpp"

namespace linchpin::types::deque {

/// Changes nothing where it is legal, and has to be there.
[[nodiscard]] inline bool is_look(const EndAct& act) { return act.pure() && act.kind != ActKind::omitted; }

/// The acts, and by the numbers of their values what concerns these.
struct Acts {
  /// By local index; of pushes that are pending and that nobody saw `omitted`. A pending pop of unknown result is a
  /// `lost_take`. The number of a value that nobody pushed is none.
  std::vector<EndAct> of;
  algo::ByValue<std::uint32_t> push;
  algo::ByValue<std::uint32_t> pop;  ///< or kNone
  /// Of the peeks of a value at the front the one that returned first and the one called last, the same at the back;
  /// kNone: there is none. They tell most of what all of them tell.
  algo::ByValue<std::array<std::uint32_t, 4>> peeks;
  std::vector<std::uint32_t> wrong;  ///< operations that no order explains; empty: none found
  std::string why;                   ///< in words
  bool lost_takes = false;           ///< there is a pending pop of unknown result
};

/// Fills `acts` where no value is pushed twice and results tell what happened. O(n).
[[nodiscard]] core::Applicability read(const history::Subhistory& part, Acts& acts);

}  // namespace linchpin::types::deque
