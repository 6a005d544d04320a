// A necessary condition for types with keys where some operations concern all keys: the operations of each key, with
// those that concern all, are linearizable.
#pragma once

#include "core/decider.hpp"

namespace linchpin::decide {

/// "key-projections": refutes, or says nothing (projections.cpp).
[[nodiscard]] const core::Decider& key_projections();

}  // namespace linchpin::decide
