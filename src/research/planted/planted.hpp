// Deciders that answer without looking. They show that evidence is checked before it is an answer.
#pragma once

#include <span>

#include "core/decider.hpp"

namespace linchpin::research {

/// For --decider, and for tests; nothing chooses them.
/// planted-witness: linearizable, in the opposite order of the calls. planted-core: a violation, by the first
/// operation.
[[nodiscard]] std::span<const core::Decider> planted_deciders();

}  // namespace linchpin::research
