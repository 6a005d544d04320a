#include "history/validation.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/names.hpp"
#include "history/columns.hpp"
#include "history/operation_error.hpp"
#include "history/process_names.hpp"

namespace linchpin::history {

namespace {

/// One process is one line of control: its operations do not overlap, and none follows a pending one.
Result<void> check_processes_sorted(const History& history) {
  const std::size_t n = history.size();
  std::vector<OperationIndex> order(n);
  std::iota(order.begin(), order.end(), OperationIndex(0));
  const auto earlier = [&](OperationIndex a, OperationIndex b) {
    if (history.call(a) != history.call(b)) return history.call(a) < history.call(b);
    return history.response(a) < history.response(b);
  };
  if (!std::is_sorted(order.begin(), order.end(), earlier)) std::stable_sort(order.begin(), order.end(), earlier);
  absl::flat_hash_map<ProcessId, OperationIndex> last;
  for (const OperationIndex i : order) {
    if (history.process(i) == kNoProcess) continue;
    const auto [entry, fresh] = last.try_emplace(history.process(i), i);
    if (fresh) continue;
    const OperationIndex before = std::exchange(entry->second, i);
    if (history.response(before) <= history.call(i)) continue;
    const std::string process = history.process_name(history.process(i));
    if (history.pending(before)) {
      return error_at(history, i, ErrorCode::after_pending,
                      fmt::format("process {} calls {} after {}, which never returned", process, history.describe(i),
                                  history.describe(before)),
                      "give a client that goes on after a crash a new process");
    }
    return error_at(history, i, ErrorCode::overlapping_operations,
                    fmt::format("process {} calls {} at {} while its {} is open until {}", process, history.describe(i),
                                history.call(i), history.describe(before), history.response(before)),
                    "a process runs one operation at a time; use one process for each thread");
  }
  return {};
}

/// The same for operations in the order of their calls and processes with small ids: one pass, one slot a process.
/// False when that is not so, or when something seems wrong: then check_processes_sorted has the last word.
bool processes_are_fine(const History& history) {
  constexpr std::size_t kMostProcesses = std::size_t{1} << 20;
  // The last response of each process, numbers and names side by side.
  std::vector<Tick> last(256, std::numeric_limits<Tick>::min());
  Tick before = std::numeric_limits<Tick>::min();
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const Tick call = history.call(i);
    if (call < before) return false;
    before = call;
    const ProcessId process = history.process(i);
    if (process == kNoProcess) continue;
    const std::size_t slot = std::size_t{process & ~kNamedProcess} * 2 + (process >> 31);
    if (slot >= last.size()) {
      if (slot >= 2 * kMostProcesses) return false;
      last.resize(2 * slot, std::numeric_limits<Tick>::min());
    }
    if (last[slot] > call) return false;
    last[slot] = history.response(i);
  }
  return true;
}

/// Whether arguments are known, as what a caller passes is. Only a transaction may name what its reads are to find, or
/// leave that open: [[read x ?]].
class KnownArguments {
 public:
  explicit KnownArguments(const ValuePool& pool) : pool_(pool) {}

  bool known(Value argument) {
    if (!argument.is_list()) return !argument.is_unknown();
    if (!pool_.partial(argument)) return true;
    const auto [entry, fresh] = transactions_.try_emplace(argument.bits(), true);
    if (!fresh) return entry->second;
    const std::span<const Value> parts = pool_.elements_of(argument);
    const bool all = std::all_of(parts.begin(), parts.end(), [this](Value part) {
      if (!part.is_list()) return !part.is_unknown();
      std::span<const Value> fields = pool_.elements_of(part);
      if (fields.size() == 3 && fields[2].is_unknown() && is_read(fields[0])) fields = fields.first(2);
      return std::all_of(fields.begin(), fields.end(),
                         [this](Value field) { return !field.is_unknown() && !pool_.partial(field); });
    });
    return transactions_[argument.bits()] = all;
  }

 private:
  [[nodiscard]] bool is_read(Value word) const {
    return word.is_string() && base::is_listed("read r get", pool_.text_of(word));
  }

  const ValuePool& pool_;
  absl::flat_hash_map<std::uint64_t, bool> transactions_;  // by a list's bits
};

Result<void> check_arguments(const History& history) {
  KnownArguments arguments(history.pool());
  const std::span<const Value> all = HistoryColumns::arguments(history);
  const auto known = [&](Value argument) { return arguments.known(argument); };
  if (std::all_of(all.begin(), all.end(), known)) return {};
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const std::span<const Value> own = history.arguments(i);
    if (std::all_of(own.begin(), own.end(), known)) continue;
    return error_at(
        history, i, ErrorCode::bad_arguments,
        fmt::format("{} has an unknown argument: '?' stands for a result that was lost", history.describe(i)),
        "an argument is what the caller passed: write it down; a read in a transaction may leave it out");
  }
  return {};
}

}  // namespace

Result<void> check_operations(const History& history) {
  if (auto checked = check_arguments(history); !checked) return checked;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const Tick call = history.call(i);
    const Tick response = history.response(i);
    if (response >= call) continue;
    return error_at(history, i, ErrorCode::response_before_call,
                    fmt::format("{} responds at {}, before its call at {}", history.describe(i), response, call),
                    "the call's tick comes first");
  }
  if (HistoryColumns::processes(history).empty() || processes_are_fine(history)) return {};
  return check_processes_sorted(history);
}

}  // namespace linchpin::history
