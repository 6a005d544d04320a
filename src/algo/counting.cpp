#include "algo/counting.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "algo/count_shares.hpp"
#include "algo/skew_heaps.hpp"
#include "base/none.hpp"

namespace linchpin::algo {

namespace {

using history::Rank;

class CountGreedy {
 public:
  explicit CountGreedy(const CountOperations& operations)
      : operations_(operations),
        part_(*operations.part),
        heaps_(part_.response),
        classes_(operations.classes, kNone),
        next_(part_.size(), kNone),
        done_(part_.size(), false) {
    const auto steps = std::count(operations.role.begin(), operations.role.end(), CountRole::steps);
    waiting_.assign(static_cast<std::size_t>(steps) + 1, kNone);
    result_.order.reserve(part_.size());
    if (operations.shared) shares_.emplace(operations);
  }

  CountOrder run() {
    enter();
    for (const history::Event event : part_.events()) {
      const std::uint32_t i = event.operation();
      if (operations_.role[i] == CountRole::ignored) continue;
      const bool fine = event.is_response() ? done_[i] || finish(i) : call(i);
      if (fine) continue;
      result_.blocked = i;
      break;
    }
    result_.count = count_;
    return std::move(result_);
  }

 private:
  void emit(std::uint32_t i) {
    done_[i] = true;
    result_.order.push_back(i);
  }

  bool call(std::uint32_t i) {
    const std::uint32_t number = operations_.number[i];
    switch (operations_.role[i]) {
      case CountRole::steps:
        heaps_.push(classes_[any_ ? 0 : number], i);
        if (shares_ && !any_) shares_->called(number);
        return true;
      case CountRole::sees_exactly:
      case CountRole::sees_at_least:
        if (count_ > number && operations_.role[i] == CountRole::sees_exactly) return false;
        if (count_ >= number) {
          emit(i);
        } else if (number < waiting_.size()) {
          next_[i] = waiting_[number];
          waiting_[number] = i;
        }
        return true;
      case CountRole::sees_at_most:
        if (count_ > number) return false;
        emit(i);
        return true;
      default: emit(i); return true;
    }
  }

  bool finish(std::uint32_t i) {
    while (!done_[i]) {
      std::uint32_t number = any_ ? 0 : operations_.class_of_step[count_];
      if (shares_ && !any_) {
        if (number != 0) {
          shares_->stepped(number);
        } else if (classes_[0] == kNone) {
          number = shares_->give([&](std::uint32_t other) { return classes_[other] != kNone; });
          if (number == kNoCount) return false;
        }
      }
      std::uint32_t& heap = classes_[number];
      if (heap == kNone) return false;
      emit(heaps_.pop(heap));
      ++count_;
      enter();
    }
    return true;
  }

  /// Serves those that waited for this count; past the pinned steps all operations are alike.
  void enter() {
    std::uint32_t& list = waiting_[count_];
    for (std::uint32_t i = list; i != kNone; i = next_[i]) emit(i);
    list = kNone;
    if (any_ || count_ < operations_.class_of_step.size()) return;
    any_ = true;
    for (std::size_t each = 1; each < classes_.size(); ++each) classes_[0] = heaps_.merge(classes_[0], classes_[each]);
  }

  const CountOperations& operations_;
  const history::Subhistory& part_;
  SkewHeaps heaps_;
  std::vector<std::uint32_t> classes_;  // heaps of open steps, by class
  std::vector<std::uint32_t> waiting_;  // lists through next_, by count
  std::vector<std::uint32_t> next_;     // by operation
  std::vector<bool> done_;              // by operation
  std::optional<CountShares> shares_;   // where classes give away members
  std::uint32_t count_ = 0;
  bool any_ = false;
  CountOrder result_;
};

/// Whether the given operations, alone, block at the same one, no further than before.
bool blocks_again(const CountOperations& all, const std::vector<std::uint32_t>& locals, const CountOrder& before) {
  const history::Subhistory part = history::restrict(*all.part, locals);
  CountOperations some = all;
  some.part = &part;
  some.role.clear();
  some.number.clear();
  for (const std::uint32_t local : locals) {
    some.role.push_back(all.role[local]);
    some.number.push_back(all.number[local]);
  }
  const CountOrder order = linearize_counting(some);
  return order.blocked && locals[*order.blocked] == *before.blocked && order.count <= before.count;
}

bool looks(CountRole role) { return role != CountRole::steps; }

/// What two operations alone can contradict: the count only grows.
class Contradictions {
 public:
  Contradictions(const CountOperations& operations, const CountOrder& order)
      : operations_(operations), part_(*operations.part), order_(order) {
    std::vector<std::uint32_t> members(operations.classes, 0);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (operations.role[i] == CountRole::steps) ++members[operations.number[i]];
    }
    step_of_class_.assign(operations.classes, kNoCount);
    std::vector<std::uint32_t> steps(operations.classes, 0);
    for (std::uint32_t k = 0; k < operations.class_of_step.size(); ++k) {
      const std::uint32_t each = operations.class_of_step[k];
      if (operations.pinned_by[k] == kNoCount) continue;
      step_of_class_[each] = ++steps[each] == 1 && members[each] <= 1 ? k : kNoCount;
      if (k == order.count && members[each] == 0) nobody_steps_ = true;
    }
  }

  std::optional<CountCore> find() const {
    const std::uint32_t blocked = *order_.blocked;
    const CountRole role = operations_.role[blocked];
    const bool sees = role == CountRole::sees_exactly || role == CountRole::sees_at_least;
    if (sees && operations_.number[blocked] == kNoCount) return alone(blocked);
    if (nobody_steps_) {  // but somebody saw that step
      CountCore core = alone(operations_.pinned_by[order_.count]);
      core.nobody_stepped = core.operations[0];
      return core;
    }
    const std::int64_t least = least_after(blocked), most = most_before(blocked);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (part_.response[i] < part_.call[blocked] && least_after(i) > most) return pair(i, blocked);
      if (part_.call[i] > part_.response[blocked] && least > most_before(i)) return pair(blocked, i);
    }
    return std::nullopt;
  }

 private:
  /// The step that the operation makes, where that is certain.
  [[nodiscard]] std::uint32_t step_of(std::uint32_t i) const { return step_of_class_[operations_.number[i]]; }

  /// What had been counted at least when the operation had taken effect.
  [[nodiscard]] std::int64_t least_after(std::uint32_t i) const {
    switch (operations_.role[i]) {
      case CountRole::steps: return step_of(i) == kNoCount ? 0 : std::int64_t{step_of(i)} + 1;
      case CountRole::sees_exactly:
      case CountRole::sees_at_least: return operations_.number[i] == kNoCount ? 0 : operations_.number[i];
      default: return 0;
    }
  }

  /// What had been counted at most when it took effect.
  [[nodiscard]] std::int64_t most_before(std::uint32_t i) const {
    switch (operations_.role[i]) {
      case CountRole::steps: return step_of(i);
      case CountRole::sees_exactly:
      case CountRole::sees_at_most: return operations_.number[i];
      default: return kNoCount;
    }
  }

  [[nodiscard]] static CountCore alone(std::uint32_t i) {
    return {.operations = {i}, .contradiction = std::nullopt, .nobody_stepped = std::nullopt};
  }
  [[nodiscard]] CountCore with_pin(std::uint32_t step, CountCore core) const {
    core.operations.push_back(operations_.pinned_by[step]);
    std::sort(core.operations.begin(), core.operations.end());
    core.operations.erase(std::unique(core.operations.begin(), core.operations.end()), core.operations.end());
    return core;
  }
  [[nodiscard]] CountCore with_pin_of(std::uint32_t i, CountCore core) const {
    const bool pinned = operations_.role[i] == CountRole::steps && step_of(i) != kNoCount;
    return pinned ? with_pin(step_of(i), std::move(core)) : core;
  }
  [[nodiscard]] CountCore pair(std::uint32_t first, std::uint32_t then) const {
    CountCore core{.operations = {std::min(first, then), std::max(first, then)},
                   .contradiction = std::pair(first, then),
                   .nobody_stepped = std::nullopt};
    return with_pin_of(first, with_pin_of(then, std::move(core)));
  }

  const CountOperations& operations_;
  const history::Subhistory& part_;
  const CountOrder& order_;
  std::vector<std::uint32_t> step_of_class_;  // of classes of one operation that make one step; else kNoCount
  bool nobody_steps_ = false;                 // there is no operation for the step at which it is blocked
};

}  // namespace

CountOrder linearize_counting(const CountOperations& operations) { return CountGreedy(operations).run(); }

CountCore count_core(const CountOperations& operations, const CountOrder& order) {
  const history::Subhistory& part = *operations.part;
  const std::uint32_t blocked = *order.blocked;
  if (std::optional<CountCore> found = Contradictions(operations, order).find()) return std::move(*found);
  if (operations.shared) {  // what may be given away depends on all that comes later
    std::vector<std::uint32_t> all(part.size());
    std::iota(all.begin(), all.end(), 0);
    return {.operations = std::move(all), .contradiction = std::nullopt, .nobody_stepped = std::nullopt};
  }
  // All that was called until it blocked, and what pins the steps up to there or keeps these operations for later.
  const bool at_call = std::find(order.order.begin(), order.order.end(), blocked) == order.order.end() &&
                       operations.role[blocked] != CountRole::steps && operations.number[blocked] < order.count;
  const Rank until = at_call ? part.call[blocked] : part.response[blocked];
  std::vector<bool> pins(part.size(), false), present(operations.classes, false);
  for (std::uint32_t i = 0; i < part.size() && part.call[i] <= until; ++i) {
    if (operations.role[i] == CountRole::steps) present[operations.number[i]] = true;
  }
  for (std::uint32_t k = 0; k < operations.pinned_by.size(); ++k) {
    const bool matters = k <= order.count || present[operations.class_of_step[k]];
    if (matters && operations.pinned_by[k] != kNoCount) pins[operations.pinned_by[k]] = true;
  }
  std::vector<std::uint32_t> core, fewer;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const bool pin = pins[i] || i == blocked;
    if (operations.role[i] == CountRole::ignored || (part.call[i] > until && !pin)) continue;
    core.push_back(i);
    if (pin || !looks(operations.role[i])) fewer.push_back(i);
  }
  return {.operations = blocks_again(operations, fewer, order) ? std::move(fewer) : std::move(core),
          .contradiction = std::nullopt,
          .nobody_stepped = std::nullopt};
}

}  // namespace linchpin::algo
