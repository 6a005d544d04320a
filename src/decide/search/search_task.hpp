// The general searches, as tasks that can take turns and as deciders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "core/search_task.hpp"

namespace linchpin::decide {

using core::SearchTask;

/// Windowed configuration set (configuration_set.cpp). The part must outlive the task.
[[nodiscard]] std::unique_ptr<SearchTask> make_configuration_set(const history::Subhistory& part,
                                                                 const core::DeciderOptions& options);
/// The configuration set, of which so many configurations are kept at first (narrowing.hpp).
[[nodiscard]] std::unique_ptr<SearchTask> make_few_configurations(const history::Subhistory& part,
                                                                  const core::DeciderOptions& options,
                                                                  std::size_t width = 24);
/// Depth-first search with a windowed memo (depth_first.cpp).
[[nodiscard]] std::unique_ptr<SearchTask> make_depth_first(const history::Subhistory& part,
                                                           const core::DeciderOptions& options);

/// Several searches of one part.
class Portfolio : public SearchTask {
 public:
  /// From the next run on it may use so many threads, once the part has proved hard; before it is told, one.
  virtual void may_use(unsigned threads) = 0;
};
/// All of them in turn, with budgets that double, and before them `own`, a search made for the type, or nothing, and
/// the lift of the type's monitor, where there is one.
[[nodiscard]] std::unique_ptr<Portfolio> make_portfolio(const history::Subhistory& part,
                                                        const core::DeciderOptions& options, const core::Decider* own);
/// Runs it. One that is spare ends once the process holds half the memory that it may, and leaves the rest to others.
inline bool run(SearchTask& task, std::uint64_t steps, bool spare, core::Budget& budget) {
  if (!spare) return task.run(steps, budget);
  core::Budget part(budget, std::numeric_limits<double>::infinity(), .5);
  return task.run(steps, part);
}
/// Of two undecided outcomes, makes the first tell how far the second got, where that is further.
inline void tell_longer(core::Outcome& outcome, core::Outcome other) {
  if (other.longest.size() <= outcome.longest.size()) return;
  outcome.longest = std::move(other.longest);
  outcome.blocked = other.blocked;
}

/// The searches as deciders, for --decider.
[[nodiscard]] std::span<const core::Decider> searches();

}  // namespace linchpin::decide
