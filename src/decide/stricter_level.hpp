// Transactions at a weaker level, decided in real time: what is strictly serializable is so at each weaker level.
#pragma once

#include "core/decider.hpp"

namespace linchpin::decide {

/// "stricter-level": accepts, or says nothing (stricter_level.cpp). It applies to parts with times that were recorded.
[[nodiscard]] const core::Decider& stricter_level();

}  // namespace linchpin::decide
