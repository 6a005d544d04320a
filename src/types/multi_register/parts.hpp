// Which parts of transactions on registers may be left out. Tests: tests/cross/fewer_parts_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/parts.hpp"

namespace linchpin::types::multi_register {

/// Reads and writes, without reads that say nothing.
///
/// Why. Let v be a value of key k of which all parts are left out. A read of k that stays saw another value, whose
/// write was the last one before it, or which k held at first: so it is still. A read that is left out is needed by
/// nobody.
[[nodiscard]] std::optional<std::vector<core::Part>> parts_of(const Specification& specification,
                                                              const Operation& operation);
[[nodiscard]] Value operation_of(std::span<const core::Part> parts, const ValuePool& from, ValuePool& pool);
[[nodiscard]] bool starts_anywhere(const Specification& specification);

inline constexpr core::Parts kParts{.of = parts_of, .operation_of = operation_of, .starts_anywhere = starts_anywhere};

}  // namespace linchpin::types::multi_register
