#include "research/automata/execution.hpp"

#include <compare>
#include <memory>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "algo/number_values.hpp"
#include "types/priority_queue/specification.hpp"
#include "types/queue/specification.hpp"
#include "types/stack/specification.hpp"

namespace linchpin::automata {

namespace {

using types::PriorityQueue;
using types::Queue;
using types::Stack;

// The rows of the method tables, which are the same for the three types.
constexpr std::uint16_t kAdd = Queue::kEnqueue, kRemove = Queue::kDequeue;
static_assert(kAdd == Stack::kPush && kAdd == PriorityQueue::kInsert);
static_assert(kRemove == Stack::kPop && kRemove == PriorityQueue::kPoll);

/// The value that each operation is about.
Result<std::vector<Value>> subjects(const history::Subhistory& part) {
  std::vector<Value> about(part.size());
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    const auto not_understood = subject_of(part.view(local), part.pending(local), about[local]);
    if (!not_understood) continue;
    const OperationIndex i = part.operation[local];
    return Error{.code = not_understood->code,
                 .source = part.history->source(),
                 .line = part.history->place(i).line,
                 .column = part.history->place(i).column,
                 .message = fmt::format("{} {}", part.history->describe(i), not_understood->why),
                 .hint = std::string(not_understood->hint)};
  }
  return about;
}

/// Numbers the priorities of the adds.
void number_priorities(const history::Subhistory& part, const PriorityQueue& specification,
                       const std::vector<algo::ValueNumber>& number, Execution& execution) {
  const std::shared_ptr<ValuePool> pool = part.history->shared_pool();
  std::vector<Value> numbered;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> numbers;
  execution.priority.assign(execution.values, 0);
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (part.method[i] != kAdd) continue;
    const Value priority = part.arguments(i).back();
    const auto next = static_cast<std::uint32_t>(numbered.size());
    const auto [place, is_new] = numbers.try_emplace(priority.bits(), next);
    execution.priority[number[i].number()] = specification.fifo_ties ? place->second : next;
    if (is_new || !specification.fifo_ties) numbered.push_back(priority);
  }
  execution.better = [pool, numbered = std::move(numbered), order = specification.order](std::uint32_t left,
                                                                                         std::uint32_t right) {
    return order.before(numbered[left], numbered[right], *pool);
  };
}

}  // namespace

const Family* family_of(const Specification& specification) {
  const auto* const queue = specification.get_if<Queue>();
  if (queue != nullptr && !queue->capacity) return &queue_automata();
  const auto* const stack = specification.get_if<Stack>();
  if (stack != nullptr && stack->heights == Stack::Heights::no) return &stack_automata();
  const auto* const priority_queue = specification.get_if<PriorityQueue>();
  return priority_queue != nullptr && !priority_queue->capacity ? &priority_queue_automata() : nullptr;
}

bool adds(const Operation& operation) { return operation.method == kAdd; }

std::optional<NotUnderstood> subject_of(const Operation& operation, bool pending, Value& about) {
  if (operation.method != kAdd && operation.method != kRemove) {
    return NotUnderstood{ErrorCode::unknown_method, "is neither an add nor a remove",
                         "the automata know no others; linchpin check does"};
  }
  if (operation.method == kAdd) {
    about = operation.argument(0);
    if (operation.acknowledged(0) && !about.is_nil() && !about.is_unknown() && !about.is_none()) return std::nullopt;
    return NotUnderstood{ErrorCode::bad_arguments, "does not add a value that a result can name",
                         "linchpin check may know what to do"};
  }
  if (pending) {
    about = Value::unknown();
    return std::nullopt;
  }
  if (operation.result.is_unknown() || operation.result.is_none() || operation.pool->partial(operation.result)) {
    return NotUnderstood{ErrorCode::bad_arguments, "has lost its result",
                         "the automata must know what was removed; linchpin check need not"};
  }
  about = operation.result.is_nil() ? Value::none() : operation.result;
  return std::nullopt;
}

Result<Execution> execution_of(const history::Subhistory& part) {
  if (family_of(*part.specification) == nullptr) {
    return Error{.code = ErrorCode::unknown_type,
                 .source = part.history->source(),
                 .message = fmt::format("there are no automata for {}", part.specification->name()),
                 .hint = "there are for queue, stack and priority-queue"};
  }
  auto about = subjects(part);
  if (!about) return about.error();
  std::vector<algo::ValueNumber> number(part.size());
  Execution execution;
  std::vector<Value> numbered = *about;
  for (Value& value : numbered) {
    if (value.is_unknown()) value = Value::none();
  }
  execution.values = algo::number_values(
                         numbered, [&](std::size_t i) { return part.method[i] == kAdd; }, number)
                         .count;
  std::vector<bool> left_out(part.size(), false);
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    left_out[i] = (*about)[i].is_unknown();
    execution.left_out += left_out[i] ? 1 : 0;
    if ((*about)[i].is_none()) number[i] = algo::ValueNumber(execution.values++);
  }
  execution.name.assign(execution.values, Value::none());
  for (const history::Event event : part.events()) {
    const std::uint32_t i = event.operation();
    if (left_out[i]) continue;
    const bool empty = part.method[i] == kRemove && (*about)[i].is_none();
    const Method method = part.method[i] == kAdd ? Method::add : empty ? Method::empty : Method::remove;
    execution.letters.push_back({.method = method, .response = event.is_response(), .value = number[i].number()});
    execution.operation.push_back(i);
    if (!empty) execution.name[number[i].number()] = (*about)[i];
  }
  if (const auto* const queue = part.specification->get_if<PriorityQueue>()) {
    number_priorities(part, *queue, number, execution);
  }
  return execution;
}

}  // namespace linchpin::automata
