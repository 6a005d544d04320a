// Which parts of transactions on registers may be left out. Tests: tests/cross/fewer_parts_test.cpp.
#pragma once

#include "core/parts.hpp"

namespace linchpin::types::multi_register {

/// Reads and writes, without reads that say nothing.
///
/// Why. Let v be a value of key k of which all parts are left out. A read of k that stays saw another value, whose
/// write was the last one before it, or which k held at first: so it is still. A read that is left out is needed by
/// nobody.
extern const core::Parts kParts;

}  // namespace linchpin::types::multi_register
