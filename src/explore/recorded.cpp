#include "explore/recorded.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace linchpin::explorer {

namespace {

constexpr std::uint8_t kPrefix = 255;

/// First and last step of each operation, counted from 1; 0: it has none, as those of the prefix.
struct Steps {
  std::vector<Tick> first, last;  // by number of the operation
};

Steps steps_of_operations() {
  Steps steps{.first = std::vector<Tick>(engine.operations().size(), 0),
              .last = std::vector<Tick>(engine.operations().size(), 0)};
  Tick number = 0;
  for (const TraceStep& step : engine.trace()) {
    ++number;
    if (step.operation < 0) continue;
    const auto operation = static_cast<std::size_t>(step.operation);
    if (steps.first[operation] == 0) steps.first[operation] = number;
    steps.last[operation] = number;
  }
  return steps;
}

/// Calls and responses as steps. They keep their order: a step is of one thread alone, an operation is called at its
/// first step, and returns before another thread makes the next one.
void count_steps(std::vector<HistoryBuilder::Operation>& made, const std::vector<const OperationRecord*>& operations) {
  const Steps steps = steps_of_operations();
  const OperationRecord* const begin = engine.operations().begin();
  Tick prefix = 0;  // events of the prefix
  for (const OperationRecord* const operation : operations) {
    if (operation->thread == kPrefix) prefix += 2;
  }
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const auto number = static_cast<std::size_t>(operations[i] - begin);
    const bool pending = operations[i]->returned < 0;
    if (operations[i]->thread == kPrefix) {
      made[i].call -= prefix - 1;
      if (!pending) made[i].response -= prefix - 1;
    } else {
      made[i].call = steps.first[number];
      if (!pending) made[i].response = steps.last[number];
    }
  }
}

Value value_of(std::uint64_t word, bool wide, ValuePool& pool) {
  return wide ? pool.integer(static_cast<std::int64_t>(word)) : Value::from_bits(word);
}

}  // namespace

void annotate_turns(HistoryBuilder& builder, std::size_t steps, const std::function<unsigned(std::size_t)>& thread_of) {
  constexpr std::array kColours = {"#4a7fb5", "#c08a33", "#5a9b76", "#8d72b5",
                                   "#3f9aa3", "#9a8577", "#c2607a", "#7a8b3a"};
  for (std::size_t begin = 0, end = 0; begin < steps; begin = end) {
    const unsigned thread = thread_of(begin);
    while (end < steps && thread_of(end) == thread) ++end;
    builder.annotate({.begin = static_cast<Tick>(begin + 1),
                      .end = static_cast<Tick>(end),
                      .text = "runs",
                      .process = fmt::format("thread {}", thread + 1),
                      .colour = kColours[thread % kColours.size()]});
  }
}

std::vector<const OperationRecord*> operations_called() {
  std::vector<const OperationRecord*> operations;
  for (const OperationRecord& operation : engine.operations()) {
    if (!operation.cancelled && operation.called >= 0) operations.push_back(&operation);
  }
  std::sort(operations.begin(), operations.end(),
            [](const OperationRecord* a, const OperationRecord* b) { return a->called < b->called; });
  return operations;
}

std::optional<std::vector<std::uint64_t>> operations_before() {
  constexpr std::size_t kBits = 64;
  const std::vector<const OperationRecord*> operations = operations_called();
  if (operations.size() > kBits) return std::nullopt;
  std::vector<std::uint64_t> before(operations.size(), 0);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    for (std::size_t j = 0; j < operations.size(); ++j) {
      const OperationRecord& other = *operations[j];
      // The prefix is one thread's, which makes the others when it is done.
      const bool comes_before =
          other.thread == kPrefix
              ? j < i
              : operations[i]->thread != kPrefix &&
                    (operations[i]->before >> (other.thread * kMostOperations + other.number) & 1U) != 0;
      if (comes_before) before[i] |= std::uint64_t{1} << j;
    }
  }
  return before;
}

Result<History> recorded_history(const ContainerSubject& container, Ticks ticks) {
  HistoryBuilder builder;
  const std::vector<const OperationRecord*> operations = operations_called();
  std::vector<HistoryBuilder::Operation> made;
  for (const OperationRecord* const operation : operations) {
    HistoryBuilder::Operation& one = made.emplace_back(HistoryBuilder::Operation{
        .process =
            operation->thread == kPrefix ? builder.process("prefix") : static_cast<ProcessId>(operation->thread + 1U),
        .method = container.methods()[operation->method],
        .call = operation->called,
        .response = operation->returned < 0 ? kPending : Tick{operation->returned}});
    for (unsigned i = 0; i < operation->arguments; ++i) {
      one.arguments.push_back(value_of(operation->values[i], (operation->wide >> i & 1U) != 0, builder.pool()));
    }
    const bool wide = (operation->wide & OperationRecord::kWideResult) != 0;
    one.result = operation->returned < 0 ? Value::unknown() : value_of(operation->result, wide, builder.pool());
  }
  if (ticks == Ticks::steps) {
    count_steps(made, operations);
    annotate_turns(builder, engine.trace().size(),
                   [](std::size_t step) -> unsigned { return engine.trace()[step].thread; });
  }
  for (const HistoryBuilder::Operation& operation : made) builder.add(operation);
  if (auto type = TypeName::parse(container.type())) builder.set_type(*type);
  return std::move(builder).build();
}

}  // namespace linchpin::explorer
