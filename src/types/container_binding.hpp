// Reads the acts of a stack, a deque or a priority queue for the monitors of containers, and says in words what those
// find.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "algo/container.hpp"
#include "core/decider.hpp"
#include "history/subhistory.hpp"
#include "types/container_acts.hpp"

namespace linchpin::types {

/// Whether no value is added twice and every result says what a monitor needs to know; fills `out` if so. Of `size` and
/// `is_empty` only the answers "0" and "true" are understood: they are like a remove that found nothing. O(n).
[[nodiscard]] core::Applicability bind_container(const history::Subhistory& part, const ContainerMethods& methods,
                                                 algo::ContainerHistory& out);

/// What was read of the part still points into its columns: now to where they are, since the part may have moved.
inline void rebind(const history::Subhistory& part, algo::ContainerHistory& history) {
  history.call = part.call;
  history.response = part.response;
}

/// "pop()" or "push(7)": the operation's method as the input calls it, with its arguments.
[[nodiscard]] std::string call_text(const history::Subhistory& part, std::uint32_t local);
[[nodiscard]] std::string method_text(const history::Subhistory& part, std::uint32_t local);
/// The value that an add, look or remove is about.
[[nodiscard]] std::string value_text(const history::Subhistory& part, const algo::ContainerHistory& history,
                                     std::uint32_t local);

/// What is wrong with one value, in words.
[[nodiscard]] std::string describe_fault(const history::Subhistory& part, const algo::ContainerHistory& history,
                                         const algo::ValueFault& fault, const ContainerMethods& methods);

/// "pop returned empty although 7 was in the stack during the whole call: pushed before, popped after".
/// `values` are the operations that add the values of the chain.
[[nodiscard]] std::string describe_empty(const history::Subhistory& part, const algo::ContainerHistory& history,
                                         std::uint32_t empty, std::span<const algo::ValueSpan> chain,
                                         const ContainerMethods& methods, std::string_view container);

}  // namespace linchpin::types
