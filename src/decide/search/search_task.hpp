// A search that can be run a bit at a time, so that several searches can take turns.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/decider.hpp"

namespace linchpin::decide {

class SearchTask {
 public:
  virtual ~SearchTask() = default;
  /// Goes on for about `steps` steps (executions of the specification) or until the budget is spent.
  /// True: decided, or the budget is spent; see `outcome`.
  virtual bool run(std::uint64_t steps, core::Budget& budget) = 0;
  /// The verdict; unknown with how far the search got while it is undecided.
  [[nodiscard]] virtual core::Outcome outcome() const = 0;
  /// How many operations have returned where the search stands; for progress.
  [[nodiscard]] virtual std::uint32_t passed() const = 0;
};

/// Windowed configuration set (configuration_set.cpp). The part must outlive the task.
[[nodiscard]] std::unique_ptr<SearchTask> make_configuration_set(const history::Subhistory& part,
                                                                 const core::DeciderOptions& options);
/// Depth-first search with a windowed memo (depth_first.cpp).
[[nodiscard]] std::unique_ptr<SearchTask> make_depth_first(const history::Subhistory& part,
                                                           const core::DeciderOptions& options);
/// Both in turn, with budgets that double (portfolio.cpp).
[[nodiscard]] std::unique_ptr<SearchTask> make_portfolio(const history::Subhistory& part,
                                                         const core::DeciderOptions& options);

/// The searches as deciders, for --decider.
[[nodiscard]] std::span<const core::Decider> searches();

}  // namespace linchpin::decide
