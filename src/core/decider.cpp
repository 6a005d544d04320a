#include "core/decider.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "core/search_task.hpp"

namespace linchpin::core {

void Outcome::check_invariants(std::size_t size) const {
  for (const std::vector<std::uint32_t>* const locals : {&witness, &core, &longest}) {
    LINCHPIN_ASSERT(std::all_of(locals->begin(), locals->end(), [&](std::uint32_t local) { return local < size; }));
  }
  LINCHPIN_ASSERT(!blocked || *blocked < size);
}

Outcome Decider::decide(const history::Subhistory& part, const DeciderOptions& options, Budget& budget) const {
  if (at_once != nullptr) return at_once(part, options, budget);
  const std::unique_ptr<SearchTask> task = start(part, options);
  // Half of what there is: tasks may add to it.
  task->run(std::numeric_limits<std::uint64_t>::max() / 2, budget);
  return task->outcome();
}

}  // namespace linchpin::core
