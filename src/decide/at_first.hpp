// What operations do where nothing was done before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::decide {

/// Of a part, whose operations are tried in the initial state. Cost: of one operation, each time.
class AtFirst {
 public:
  /// @param part  outlives it
  explicit AtFirst(const history::Subhistory& part)
      : part_(part), states_(part.specification->make_states()), initial_(states_->initial()) {}

  [[nodiscard]] bool legal(std::uint32_t local) { return !after(local).empty(); }
  /// It does nothing, or is illegal.
  [[nodiscard]] bool keeps(std::uint32_t local) {
    const std::vector<StateId>& states = after(local);
    return std::all_of(states.begin(), states.end(), [this](StateId state) { return state == initial_; });
  }

 private:
  const std::vector<StateId>& after(std::uint32_t local) {
    after_.clear();
    states_->successors(initial_, part_.view(local), after_);
    return after_;
  }

  const history::Subhistory& part_;
  const std::unique_ptr<StateTable> states_;
  const StateId initial_;
  std::vector<StateId> after_;
};

}  // namespace linchpin::decide
