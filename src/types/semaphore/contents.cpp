// Reads semaphores for the search over contents: the count is a sum. Histories in which a decrement returned with its
// result lost are not read, since it may have found the count at zero.
#include "types/semaphore/contents.hpp"

#include "types/answers.hpp"
#include "types/semaphore/specification.hpp"

namespace linchpin::types::semaphore {

ContentHistory read_contents(const history::Subhistory& part) {
  const Semaphore* const semaphore = part.specification->get_if<Semaphore>();
  if (semaphore == nullptr) return {.obstacle = "not a semaphore", .other_type = true};
  if (semaphore->initial_value < 0) return {.obstacle = "the count begins below zero"};
  ContentHistory history{.initial = semaphore->initial_value};
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    const Operation operation = part.view(x);
    ContentAct act;
    switch (operation.method) {
      case Semaphore::kIncrement:
        act = {.need = operation.acknowledged() ? ContentNeed::nothing : ContentNeed::never, .change = 1};
        break;
      case Semaphore::kDecrement:
        if (says_false(operation)) {
          act.need = ContentNeed::total;
          break;
        }
        if (operation.result_unknown() && !part.pending(x)) history.obstacle = "a decrement lost its result";
        act = {.need = operation.acknowledged() ? ContentNeed::some : ContentNeed::never, .change = -1};
        break;
      default: act = shows_number(operation);
    }
    history.acts.push_back(act);
  }
  return history;
}

}  // namespace linchpin::types::semaphore
