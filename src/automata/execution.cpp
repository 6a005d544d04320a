#include "automata/execution.hpp"

#include <algorithm>

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

Error refuse(const history::Subhistory& part, std::uint32_t local, ErrorCode code, std::string_view why,
             std::string_view hint) {
  const OperationIndex i = part.operation[local];
  return Error{.code = code,
               .source = part.history->source(),
               .line = part.history->place(i).line,
               .column = part.history->place(i).column,
               .message = fmt::format("{} {}", part.history->describe(i), why),
               .hint = std::string(hint)};
}

/// The value that each operation adds or removes; none for removes that find nothing, unknown for pending ones.
Result<std::vector<Value>> subjects(const history::Subhistory& part) {
  std::vector<Value> about(part.size());
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (part.method[i] != kAdd && part.method[i] != kRemove) {
      return refuse(part, i, ErrorCode::unknown_method, "is neither an add nor a remove",
                    "the automata know no others; linchpin check does");
    }
    const Value result = part.result(i);
    if (part.method[i] == kAdd) {
      about[i] = part.arguments(i)[0];
      if (!part.view(i).acknowledged() || about[i].is_nil() || about[i].is_unknown() || about[i].is_none()) {
        return refuse(part, i, ErrorCode::bad_arguments, "does not add a value", "linchpin check may know what to do");
      }
    } else if (part.pending(i)) {
      about[i] = Value::unknown();
    } else if (result.is_unknown() || result.is_none()) {
      return refuse(part, i, ErrorCode::bad_arguments, "has lost its result",
                    "the automata must know what was removed; linchpin check need not");
    } else if (!result.is_nil()) {
      about[i] = result;
    }
  }
  return about;
}

/// Numbers the priorities of the adds: equal ones equally, in ascending order.
void number_priorities(const history::Subhistory& part, const PriorityQueue& specification,
                       const std::vector<std::uint32_t>& number, Execution& execution) {
  const ValuePool& pool = part.history->pool();
  std::vector<Value> priorities;
  const auto less = [&pool](Value left, Value right) { return pool.compare(left, right) < 0; };
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (part.method[i] == kAdd) priorities.push_back(part.arguments(i).back());
  }
  std::sort(priorities.begin(), priorities.end(), less);
  priorities.erase(std::unique(priorities.begin(), priorities.end()), priorities.end());
  execution.priority.assign(execution.values, 0);
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (part.method[i] != kAdd) continue;
    const auto place = std::lower_bound(priorities.begin(), priorities.end(), part.arguments(i).back(), less);
    execution.priority[number[i]] = static_cast<std::uint32_t>(place - priorities.begin());
  }
  execution.equal_in_order = specification.fifo_ties;
  if (specification.largest_first) execution.better = std::greater<>();
}

}  // namespace

const Family* family_of(const Specification& specification) {
  const auto* const queue = specification.get_if<Queue>();
  if (queue != nullptr && !queue->capacity) return &queue_automata();
  const auto* const stack = specification.get_if<Stack>();
  if (stack != nullptr && stack->heights == Stack::Heights::no) return &stack_automata();
  return specification.get_if<PriorityQueue>() != nullptr ? &priority_queue_automata() : nullptr;
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
  std::vector<std::uint32_t> number(part.size());
  Execution execution;
  std::vector<Value> numbered = *about;
  for (Value& value : numbered) {
    if (value.is_unknown()) value = Value::none();
  }
  execution.values = algo::number_values(
      numbered, [&](std::size_t i) { return part.method[i] == kAdd; }, number);
  std::vector<bool> left_out(part.size(), false);
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    left_out[i] = (*about)[i].is_unknown();
    if ((*about)[i].is_none()) number[i] = execution.values++;
  }
  execution.name.assign(execution.values, Value::none());
  for (const history::Event event : part.events) {
    const std::uint32_t i = event.operation();
    if (left_out[i]) continue;
    const bool empty = part.method[i] == kRemove && (*about)[i].is_none();
    const Method method = part.method[i] == kAdd ? Method::add : empty ? Method::empty : Method::remove;
    execution.letters.push_back({.method = method, .response = event.is_response(), .value = number[i]});
    execution.operation.push_back(i);
    if (!empty) execution.name[number[i]] = (*about)[i];
  }
  if (const auto* const queue = part.specification->get_if<PriorityQueue>()) {
    number_priorities(part, *queue, number, execution);
  }
  return execution;
}

}  // namespace linchpin::automata
