// What each operation on one key of a map does to the value under it, for the monitors that follow values.
//
// An absent key holds `kAbsent`. Tests: the monitors' (map_monitor_test.cpp, map_append_test.cpp).
#pragma once

#include <optional>
#include <string>

#include "algo/chains.hpp"
#include "history/subhistory.hpp"
#include "types/map/specification.hpp"

namespace linchpin::types::map {

inline constexpr Value kAbsent = Value::nil();

/// What the operation does to the value; nothing where that is not certain, as of an append. A `remove` that only says
/// that it found something counts as a write of `kAbsent`.
[[nodiscard]] std::optional<algo::ChainStep> step_of(const history::Subhistory& part, std::uint32_t i, const Map& map);

/// Why these are not operations on one key; empty: so far they are.
[[nodiscard]] std::string more_than_one_key(const history::Subhistory& part, std::uint32_t i, const Map& map);

}  // namespace linchpin::types::map
