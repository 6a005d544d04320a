// A deque's history as the monitor sees it: a container's, and at which end each operation is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algo/container.hpp"
#include "core/decider.hpp"
#include "types/container_binding.hpp"
#include "types/deque/specification.hpp"

namespace linchpin::types::deque {

inline constexpr ContainerMethods kContainerMethods{.add = Deque::kPushBack,
                                                    .remove = Deque::kPopBack,
                                                    .look = Deque::kPeekBack,
                                                    .size = Deque::kSize,
                                                    .is_empty = Deque::kIsEmpty,
                                                    .added = "pushed",
                                                    .taken = "popped",
                                                    .add_front = Deque::kPushFront,
                                                    .remove_front = Deque::kPopFront,
                                                    .look_front = Deque::kPeekFront};

struct TwoEnds {
  algo::ContainerHistory history;
  std::vector<std::uint8_t> at_back;  ///< by operation: 0 or 1; 0 for a look that found nothing, at whatever end
  /// By operation: the only value that a pending pop can have taken; none: any. Both are lost removes.
  std::vector<algo::ValueNumber> promised;
};

/// The ends of some operations.
[[nodiscard]] std::vector<std::uint8_t> ends_of(std::span<const std::uint8_t> at_back,
                                                std::span<const std::uint32_t> operations);

/// How many operations to decide in all when a core of so many is made smaller.
[[nodiscard]] constexpr std::size_t effort_of_shrinking(std::size_t operations) { return 200'000 + 10 * operations; }

/// Whether the part is one of a deque that has room whenever something is pushed, without work stealing. O(n).
[[nodiscard]] core::Applicability always_has_room(const history::Subhistory& part);

/// Whether no value is pushed twice, and the results are those that the monitor follows; fills `out` if so. O(n).
[[nodiscard]] core::Applicability bind(const history::Subhistory& part, TwoEnds& out);

}  // namespace linchpin::types::deque
