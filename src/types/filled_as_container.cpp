// Reads the history of a container that holds values at first as one in which they are put in, one by one, before
// everything else.
//
// What is linearizable for the one is so for the other. An order of the one is an order of the other, without the
// inserts. A core of the other, without the inserts, is one of the container that holds all of the values: were it
// linearizable there, it would also be behind the inserts that the core has, as what the others put in is nothing to
// the operations of the core. Compare: decide/search (any history). Tests: filled_test.cpp.
#include "types/filled_as_container.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/data_type.hpp"
#include "types/bag/specification.hpp"
#include "types/deque/specification.hpp"
#include "types/filled.hpp"
#include "types/juc/heap.hpp"
#include "types/juc/sequences.hpp"
#include "types/priority_queue/specification.hpp"
#include "types/queue/specification.hpp"
#include "types/set/specification.hpp"
#include "types/stack/specification.hpp"
#include "types/translated.hpp"

namespace linchpin::types {

namespace {

using history::Subhistory;

/// What is inside at first, and the row of the method that puts a value in.
struct Beginning {
  std::uint16_t inserts = 0;
  const std::vector<Value>* values = nullptr;
};

template <class... Containers>
Beginning beginning_of(const Specification& specification) {
  Beginning beginning;
  const auto look = [&]<class S>() {
    if (const auto* const filled = specification.get_if<Filled<S>>()) beginning = {S::inserts, &filled->values};
  };
  (look.template operator()<Containers>(), ...);
  return beginning;
}

/// Why the part cannot be read so; empty: `out` is it.
std::string translate(const Subhistory& part, const Beginning& beginning, Translation& out) {
  const Specification& from = *part.specification;
  TypeName type = *TypeName::parse(from.name());
  std::erase_if(type.options, [](const auto& option) { return option.first == "initial"; });
  auto specification = core::find_data_type(type.name)->make(type);
  if (!specification) return specification.error().message;
  out.specification = std::move(*specification);
  HistoryBuilder builder;
  builder.set_type(std::move(type));
  builder.reserve(part.size() + beginning.values->size());
  Tick tick = 0;
  for (const Value value : *beginning.values) {
    builder.add({.process = part.size() + out.before++,
                 .method = from.methods()[beginning.inserts].name,
                 .arguments = {value},
                 .result = Value::boolean(true),
                 .call = tick,
                 .response = tick + 1});
    tick += 2;
  }
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    const Operation operation = part.view(local);
    std::vector<Value> arguments;
    for (const Value given : operation.arguments) arguments.push_back(builder.pool().import(given, *operation.pool));
    builder.add({.process = local,
                 .method = from.methods()[operation.method].name,
                 .arguments = std::move(arguments),
                 .result = builder.pool().import(operation.result, *operation.pool),
                 .call = tick + part.call[local],
                 .response = part.pending(local) ? kPending : tick + part.response[local]});
  }
  return out.take(std::move(builder).build());
}

template <class Wanted>
core::Applicability find_decider(const Subhistory& part, std::span<const core::Decider> deciders, Wanted&& wanted) {
  const Beginning beginning = beginning_of<Queue, Stack, Deque, WorkStealingDeque, PriorityQueue, Bag, Set,
                                           juc::FifoQueue, juc::LinkedDeque, juc::Heap>(*part.specification);
  if (beginning.values == nullptr) return core::not_of_this_type("no container that holds values at first");
  auto translation = std::make_shared<Translation>();
  if (std::string obstacle = translate(part, beginning, *translation); !obstacle.empty()) {
    return {false, std::move(obstacle)};
  }
  return decided_as(std::move(translation), deciders, wanted);
}

}  // namespace

core::Applicability filled_monitor_applicable(const Subhistory& part) {
  return find_decider(part, core::monitors(), [](const core::Decider& each) { return each.start == nullptr; });
}
core::Outcome decide_filled(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto search = start_translated(part, options, filled_monitor_applicable);
  search->run(1, budget);
  return search->outcome();
}

core::Applicability filled_search_applicable(const Subhistory& part) {
  return find_decider(part, core::monitors(), [](const core::Decider& each) { return each.start != nullptr; });
}
std::unique_ptr<core::SearchTask> start_filled_search(const Subhistory& part, const core::DeciderOptions& options) {
  return start_translated(part, options, filled_search_applicable);
}

core::Applicability filled_lift_applicable(const Subhistory& part) {
  return find_decider(part, core::lifts(), [](const core::Decider&) { return true; });
}
std::unique_ptr<core::SearchTask> start_filled_lift(const Subhistory& part, const core::DeciderOptions& options) {
  return start_translated(part, options, filled_lift_applicable);
}

}  // namespace linchpin::types
