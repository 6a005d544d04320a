#include "core/decider.hpp"

#include <limits>

#include "core/search_task.hpp"

namespace linchpin::core {

Outcome Decider::decide(const history::Subhistory& part, const DeciderOptions& options, Budget& budget) const {
  if (at_once != nullptr) return at_once(part, options, budget);
  const std::unique_ptr<SearchTask> task = start(part, options);
  // Half of what there is: tasks may add to it.
  task->run(std::numeric_limits<std::uint64_t>::max() / 2, budget);
  return task->outcome();
}

}  // namespace linchpin::core
