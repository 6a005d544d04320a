// Reads counters for the search over contents: the number is the sum of the changes that took effect.
#include "types/counter/contents.hpp"

#include "types/answers.hpp"
#include "types/counter/specification.hpp"

namespace linchpin::types::counter {

namespace {

ContentAct act_of(const Operation& operation) {
  const std::uint64_t change = Counter::change(operation);
  ContentAct act;
  switch (operation.method) {
    case Counter::kRead:
    case Counter::kFetchAndAdd:
    case Counter::kFetchAndSubtract: act = shows_number(operation); break;
    case Counter::kAddAndGet:
    case Counter::kSubtractAndGet:
      act = shows_number(operation);
      // It returned the number after its change, and needs the one before.
      if (act.need == ContentNeed::total) {
        act.number = static_cast<std::int64_t>(static_cast<std::uint64_t>(act.number) - change);
      }
      break;
    default:
      if (!operation.acknowledged(0)) act.need = ContentNeed::never;
  }
  act.change = static_cast<std::int64_t>(change);
  return act;
}

}  // namespace

ContentHistory read_contents(const history::Subhistory& part) {
  const Counter* const counter = part.specification->get_if<Counter>();
  if (counter == nullptr) return {.obstacle = "not a counter", .other_type = true};
  ContentHistory history{.initial = counter->initial_value, .units = false};
  for (std::uint32_t x = 0; x < part.size(); ++x) history.acts.push_back(act_of(part.view(x)));
  return history;
}

}  // namespace linchpin::types::counter
