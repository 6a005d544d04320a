// Whether operations have an order that the type allows, where what comes before what is any partial order: deciders
// take calls and responses, which cannot say it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::explorer {

/// Memoised search over (set of executed operations, state): exact, and cheap where there are a dozen operations.
/// `before[i]` has a bit for each operation that comes before i, by local index. An operation that is pending may be
/// left out. Nothing: it would take too long.
/// @pre part.size() <= 64
[[nodiscard]] std::optional<bool> orderable(const history::Subhistory& part, const std::vector<std::uint64_t>& before);

}  // namespace linchpin::explorer
