// The plain polynomial deciders of the paper on decrease and conquer, for the library's own containers.
#pragma once

#include <span>

#include "core/decider.hpp"

namespace linchpin::research {

/// The definitions of decrease and conquer for registers, queues, stacks, priority queues, sets and bags. They are slow
/// and used only by the cross tests and on request (--decider).
[[nodiscard]] std::span<const core::Decider> plain_deciders();

}  // namespace linchpin::research
