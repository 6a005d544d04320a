// Whether a search finds a linearization of a generated history in a number of steps, which says more than a time.
#pragma once

#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "core/budget.hpp"
#include "core/decider.hpp"
#include "core/search_task.hpp"
#include "support/drawn.hpp"
#include "support/oracle.hpp"

namespace linchpin::test {

/// @param plan  of a history that is linearizable
inline void expect_found_within(std::uint64_t steps, const generate::Plan& plan, const core::Decider& decider) {
  const auto history = drawn(plan, {});
  ASSERT_TRUE(history);
  const std::array specifications{specification_of(plan.type.to_string())};
  const history::Subhistory part = history::split_by_object(*history, specifications, Ties::concurrent)->at(0);
  const auto task = decider.start(part, {});
  core::Budget budget{Limits{}};
  EXPECT_TRUE(task->run(steps, budget)) << "seed " << plan.seed;
  EXPECT_EQ(task->outcome().verdict, Verdict::linearizable) << "seed " << plan.seed;
}

}  // namespace linchpin::test
