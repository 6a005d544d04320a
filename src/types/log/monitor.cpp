// Decides append-only log histories.
//
// The log only counts up, and the step to each place that is known is pinned to the append that says so, or to the
// appends of the entry that was seen there (reading.hpp, algo/counting.hpp). A get that returned nil says that the log
// is no longer. Entries may repeat. Precondition: no put; where an entry is appended more often than it was seen and
// there are places that nobody saw, all appends that do not say where they are are pending. Cost O(n log k + length of
// all results). Compare: places.cpp (what the precondition leaves out), decide/search (any history). Tests:
// log_monitor_test.cpp.
#include "types/log/monitor.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "algo/counting.hpp"
#include "types/log/narrow_windows.hpp"
#include "types/log/reading.hpp"
#include "types/log/specification.hpp"

namespace linchpin::types::log_ {

using algo::CountRole;
using history::Subhistory;

namespace {

constexpr std::size_t kFewInCore = 4;

}  // namespace

core::Applicability applicable(const Subhistory& part) {
  if (part.specification->get_if<Log>() == nullptr) return core::not_of_this_type("not a log");
  auto reading = std::make_shared<Reading>(read(part));
  if (!reading->obstacle.empty()) return {false, std::move(reading->obstacle)};
  if (reading->shared && reading->untold) {
    return {false, "an entry is appended more often than it was seen, and there are places that nobody saw"};
  }
  reading->operations.shared = reading->shared;
  return {.applies = true,
          .why = "entries are only appended, and what was read says where they are",
          .reading = std::move(reading)};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto read = core::reading_of<Reading>(part, options, applicable);
  if (read == nullptr) return core::not_applicable();
  Reading& reading = *read;
  reading.operations.part = &part;  // it may have moved since
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  const auto text = [&](std::uint32_t i) { return part.history->describe(part.operation[i]); };
  if (!reading.impossible.empty()) {
    std::sort(reading.impossible.begin(), reading.impossible.end());
    return {
        .verdict = Verdict::violation, .core = std::move(reading.impossible), .sentence = std::move(reading.sentence)};
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
  if (core.operations.size() > kFewInCore) {
    std::optional<Contradiction> window = find_narrow_window(reading, budget);
    if (window && window->operations.size() < core.operations.size()) {
      return {.verdict = Verdict::violation,
              .core = std::move(window->operations),
              .sentence = std::move(window->sentence)};
    }
  }
  std::string sentence;
  if (core.nobody_stepped) {
    sentence = fmt::format("{} shows {} at place {}, but nobody had appended it there", text(*core.nobody_stepped),
                           part.history->pool().to_text(reading.entries[order.count]), order.count);
  } else if (too_late) {
    sentence = fmt::format("{} came too late: when it was called, the log had at least {} entr{}", text(blocked),
                           order.count, order.count == 1 ? "y" : "ies");
  } else if (order.count < reading.entries.size() && !reading.entries[order.count].is_none()) {
    sentence = fmt::format(
        "{} needs the entry {} at place {}, but no append that can have put it there was called before it returned",
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
