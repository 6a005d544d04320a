// The thesis's algorithm (execution.hpp) as a decider, to be asked for: --decider value-blocks.
//
// Basic checks, the chains of true CASes with the intra- and the inter-group check, value blocks, the resolvers of each
// false CAS with propagation and exclusion, and the order. Cost O(n^3). It accepts some executions that are not
// linearizable: chains.hpp says which. value-blocks-as-printed takes Figure 16 by its letter, which the text
// contradicts, and is wrong about false CASes too. What is found wrong is in docs/papers/read-write-cas.md; evidence
// that does not hold is taken back by who checks it. Compare: cas-register-monitor, O(n log n), which also takes failed
// CASes that overlap writes, pending operations and an initial value. Tests: value_blocks_test.cpp,
// tests/cross/value_blocks_test.cpp.
#pragma once

#include <span>

#include "core/decider.hpp"

namespace linchpin::research {

[[nodiscard]] std::span<const core::Decider> value_block_deciders();

}  // namespace linchpin::research
