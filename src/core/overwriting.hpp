// Operations that overwrite: what came directly before them is as if it had not been.
#pragma once

#include <optional>

#include "linchpin/specification.hpp"

namespace linchpin::core {

/// What the operation overwrites: it is legal in every state, and what it leaves does not depend on others of the same
/// place that run directly before it. Nothing: it does not, or its type does not say.
[[nodiscard]] std::optional<Value> overwrites(const Specification& specification, const Operation& operation);

}  // namespace linchpin::core
