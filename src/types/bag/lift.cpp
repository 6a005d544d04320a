// If an operation found a value missing, all values equal to it were missing at one moment. A lift cannot express this
// with names, so such a value may be added only once.
#include "types/bag/lift.hpp"

#include <fmt/format.h>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "types/bag/acts.hpp"
#include "types/bag/specification.hpp"

namespace linchpin::types::bag {

core::LiftHistory read_lift(const history::Subhistory& part) {
  if (part.specification->get_if<Bag>() == nullptr) return {.obstacle = "not a bag", .other_type = true};
  core::LiftHistory read{.acts = read_acts(part), .added = "added", .taken = "removed"};
  absl::flat_hash_set<std::uint64_t> missed;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const ActKind kind = read.acts.kind[i];
    const bool understood = kind <= ActKind::missing && (kind != ActKind::add || names_something(read.acts.value[i]));
    if (!understood) {
      read.obstacle =
          fmt::format("{} does not tell what it did to which value", part.history->describe(part.operation[i]));
      return read;
    }
    if (kind == ActKind::missing) missed.insert(read.acts.value[i].bits());
  }
  absl::flat_hash_map<std::uint64_t, std::uint32_t> added;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const std::uint64_t value = read.acts.value[i].bits();
    if (read.acts.kind[i] != ActKind::add || !missed.contains(value)) continue;
    if (++added[value] == 2) {
      read.obstacle = fmt::format("value {} is added twice, and something found it missing",
                                  part.history->pool().to_text(read.acts.value[i]));
    }
  }
  return read;
}

}  // namespace linchpin::types::bag
