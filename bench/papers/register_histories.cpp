#include "papers/register_histories.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace linchpin::papers {

namespace {

constexpr Tick kUnit = 1000;  // ticks in a unit of time
constexpr std::uint64_t kLongestOperation = 10, kLongestOffset = 10;
constexpr int kTries = 1000;  // operations drawn for one history

bool overlap(const RegisterOperation& a, const RegisterOperation& b) { return a.begin <= b.end && b.begin <= a.end; }

bool produces(const RegisterOperation& operation) {
  return operation.call == RegisterCall::write || operation.call == RegisterCall::cas;
}

/// Whether the new operation would make a failed compare-and-set overlap what writes.
bool in_conflict(const RegisterHistory& history, const RegisterOperation& added) {
  const auto conflict = [](const RegisterOperation& a, const RegisterOperation& b) {
    return a.call == RegisterCall::failed_cas && produces(b) && overlap(a, b);
  };
  for (const auto& thread : history) {
    for (const RegisterOperation& other : thread) {
      if (conflict(added, other) || conflict(other, added)) return true;
    }
  }
  return false;
}

class BruteForce {
 public:
  BruteForce(const RegisterHistory& history, std::uint64_t steps)
      : history_(history), next_(history.size(), 0), steps_(steps) {}

  [[nodiscard]] bool gave_up() const { return steps_ == 0; }

  bool search(std::optional<std::int64_t> state) {
    if (steps_ == 0 || --steps_ == 0) return false;
    Tick earliest = kPending;
    for (std::size_t thread = 0; thread < next_.size(); ++thread) {
      if (has_next(thread)) earliest = std::min(earliest, next(thread).end);
    }
    if (earliest == kPending) return true;
    for (std::size_t thread = 0; thread < next_.size(); ++thread) {
      if (!has_next(thread) || next(thread).begin > earliest) continue;
      std::optional<std::int64_t> after = state;
      if (!execute(next(thread), after)) continue;
      ++next_[thread];
      if (search(after)) return true;
      --next_[thread];
    }
    return false;
  }

 private:
  [[nodiscard]] bool has_next(std::size_t thread) const { return next_[thread] < history_[thread].size(); }
  [[nodiscard]] const RegisterOperation& next(std::size_t thread) const { return history_[thread][next_[thread]]; }

  /// The register is undefined at the beginning, and then only a write is possible.
  static bool execute(const RegisterOperation& operation, std::optional<std::int64_t>& state) {
    if (operation.call != RegisterCall::write && !state) return false;
    switch (operation.call) {
      case RegisterCall::read: return *state == operation.value;
      case RegisterCall::failed_cas: return *state != operation.expected;
      case RegisterCall::cas:
        if (*state != operation.expected) return false;
        [[fallthrough]];
      case RegisterCall::write: state = operation.value; return true;
    }
    return false;
  }

  const RegisterHistory& history_;
  std::vector<std::size_t> next_;
  std::uint64_t steps_;
};

}  // namespace

std::optional<RegisterHistory> draw_register_history(const RegisterShape& shape, generate::Random& random) {
  RegisterHistory history(shape.threads);
  std::vector<Tick> free(shape.threads, 0);
  std::int64_t produced = 0;
  const auto time = [&](std::uint64_t most) { return static_cast<Tick>(random.below(most * kUnit)); };
  const auto any_value = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most))) + 1;
  };
  std::uint32_t drawn = 0;
  for (int tries = 0; drawn < shape.operations; ++tries) {
    if (tries == kTries) return std::nullopt;
    RegisterOperation operation;
    operation.thread = static_cast<std::uint32_t>(random.below(shape.threads));
    const std::uint64_t calls = shape.failed_cas ? 4 : shape.cas ? 3 : 2;
    operation.call = static_cast<RegisterCall>(random.below(calls));
    if (produces(operation) && produced == shape.values) operation.call = RegisterCall::read;
    if (produced == 0) operation.call = RegisterCall::write;
    switch (operation.call) {
      case RegisterCall::cas: operation.expected = any_value(produced); [[fallthrough]];
      case RegisterCall::write: operation.value = produced + 1; break;
      case RegisterCall::read: operation.value = any_value(produced); break;
      case RegisterCall::failed_cas:
        operation.expected = any_value(shape.values);
        operation.value = any_value(shape.values);
        break;
    }
    operation.begin = free[operation.thread] + 1 + time(kLongestOffset);
    operation.end = operation.begin + kUnit + time(kLongestOperation - 1);
    if (!shape.overlapping && in_conflict(history, operation)) continue;
    free[operation.thread] = operation.end;
    produced += produces(operation) ? 1 : 0;
    history[operation.thread].push_back(operation);
    ++drawn;
  }
  return history;
}

std::optional<RegisterHistory> draw_as_the_program(const RegisterShape& shape, generate::Random& random) {
  constexpr std::uint64_t kOffset = 5;  // the program's, in units; one more by its noise
  RegisterHistory history(shape.threads);
  std::vector<Tick> free(shape.threads, 0);
  std::vector<bool> written(shape.values + 1, false);
  const auto time = [&](std::uint64_t most) { return static_cast<Tick>(kUnit + random.below(most * kUnit)); };
  for (std::uint32_t drawn = 0; drawn < shape.operations; ++drawn) {
    RegisterOperation operation;
    operation.thread = static_cast<std::uint32_t>(random.below(shape.threads));
    const bool cas = shape.cas && random.below(2) == 0;
    const std::uint64_t value = random.below(written.size());
    operation.value = static_cast<std::int64_t>(value);
    operation.begin = free[operation.thread] + time(kOffset);
    operation.end = operation.begin + time(kLongestOperation);
    if (!cas) {
      operation.call = written[value] ? RegisterCall::read : RegisterCall::write;
    } else {
      const std::uint64_t other = (value + 1 + random.below(written.size() - 1)) % written.size();
      operation.call = written[value] ? RegisterCall::failed_cas : RegisterCall::cas;
      operation.expected = static_cast<std::int64_t>(other);
      if (written[value]) std::swap(operation.expected, operation.value);
      written[other] = written[other] || !written[value];
    }
    written[value] = true;
    if (in_conflict(history, operation)) return std::nullopt;
    free[operation.thread] = operation.end;
    history[operation.thread].push_back(operation);
  }
  return history;
}

TypeName register_type() { return {.name = "cas-register", .options = {{"initial", "undefined"}}}; }

Result<History> to_history(const RegisterHistory& history) {
  HistoryBuilder builder;
  builder.set_type(register_type());
  for (const auto& thread : history) {
    for (const RegisterOperation& operation : thread) {
      const Value value = Value::integer(operation.value);
      const bool cas = operation.call == RegisterCall::cas;
      HistoryBuilder::Operation row{.process = operation.thread, .call = operation.begin, .response = operation.end};
      if (operation.call == RegisterCall::write) {
        row.method = "write";
        row.arguments = {value};
      } else if (operation.call == RegisterCall::read) {
        row.method = "read";
        row.result = value;
      } else {
        row.method = "cas";
        row.arguments = {Value::integer(operation.expected), value};
        row.result = Value::boolean(cas);
      }
      builder.add(row);
    }
  }
  return std::move(builder).build();
}

std::optional<RegisterHistory> register_history(const History& history) {
  std::map<ProcessId, std::vector<RegisterOperation>> by_process;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    RegisterOperation operation{.begin = history.call(i), .end = history.response(i)};
    const std::string_view method = history.method_name(history.method(i));
    const Value result = history.result(i);
    Value value = result;  // of a read
    if (method != "read") value = history.arguments(i).back();
    if (!value.is_integer()) return std::nullopt;
    operation.value = value.integer();
    if (method == "read") operation.call = RegisterCall::read;
    if (method == "cas") {
      const Value expected = history.arguments(i).front();
      if (!expected.is_integer() || !result.is_boolean()) return std::nullopt;
      operation.call = result == Value::boolean(true) ? RegisterCall::cas : RegisterCall::failed_cas;
      operation.expected = expected.integer();
    }
    by_process[history.process(i)].push_back(operation);
  }
  RegisterHistory result;
  for (auto& [process, operations] : by_process) {
    for (RegisterOperation& operation : operations) operation.thread = static_cast<std::uint32_t>(result.size());
    std::sort(operations.begin(), operations.end(),
              [](const RegisterOperation& a, const RegisterOperation& b) { return a.begin < b.begin; });
    result.push_back(std::move(operations));
  }
  return result;
}

std::optional<bool> linearizable_by_brute_force(const RegisterHistory& history, std::uint64_t steps) {
  BruteForce brute_force(history, steps);
  const bool found = brute_force.search(std::nullopt);
  if (!found && brute_force.gave_up()) return std::nullopt;
  return found;
}

}  // namespace linchpin::papers
