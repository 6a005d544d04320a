// Which operations are shown of a core that is too large to be shown as a whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "linchpin/history.hpp"

namespace linchpin::explain {

/// At most `most` operations of the core, those closest to the one that has no place.
[[nodiscard]] inline std::span<const OperationIndex> closest(std::span<const OperationIndex> core,
                                                             std::optional<OperationIndex> blocked, std::size_t most) {
  if (core.size() <= most) return core;
  const auto place =
      static_cast<std::size_t>(std::find(core.begin(), core.end(), blocked.value_or(core.back())) - core.begin());
  return core.subspan(std::min(place - std::min(place, most / 2), core.size() - most), most);
}

}  // namespace linchpin::explain
