// Holds how a type executes one order of operations in place against all states that are possible.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "linchpin/specification.hpp"

namespace linchpin::test {

/// Runs of up to `length` operations that `next(random)` makes up; one that is illegal is passed over, or is the last.
/// Returns how many were legal. What an operation points to has to live until the next one is made.
template <class Next>
int expect_replay_agrees(const Specification& specification, std::mt19937& random, int length, Next&& next) {
  const auto states = specification.make_states();
  const auto replay = specification.make_replay();
  std::vector<StateId> possible = {states->initial()};
  std::vector<StateId> after;
  int legal = 0;
  for (int step = 0; step < length; ++step) {
    const Operation operation = next(random);
    after.clear();
    for (const StateId state : possible) states->successors(state, operation, after);
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    if (after.empty() && random() % 64 != 0) continue;
    EXPECT_EQ(replay->step(operation), !after.empty()) << specification.name() << " step " << step;
    if (after.empty() || testing::Test::HasFailure()) break;
    possible.swap(after);
    ++legal;
  }
  return legal;
}

}  // namespace linchpin::test
