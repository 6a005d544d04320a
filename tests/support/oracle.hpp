// The truth about small sub-histories: search over subsets of operations, exact, for tests only.
//
// A set of executed operations and a state determine what can still happen, so the search remembers the pairs it has
// seen; nothing else is clever here. Up to 31 operations.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <absl/container/flat_hash_set.h>

#include "history/subhistory.hpp"

namespace linchpin::test {

class Oracle {
 public:
  explicit Oracle(const Specification& specification) : states_(specification.make_states()) {}

  [[nodiscard]] bool linearizable(const history::Subhistory& part) {
    if (states_->bound() > 100'000) states_->retain({});
    seen_.clear();
    required_ = 0;
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      if (!part.pending(i)) required_ |= 1U << i;
    }
    return reach(part, 0, states_->initial());
  }

  /// Whether `order` is a linearization: every returned operation once, pending ones at most once, happens-before kept
  /// and every step legal.
  [[nodiscard]] bool valid_witness(const history::Subhistory& part, const std::vector<std::uint32_t>& order) {
    std::vector<bool> used(part.size(), false);
    history::Rank latest_call = 0;
    std::vector<StateId> current{states_->initial()};
    for (const std::uint32_t i : order) {
      if (i >= part.size() || used[i]) return false;
      used[i] = true;
      if (part.response[i] < latest_call) return false;
      latest_call = std::max(latest_call, part.call[i]);
      std::vector<StateId> next;
      for (const StateId state : current) states_->successors(state, part.view(i), next);
      if (next.empty()) return false;
      current = std::move(next);
    }
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      if (!used[i] && !part.pending(i)) return false;
    }
    return true;
  }

 private:
  bool reach(const history::Subhistory& part, std::uint32_t done, StateId state) {
    if ((done & required_) == required_) return true;
    if (!seen_.insert((std::uint64_t{done} << 32) | state).second) return false;
    history::Rank first_response = history::Rank::none();
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      if ((done >> i & 1U) == 0) first_response = std::min(first_response, part.response[i]);
    }
    for (std::uint32_t i = 0; i < part.size() && part.call[i] < first_response; ++i) {
      if ((done >> i & 1U) != 0) continue;
      std::vector<StateId> next;
      states_->successors(state, part.view(i), next);
      for (const StateId after : next) {
        if (reach(part, done | (1U << i), after)) return true;
      }
    }
    return false;
  }

  std::unique_ptr<StateTable> states_;
  absl::flat_hash_set<std::uint64_t> seen_;
  std::uint32_t required_ = 0;
};

}  // namespace linchpin::test
