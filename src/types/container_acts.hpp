// What the operations of queues, stacks, deques and priority queues do: they are alike but for the names of methods.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "history/acts.hpp"
#include "history/subhistory.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::types {

inline constexpr std::uint16_t kNoMethod = 0xffff;

/// The rows of a container's method table, and its words for messages.
struct ContainerMethods {
  std::uint16_t add = 0, remove = 0, look = 0, size = 0, is_empty = 0;
  std::string_view added;  ///< "pushed"
  std::string_view taken;  ///< "popped"
  /// Where there are two ends: the same at the front.
  std::uint16_t add_front = kNoMethod, remove_front = kNoMethod, look_front = kNoMethod;

  [[nodiscard]] bool adds(std::uint16_t method) const { return method == add || method == add_front; }
  [[nodiscard]] bool removes(std::uint16_t method) const { return method == remove || method == remove_front; }
  [[nodiscard]] bool at_front(std::uint16_t method) const {
    return method == add_front || method == remove_front || method == look_front;
  }
};

/// The act of any operation of such a container.
[[nodiscard]] Act act_of(const ContainerMethods& methods, const Operation& operation, bool pending);

/// The acts of a whole part; with two ends the column `at_front` as well. O(n).
[[nodiscard]] history::Acts read_acts(const history::Subhistory& part, const ContainerMethods& methods);

/// The first operation that stands in the way of those who want to know what was added, seen and taken, with the reason
/// ("pop() -> ? has lost its result"); empty: there is none. With `lost_takes` those that returned are none. O(n).
[[nodiscard]] std::string first_obstacle(const history::Subhistory& part, const history::Acts& acts,
                                         const ContainerMethods& methods, bool lost_takes);

/// Why it may matter that the container holds so many values at most; empty: there was room for every value, whatever
/// the order, so that it is one without a capacity. O(n).
[[nodiscard]] std::string may_be_full(const history::Subhistory& part, const ContainerMethods& methods,
                                      std::int64_t capacity);

}  // namespace linchpin::types
