#include "types/versioned_map/replay.hpp"

#include <algorithm>
#include <utility>

namespace linchpin::types {

bool VersionedMapReplay::step(const Operation& operation) {
  const auto [at, first] = keys_.try_emplace(operation.argument(0).bits());
  if (first) at->second.push_back({});
  Possible after;
  for (const VersionedMap::Content& before : at->second) {
    specification_.step_key(before, operation, [&](const VersionedMap::Content& content) {
      if (std::find(after.begin(), after.end(), content) == after.end()) after.push_back(content);
    });
  }
  at->second = std::move(after);
  return !at->second.empty();
}

}  // namespace linchpin::types
