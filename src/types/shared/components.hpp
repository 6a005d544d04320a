// Strongly connected components, without recursion (Tarjan 1972).
#pragma once

#include <cstdint>
#include <vector>

#include "types/shared/dependencies.hpp"

namespace linchpin::types::dependencies {

struct Components {
  std::vector<std::uint32_t> of;    ///< by node
  std::vector<std::uint32_t> size;  ///< by component, in nodes
};

/// O(nodes and edges).
[[nodiscard]] Components find_components(std::uint32_t nodes, const std::vector<Edge>& edges);

}  // namespace linchpin::types::dependencies
