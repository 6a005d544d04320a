// A necessary condition for histories of a register, however often values repeat: they must be regular.
//
// If an operation saw a value, some operation wrote it that was called before the look returned and was not certainly
// overwritten before the look was called. It was certainly overwritten if a write was called after all writes of the
// value had returned, and returned before the look was called. These are Lamport's regular registers. A linearizable
// history is regular. So a history that is not regular is refuted, in O(n), by operations that show it. A regular
// history may still be a violation. An operation of which it is not known what it did may have written anything, and
// has certainly overwritten nothing. Source: Lamport, On interprocess communication (1986). Compare: algo/chains.hpp,
// which decides where no value repeats. Tests: src/types/regularity_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "algo/chains.hpp"
#include "core/decider.hpp"

namespace linchpin::algo {

struct ValueSteps {
  std::vector<std::optional<ChainStep>> steps;  ///< by local index; nothing: not known
  Value initial = Value::none();                ///< none: the register starts undefined
};

/// A violation with its core, or unknown and not applicable: the history is regular.
[[nodiscard]] core::Outcome refute_regularity(const history::Subhistory& part, const ValueSteps& values);

}  // namespace linchpin::algo
