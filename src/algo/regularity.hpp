// What a register's history must at least be, however often values repeat: regular.
//
// Whoever saw a value saw it from an operation that wrote it, was called before the look returned, and had not been
// overwritten for certain before the look was called: by a write that was called after all those had returned, and
// returned before the look was called. Lamport's regular registers are just this; a linearizable history is one as
// well, so one that is not is refuted, in O(n), by operations that show it. That it is regular proves nothing.
// What an operation did need not be known: it may have written anything, and has overwritten nothing for certain.
// Source: Lamport, On interprocess communication (1986). Compare: algo/chains.hpp, which decides where no value
// repeats. Tests: src/types/regularity_test.cpp.
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
