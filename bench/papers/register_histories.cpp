#include "papers/register_histories.hpp"

#include <algorithm>

namespace linchpin::papers {

namespace {

constexpr Tick kUnit = 1000;  // ticks in a unit of time
constexpr std::uint64_t kLongestOperation = 10, kLongestOffset = 10;

bool overlap(const RegisterOperation& a, const RegisterOperation& b) { return a.begin <= b.end && b.begin <= a.end; }

bool failed_cas_overlaps_write(const RegisterHistory& history) {
  for (const auto& thread : history) {
    for (const RegisterOperation& failed : thread) {
      if (failed.call != RegisterCall::failed_cas) continue;
      for (const auto& other : history) {
        for (const RegisterOperation& write : other) {
          if (write.call == RegisterCall::write && overlap(failed, write)) return true;
        }
      }
    }
  }
  return false;
}

class BruteForce {
 public:
  explicit BruteForce(const RegisterHistory& history) : history_(history), next_(history.size(), 0) {}

  bool search(std::optional<std::int64_t> state) {
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
  for (std::uint32_t i = 0; i < shape.operations; ++i) {
    RegisterOperation operation;
    operation.thread = static_cast<std::uint32_t>(random.below(shape.threads));
    const std::uint64_t calls = shape.failed_cas ? 4 : shape.cas ? 3 : 2;
    operation.call = static_cast<RegisterCall>(random.below(calls));
    const bool produces = operation.call == RegisterCall::write || operation.call == RegisterCall::cas;
    if (produced == 0) operation.call = RegisterCall::write;
    if (produces && produced == shape.values) operation.call = RegisterCall::read;
    switch (operation.call) {
      case RegisterCall::cas: operation.expected = any_value(produced); [[fallthrough]];
      case RegisterCall::write: operation.value = ++produced; break;
      case RegisterCall::read: operation.value = any_value(produced); break;
      case RegisterCall::failed_cas:
        operation.expected = any_value(shape.values);
        operation.value = any_value(shape.values);
        break;
    }
    Tick& now = free[operation.thread];
    operation.begin = now + 1 + time(kLongestOffset);
    operation.end = operation.begin + kUnit + time(kLongestOperation - 1);
    now = operation.end;
    history[operation.thread].push_back(operation);
  }
  if (!shape.overlapping && failed_cas_overlaps_write(history)) return std::nullopt;
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

bool linearizable_by_brute_force(const RegisterHistory& history) { return BruteForce(history).search(std::nullopt); }

}  // namespace linchpin::papers
