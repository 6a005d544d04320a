// Linearizes the sections of a lock with owners, and what looks at it.
//
// The lazy greedy of algo/bits.hpp, in which moreover who takes the lock is forced: do nothing until an operation
// returns that has not taken effect; then let the holder go, or the open acquire with the least place take the lock,
// until it can. Operations that only look take effect as soon as the lock is right. A pending acquire keeps the lock
// for ever: it takes it only where somebody must have seen the lock held and nobody surely acquires any more.
//
// A try_acquire of which nothing tells whether it failed is taken to have failed where it could have, so that an order
// is one, but not each is found. To refute, `with_doubt` is weaker: it may also not have been called at all.
// Cost O(n log k) for k acquires open; flat arrays. Source: docs/design/monitors.md. Tests: owner_monitor_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "base/none.hpp"
#include "types/mutex/sections.hpp"

namespace linchpin::types::mutex {

struct SectionOrder {
  std::vector<std::uint32_t> order;      ///< the operations as they took effect, where asked for
  std::optional<std::uint32_t> blocked;  ///< the first to return that cannot have taken effect
  // When it was blocked:
  std::uint32_t holder = kNone;   ///< the acquire of who held the lock; kNone: it was free
  std::uint32_t last = kNone;     ///< the last to have acquired
  std::uint32_t started = kNone;  ///< whose return made `last` acquire
  std::uint32_t ended = kNone;    ///< whose return made `last` release, where it has
  std::uint32_t to_come = kNone;  ///< where nobody took the lock because this one surely does later: its acquire
};

enum class Keep : std::uint8_t {
  verdict,
  witness,  ///< `order`
  forced,   ///< in `order` only acquires, releases and those whose return made them take effect
};

/// Blocked only where there is no order, also where `sections.unsure`.
[[nodiscard]] Sections with_doubt(Sections sections);

/// Exact, unless `sections.unsure`: then an order is one, but being blocked says nothing.
[[nodiscard]] SectionOrder linearize_sections(const history::Subhistory& part, const Sections& sections, Keep keep);

}  // namespace linchpin::types::mutex
