// The general searches, as tasks that can take turns and as deciders.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

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
/// All of them in turn, with budgets that double, and before them `own`, a search made for the type, or nothing, and
/// the lift of the type's monitor, where there is one.
[[nodiscard]] std::unique_ptr<SearchTask> make_portfolio(const history::Subhistory& part,
                                                         const core::DeciderOptions& options, const core::Decider* own);

/// The searches as deciders, for --decider.
[[nodiscard]] std::span<const core::Decider> searches();

}  // namespace linchpin::decide
