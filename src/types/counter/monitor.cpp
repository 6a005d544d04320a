// Decides counter histories in which every change is by the same amount.
//
// The number is the initial one plus some changes, so it only counts up; a change that returned the old or the new
// number is pinned to its place; algo/counting.hpp does the rest. Changes by zero only look. Cost O(n log k). Compare:
// decide/search (any history). Tests: counter_monitor_test.cpp.
#include "types/counter/monitor.hpp"

#include <fmt/format.h>
#include <memory>

#include "algo/counting.hpp"
#include "types/counter/specification.hpp"

namespace linchpin::types::counter {

namespace {

using algo::CountRole;
using algo::kNoCount;
using history::Subhistory;

constexpr std::int64_t kMost = std::int64_t{1} << 60;  // keeps all arithmetic below from overflowing

struct Reading {
  std::string obstacle;  // why the history cannot be read so; empty: it can
  algo::CountOperations operations;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> same;  // two changes that found the same number
};

bool returns_old(std::uint16_t method) {
  return method == Counter::kFetchAndAdd || method == Counter::kFetchAndSubtract;
}
bool returns_new(std::uint16_t method) { return method == Counter::kAddAndGet || method == Counter::kSubtractAndGet; }

/// The amount of all changes; 1 where there are none, nothing where they differ.
std::optional<std::int64_t> amount_of(const Subhistory& part) {
  std::optional<std::int64_t> amount;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const auto change = static_cast<std::int64_t>(Counter::change(part.view(i)));
    if (change == 0) continue;
    if (amount.value_or(change) != change) return std::nullopt;
    amount = change;
  }
  return amount.value_or(1);
}

Reading read(const Subhistory& part, const Counter& specification) {
  Reading reading;
  const std::optional<std::int64_t> found = amount_of(part);
  if (!found) return {.obstacle = "the amounts of the changes differ"};
  const std::int64_t amount = *found;
  const std::int64_t initial = specification.initial_value;
  if (initial > kMost / 2 || initial < -(kMost / 2) || amount > kMost >> 32 || amount < -(kMost >> 32)) {
    return {.obstacle = "the numbers are too big"};
  }
  algo::CountOperations& operations = reading.operations;
  operations.part = &part;
  operations.role.assign(part.size(), CountRole::steps);
  operations.number.assign(part.size(), 0);
  /// The number of changes after which the counter shows `number`.
  const auto changes_to = [&](std::int64_t number) {
    if (number > kMost || number < -kMost) return kNoCount;
    const std::int64_t distance = number - initial;
    if (distance % amount != 0 || distance / amount < 0 || distance / amount > part.size()) return kNoCount;
    return static_cast<std::uint32_t>(distance / amount);
  };
  std::vector<std::uint32_t> pins(part.size() + 1, kNoCount);
  std::uint32_t pinned = 0;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const Operation operation = part.view(i);
    const std::uint16_t method = part.method[i];
    const bool looks = Counter::change(operation) == 0;
    const bool tells = method == Counter::kRead || returns_old(method) || returns_new(method);
    if (!tells && !operation.acknowledged(0))
      return {
          .obstacle = fmt::format("{} did not succeed", part.history->describe(part.operation[i])),
      };
    if (part.pending(i) && !operation.result_unknown() && tells) {
      return {
          .obstacle = fmt::format("{} is pending with a result", part.history->describe(part.operation[i])),
      };
    }
    if (looks && part.pending(i)) {
      operations.role[i] = CountRole::ignored;
      continue;
    }
    if (!tells || operation.result_unknown()) {
      if (looks) operations.role[i] = CountRole::free;
      continue;
    }
    if (!is_integer(operation.result)) {
      return {
          .obstacle = fmt::format("{} returned no number", part.history->describe(part.operation[i])),
      };
    }
    std::int64_t number = operation.pool->integer_of(operation.result);
    if (looks) {
      operations.role[i] = CountRole::sees_exactly;
      operations.number[i] = changes_to(number);
      continue;
    }
    if (returns_new(method) && number >= -kMost && number <= kMost) number -= amount;
    const std::uint32_t place = changes_to(number);
    if (place == kNoCount) {
      // No number of changes leads there: it can never take effect, like a look at a number that is never shown.
      operations.role[i] = CountRole::sees_exactly;
      operations.number[i] = kNoCount;
      continue;
    }
    if (pins[place] != kNoCount) {
      reading.same = std::pair(pins[place], i);
      return reading;
    }
    pins[place] = i;
    pinned = std::max(pinned, place + 1);
    operations.number[i] = operations.classes++;
  }
  operations.pinned_by.assign(pins.begin(), pins.begin() + pinned);
  for (const std::uint32_t pin : operations.pinned_by) {
    operations.class_of_step.push_back(pin == kNoCount ? 0 : operations.number[pin]);
  }
  return reading;
}

}  // namespace

core::Applicability applicable(const Subhistory& part) {
  const auto* const specification = part.specification->get_if<Counter>();
  if (specification == nullptr) return core::not_of_this_type("not a counter");
  auto reading = std::make_shared<Reading>(read(part, *specification));
  if (!reading->obstacle.empty()) return {false, std::move(reading->obstacle)};
  return {.applies = true, .why = "all changes are by the same amount", .reading = std::move(reading)};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto read = core::reading_of<Reading>(part, options, applicable);
  if (read == nullptr) return core::not_applicable();
  Reading& reading = *read;
  reading.operations.part = &part;  // it may have moved since
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  const auto text = [&](std::uint32_t i) { return part.history->describe(part.operation[i]); };
  if (reading.same) {
    const auto [a, b] = *reading.same;
    return {.verdict = Verdict::violation,
            .core = {std::min(a, b), std::max(a, b)},
            .sentence = fmt::format("{} and {} found the same number, which never comes back", text(a), text(b))};
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
  const bool never =
      reading.operations.role[blocked] == CountRole::sees_exactly && reading.operations.number[blocked] == kNoCount;
  if (never) {
    sentence = fmt::format("{} tells a number to which these changes do not lead, however many of them took effect",
                           text(blocked));
  } else if (core.contradiction) {
    const auto [first, then] = *core.contradiction;
    sentence = fmt::format("{} returned before {} was called, but the counter only counts {}", text(first), text(then),
                           amount_of(part).value_or(1) > 0 ? "up" : "down");
  } else {
    const std::string times = fmt::format("{} time{}", order.count, order.count == 1 ? "" : "s");
    sentence = too_late ? fmt::format("{} came too late: when it was called, the counter had been changed at least {}",
                                      text(blocked), times)
                        : fmt::format("{} came too early: by its return, the counter can have been changed at most {}",
                                      text(blocked), times);
  }
  return {.verdict = Verdict::violation,
          .core = std::move(core.operations),
          .blocked = blocked,
          .sentence = std::move(sentence)};
}

}  // namespace linchpin::types::counter
