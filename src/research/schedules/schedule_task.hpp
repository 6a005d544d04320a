// Schedules as a search that can be asked for by name, and can take turns with others.
//
// The portfolio does not use it: in measurements, schedules found witnesses that the general searches do not find only
// for logs whose entries are read one by one (docs/papers/hitting-families.md).
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::research {

/// Looks for a witness in the strong d-hitting families for d = 1, 2, ... It finds witnesses only: when it has been
/// through all families its outcome is unknown, for the reason not_applicable. The part must outlive the task.
[[nodiscard]] std::unique_ptr<core::SearchTask> make_schedules(const history::Subhistory& part,
                                                               const core::DeciderOptions& options);

/// The same as a decider, for --decider.
[[nodiscard]] const core::Decider& schedules();

}  // namespace linchpin::research
