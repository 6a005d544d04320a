// A schedule that was run with its trace, and what is wrong with it, as lines for people.
#pragma once

#include <string>
#include <vector>

#include "explore/report/symbols.hpp"
#include "explore/session.hpp"

namespace linchpin::explorer {

/// The steps of the engine's latest schedule. `methods` are those of the operations; empty for threads by hand.
[[nodiscard]] std::vector<ExploreStep> interleaving(Symbols& symbols, const std::vector<std::string>& methods);

/// What a finding of the runtime is, with both places.
[[nodiscard]] std::string describe(const Finding& finding, Symbols& symbols);

}  // namespace linchpin::explorer
