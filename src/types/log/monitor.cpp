// Decides append-only log histories.
//
// Every read shows a prefix of the log, so the longest read says which entry is at which position, and the log only
// counts up; the step to each position seen is pinned to the appends of that entry (algo/counting.hpp). A get(i) pins a
// position and says that the log is longer; a get that returned nil says that it is not. Entries may repeat.
// Precondition: no put, and no append that returned where it is. Cost O(n log k + length of all results).
// Compare: decide/search (any history). Tests: log_monitor_test.cpp.
#include "types/log/monitor.hpp"

#include <fmt/format.h>
#include <memory>

#include "algo/counting.hpp"
#include "algo/dense_values.hpp"
#include "types/log/specification.hpp"

namespace linchpin::types::log_ {

namespace {

using algo::CountRole;
using algo::kNoCount;
using history::Subhistory;

struct Reading {
  std::string obstacle;  // why the history cannot be read so; empty: it can
  algo::CountOperations operations;
  std::vector<Value> entries;  // by position; none: not seen
  std::optional<std::pair<std::uint32_t, std::uint32_t>>
      differ;  // two operations that saw different entries at a place
};

/// The number as a count; a number that no log has is never reached.
std::uint32_t count_of(const Subhistory& part, std::int64_t number) {
  return number < 0 || number > part.size() ? kNoCount : static_cast<std::uint32_t>(number);
}

class Reader {
 public:
  explicit Reader(const Subhistory& part) : part_(part) {
    operations().part = &part;
    operations().role.assign(part.size(), CountRole::steps);
    operations().number.assign(part.size(), 0);
  }

  Reading read() {
    // To the end even when two reads differ: a later put would explain it.
    for (std::uint32_t i = 0; i < part_.size() && reading_.obstacle.empty(); ++i) look(i);
    if (reading_.obstacle.empty() && !reading_.differ) assign_classes();
    return std::move(reading_);
  }

 private:
  algo::CountOperations& operations() { return reading_.operations; }
  std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  void sees(std::uint32_t i, CountRole role, std::uint32_t number) {
    operations().role[i] = role;
    operations().number[i] = number;
  }

  void look(std::uint32_t i) {
    const Operation operation = part_.view(i);
    if (operation.method == Log::kPut) {
      reading_.obstacle = fmt::format("{} overwrites the log", text(i));
      return;
    }
    if (operation.method == Log::kAppend) {
      if (part_.specification->get_if<Log>()->returns_place(operation))
        reading_.obstacle = fmt::format("{} says where the entry is", text(i));
      else if (!operation.acknowledged(0))
        reading_.obstacle = fmt::format("{} did not succeed", text(i));
      return;
    }
    if (part_.pending(i)) {
      operations().role[i] = CountRole::ignored;
    } else if (operation.result_unknown()) {
      operations().role[i] = CountRole::free;
    } else if (operation.method == Log::kRead) {
      if (!operation.result.is_list()) {
        reading_.obstacle = fmt::format("{} returned no list", text(i));
        return;
      }
      const auto shown = operation.pool->elements_of(operation.result);
      for (std::size_t position = 0; position < shown.size(); ++position) pin(i, position, shown[position]);
      sees(i, CountRole::sees_exactly, count_of(part_, static_cast<std::int64_t>(shown.size())));
    } else if (operation.method == Log::kGet) {
      look_at_entry(i, operation);
    } else if (is_integer(operation.result)) {
      sees(i, CountRole::sees_exactly, count_of(part_, operation.pool->integer_of(operation.result)));
    } else {
      reading_.obstacle = fmt::format("{} returned no number", text(i));
    }
  }

  void look_at_entry(std::uint32_t i, const Operation& operation) {
    const std::int64_t index = operation.pool->integer_of(operation.argument(0));
    if (operation.result.is_nil()) {
      const bool no_matter = index < 0 || index >= part_.size();
      sees(i, no_matter ? CountRole::free : CountRole::sees_at_most, no_matter ? 0 : static_cast<std::uint32_t>(index));
      return;
    }
    const std::uint32_t place = count_of(part_, index);
    if (place == kNoCount || place >= part_.size()) {
      sees(i, CountRole::sees_at_least, kNoCount);
      return;
    }
    pin(i, place, operation.result);
    sees(i, CountRole::sees_at_least, place + 1);
  }

  void pin(std::uint32_t i, std::size_t position, Value entry) {
    if (entry.is_none()) {  // no append leaves it, and here it stands for a place that nobody saw
      reading_.obstacle = fmt::format("{} shows an entry that is none", text(i));
      return;
    }
    if (position >= part_.size()) return;  // longer than any log: never reached
    if (position >= reading_.entries.size()) {
      reading_.entries.resize(position + 1, Value::none());
      operations().pinned_by.resize(position + 1, kNoCount);
    }
    if (reading_.entries[position].is_none()) {
      reading_.entries[position] = entry;
      operations().pinned_by[position] = i;
    } else if (reading_.entries[position] != entry && !reading_.differ) {
      reading_.differ = std::pair(operations().pinned_by[position], i);
    }
  }

  /// Class 0: entries that were not seen.
  void assign_classes() {
    algo::DenseValues dense;
    for (const Value entry : reading_.entries) dense.observe(entry);
    dense.prepare();
    bool gaps = false;
    std::vector<std::uint32_t> spare;  // by class: appends minus positions
    for (const Value entry : reading_.entries) {
      gaps = gaps || entry.is_none();
      const std::uint32_t number = entry.is_none() ? 0 : dense.add(entry).first + 1;
      operations().class_of_step.push_back(number);
      if (spare.size() <= number) spare.resize(number + 1, 0);
      --spare[number];
    }
    operations().classes = dense.count() + 1;
    spare.resize(operations().classes, 0);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (part_.method[i] != Log::kAppend) continue;
      const Value entry = part_.arguments(i)[0];
      if (entry.is_nil() || entry.is_none()) {
        reading_.obstacle = fmt::format("{}: nil is also the answer for an entry that is not there", text(i));
        return;
      }
      const std::uint32_t known = dense.find(entry);
      const std::uint32_t number = known == algo::DenseValues::kNone ? 0 : known + 1;
      operations().number[i] = number;
      ++spare[number];
    }
    if (!gaps) return;
    for (std::size_t number = 1; number < spare.size(); ++number) {
      if (static_cast<std::int32_t>(spare[number]) > 0) {
        reading_.obstacle = "an entry is appended more often than it was seen, and there are places that nobody saw";
        return;
      }
    }
  }

  const Subhistory& part_;
  Reading reading_;
};

}  // namespace

core::Applicability applicable(const Subhistory& part) {
  if (part.specification->get_if<Log>() == nullptr) return core::not_of_this_type("not a log");
  auto reading = std::make_shared<Reading>(Reader(part).read());
  if (!reading->obstacle.empty()) return {false, std::move(reading->obstacle)};
  return {.applies = true,
          .why = "entries are only appended, and what was read says where they are",
          .reading = std::move(reading)};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto read_before = std::static_pointer_cast<Reading>(options.reading);
  Reading reading = read_before != nullptr ? std::move(*read_before) : Reader(part).read();
  if (!reading.obstacle.empty()) return {.verdict = Verdict::unknown, .reason = Reason::not_applicable};
  reading.operations.part = &part;  // it may have moved since
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  const auto text = [&](std::uint32_t i) { return part.history->describe(part.operation[i]); };
  if (reading.differ) {
    const auto [a, b] = *reading.differ;
    return {.verdict = Verdict::violation,
            .core = {std::min(a, b), std::max(a, b)},
            .sentence = fmt::format("{} and {} saw different entries at one place", text(a), text(b))};
  }
  algo::CountOrder order = algo::linearize_counting(reading.operations);
  if (!order.blocked) {
    return {.verdict = Verdict::linearizable,
            .witness = options.witness ? std::move(order.order) : std::vector<std::uint32_t>()};
  }
  const std::uint32_t blocked = *order.blocked;
  const bool too_late =
      reading.operations.role[blocked] != CountRole::steps && reading.operations.number[blocked] < order.count;
  algo::CountCore core = algo::count_core(reading.operations, order);
  std::string sentence;
  if (core.nobody_stepped) {
    sentence = fmt::format("{0} shows {1} at place {2}, but nobody appended {1}", text(*core.nobody_stepped),
                           part.history->pool().to_text(reading.entries[order.count]), order.count);
  } else if (too_late) {
    sentence = fmt::format("{} came too late: when it was called, the log had at least {} entr{}", text(blocked),
                           order.count, order.count == 1 ? "y" : "ies");
  } else if (order.count < reading.entries.size() && !reading.entries[order.count].is_none()) {
    sentence = fmt::format("{} needs the entry {} at place {}, but no append of it was called before it returned",
                           text(blocked), part.history->pool().to_text(reading.entries[order.count]), order.count);
  } else {
    sentence = fmt::format("{} came too early: by its return, the log can have had at most {} entr{}", text(blocked),
                           order.count, order.count == 1 ? "y" : "ies");
  }
  return {.verdict = Verdict::violation,
          .core = std::move(core.operations),
          .blocked = core.nobody_stepped.value_or(blocked),
          .sentence = std::move(sentence)};
}

}  // namespace linchpin::types::log_
