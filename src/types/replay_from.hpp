// Executes a type in place as long as every operation leaves one state, and from then on keeps all that are possible.
//
// Used by: priority_queue/replay.cpp, bag/replay.cpp, deque/make.cpp. Tests: executed_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "linchpin/specification.hpp"

namespace linchpin::types {

class ReplayInPlaceAtFirst : public Replay {
 public:
  bool step(const Operation& operation) final {
    return states_ == nullptr ? step_in_place(operation) : states_->step(operation);
  }
  std::size_t steps(std::span<const Operation> operations) final {
    std::size_t legal = 0;
    while (legal < operations.size() && ReplayInPlaceAtFirst::step(operations[legal])) ++legal;
    return legal;
  }
  void end_when(std::function<bool()> asked) final {
    Replay::end_when(std::move(asked));
    if (states_ != nullptr) states_->end_when(ended());
  }

 protected:
  virtual bool step_in_place(const Operation& operation) = 0;
  /// From here on all states are kept, those after `state`.
  template <class S>
  void keep_states_from(const S& specification, typename S::State state) {
    struct From : S {
      typename S::State at_first;
      [[nodiscard]] typename S::State initial() const { return at_first; }
    };
    states_ = std::make_unique<detail::ReplayOfStates>(
        std::make_unique<detail::StateTableOf<From>>(From{specification, std::move(state)}));
    states_->end_when(ended());
  }
  /// @pre keep_states_from
  bool step_states(const Operation& operation) { return states_->step(operation); }

 private:
  std::unique_ptr<Replay> states_;
};

}  // namespace linchpin::types
