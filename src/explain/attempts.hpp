// Why a small set of operations is not linearizable: the first operation at whose return no order is left, the states
// that were possible while it was open, and why each refuses it.
//
// Idea. Events in order, with the set of all configurations (which open operations took effect, and the state): at a
// response all open operations are tried in every order, and the configurations that have the responder go on. None
// left: this operation is blocked. It does not matter which decider found the violation, nor how. Exponential in the
// operations that overlap, so it gives up after `kMostConfigurations`: cores are small.
// Tests: attempts_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/budget.hpp"
#include "linchpin/explanation.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::explain {

inline constexpr std::size_t kMostConfigurations = 50'000;

struct Blocking {
  OperationIndex blocked = 0;
  std::vector<Attempt> attempts;
  std::size_t attempts_in_all = 0;
};

/// @param core  operations of one object; nothing when they are linearizable, or too many overlap to look.
[[nodiscard]] std::optional<Blocking> find_blocking(const History& history, std::span<const OperationIndex> core,
                                                    const Specification& specification, Ties ties,
                                                    std::size_t most_attempts, core::Budget& budget);

/// What people call an object of the type: "queue" of "queue capacity=3", "priority queue", "register" of "rmw".
[[nodiscard]] std::string noun_of(std::string_view type);

/// "read() -> 3 fits no order: while it was open, the register was 1, where it would return 1; or 2, ..."
[[nodiscard]] std::string blocking_sentence(const History& history, const Specification& specification,
                                            const Blocking& blocking);

}  // namespace linchpin::explain
