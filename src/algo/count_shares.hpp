// Which members of a class may make a step that belongs to no class, where all of them are pending.
//
// Then every step is made just before the first response that needs it, whoever makes it; so it is known how many
// members of a class have been called by each step of its own. The *spare* of the class at its k-th step is how many of
// them are more than k; it may give away as many as the least spare from there on, and which class gives does not
// matter: what one gives, it can only give later to a step of the same kind. Cost O(n).
// Used by: counting.cpp. Source: own; docs/design/monitors.md. Tests: log_monitor_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algo/counting.hpp"

namespace linchpin::algo {

class CountShares {
 public:
  explicit CountShares(const CountOperations& operations)
      : begin_(operations.classes + 1, 0),
        next_(operations.classes, 0),
        given_(operations.classes, 0),
        is_candidate_(operations.classes, false) {
    const std::vector<std::uint32_t>& steps = operations.class_of_step;
    for (const std::uint32_t number : steps) ++begin_[number + 1];
    for (std::uint32_t number = 0; number < operations.classes; ++number) begin_[number + 1] += begin_[number];
    const std::vector<history::Rank> due = due_steps(operations);
    spare_.resize(steps.size());
    std::vector<std::uint32_t> filled(begin_.begin(), begin_.end() - 1), called(operations.classes, 0);
    // The steps by when they are due, which is their order, and the calls, in theirs.
    std::uint32_t i = 0;
    for (std::uint32_t step = 0; step < steps.size(); ++step) {
      for (; i < operations.role.size() && operations.part->call[i] < due[step]; ++i) {
        if (operations.role[i] == CountRole::steps) ++called[operations.number[i]];
      }
      const std::uint32_t number = steps[step];
      const std::uint32_t at = filled[number]++;
      spare_[at] = std::int64_t{called[number]} - (at - begin_[number]) - 1;
    }
    for (std::uint32_t number = 0; number < operations.classes; ++number) {
      for (std::uint32_t at = begin_[number + 1]; at > begin_[number] + 1; --at) {
        spare_[at - 2] = std::min(spare_[at - 2], spare_[at - 1]);
      }
    }
  }

  /// A member of the class was called.
  void called(std::uint32_t number) { make_candidate(number); }
  /// A member made a step of the class.
  void stepped(std::uint32_t number) {
    ++next_[number];
    make_candidate(number);
  }
  /// A class that gives away one of its members, or kNoCount. @param open  whether some member of a class is open
  template <class Open>
  std::uint32_t give(Open open) {
    while (!candidates_.empty()) {
      const std::uint32_t number = candidates_.back();
      const std::uint32_t at = begin_[number] + next_[number];
      if (open(number) && (at >= begin_[number + 1] || given_[number] < spare_[at])) {
        ++given_[number];
        return number;
      }
      candidates_.pop_back();
      is_candidate_[number] = false;
    }
    return kNoCount;
  }

 private:
  /// The first response that needs each step.
  static std::vector<history::Rank> due_steps(const CountOperations& operations) {
    const auto count = static_cast<std::uint32_t>(operations.class_of_step.size());
    std::vector<std::uint32_t> step_of(operations.classes, 0);
    for (std::uint32_t step = 0; step < count; ++step) step_of[operations.class_of_step[step]] = step;
    std::vector<history::Rank> due(count, history::Rank::none());
    for (std::uint32_t i = 0; i < operations.role.size(); ++i) {
      std::uint32_t needed = 0;
      switch (operations.role[i]) {
        case CountRole::sees_exactly:
        case CountRole::sees_at_least: needed = operations.number[i]; break;
        case CountRole::steps:
          if (!operations.part->pending(i)) needed = step_of[operations.number[i]] + 1;
          break;
        default: break;
      }
      if (needed == 0 || count == 0) continue;
      history::Rank& last = due[std::min(needed, count) - 1];
      last = std::min(last, operations.part->response[i]);
    }
    for (std::uint32_t step = count; step-- > 1;) due[step - 1] = std::min(due[step - 1], due[step]);
    return due;
  }

  void make_candidate(std::uint32_t number) {
    if (number == 0 || is_candidate_[number]) return;
    is_candidate_[number] = true;
    candidates_.push_back(number);
  }

  std::vector<std::uint32_t> begin_;  // by class: where its steps begin in spare_
  std::vector<std::int64_t> spare_;   // by step of a class: the least from there on
  std::vector<std::uint32_t> next_;   // by class: how many steps of its own were made
  std::vector<std::int64_t> given_;   // by class: how many others
  std::vector<std::uint32_t> candidates_;
  std::vector<bool> is_candidate_;  // by class
};

}  // namespace linchpin::algo
