// Executes a nondeterministic type from a state other than its initial one, keeping all states that are possible.
//
// For types that are executed in place as long as every operation leaves one state. Used by: priority_queue/replay.cpp,
// bag/replay.cpp, whose tests cover it.
#pragma once

#include <memory>
#include <utility>

#include "linchpin/specification.hpp"

namespace linchpin::types {

template <class S>
[[nodiscard]] std::unique_ptr<Replay> replay_from(const S& specification, typename S::State state) {
  struct From : S {
    typename S::State at_first;
    [[nodiscard]] typename S::State initial() const { return at_first; }
  };
  return std::make_unique<detail::ReplayOfStates>(
      std::make_unique<detail::StateTableOf<From>>(From{specification, std::move(state)}));
}

}  // namespace linchpin::types
