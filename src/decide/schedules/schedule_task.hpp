// Schedules as one of several searches that take turns.
#pragma once

#include <memory>

#include "decide/search/search_task.hpp"

namespace linchpin::decide {

/// Looks for a witness in the strong d-hitting families for d = 1, 2, ... It finds witnesses only: when it has been
/// through all families its outcome is unknown, for the reason not_applicable. The part must outlive the task.
[[nodiscard]] std::unique_ptr<SearchTask> make_schedules(const history::Subhistory& part,
                                                         const core::DeciderOptions& options);

}  // namespace linchpin::decide
