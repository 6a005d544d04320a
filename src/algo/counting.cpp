#include "algo/counting.hpp"

#include <algorithm>

#include "algo/skew_heaps.hpp"

namespace linchpin::algo {

namespace {

using history::Rank;

constexpr std::uint32_t kNoOne = SkewHeaps::kEmpty;

class CountGreedy {
 public:
  explicit CountGreedy(const CountOperations& operations)
      : operations_(operations),
        part_(*operations.part),
        heaps_(part_.response),
        classes_(operations.classes, kNoOne),
        next_(part_.size(), kNoOne),
        done_(part_.size(), false) {
    const auto steps = std::count(operations.role.begin(), operations.role.end(), CountRole::steps);
    waiting_.assign(static_cast<std::size_t>(steps) + 1, kNoOne);
    result_.order.reserve(part_.size());
  }

  CountOrder run() {
    enter();
    for (const history::Event event : part_.events) {
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
      case CountRole::steps: heaps_.push(classes_[any_ ? 0 : number], i); return true;
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
      std::uint32_t& heap = classes_[any_ ? 0 : operations_.class_of_step[count_]];
      if (heap == kNoOne) return false;
      emit(heaps_.pop(heap));
      ++count_;
      enter();
    }
    return true;
  }

  /// Serves those that waited for this count; past the pinned steps all operations are alike.
  void enter() {
    std::uint32_t& list = waiting_[count_];
    for (std::uint32_t i = list; i != kNoOne; i = next_[i]) emit(i);
    list = kNoOne;
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

/// A look that returned before the blocked one was called and saw more: these two contradict each other.
std::optional<std::uint32_t> saw_more(const CountOperations& operations, std::uint32_t blocked) {
  const history::Subhistory& part = *operations.part;
  const CountRole role = operations.role[blocked];
  if (role != CountRole::sees_exactly && role != CountRole::sees_at_most) return std::nullopt;
  if (operations.number[blocked] == kNoCount) return std::nullopt;
  for (std::uint32_t i = 0; i < part.size() && part.call[i] < part.call[blocked]; ++i) {
    const bool sees = operations.role[i] == CountRole::sees_exactly || operations.role[i] == CountRole::sees_at_least;
    if (sees && operations.number[i] != kNoCount && operations.number[i] > operations.number[blocked] &&
        part.response[i] < part.call[blocked]) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

CountOrder linearize_counting(const CountOperations& operations) { return CountGreedy(operations).run(); }

std::vector<std::uint32_t> count_core(const CountOperations& operations, const CountOrder& order) {
  const history::Subhistory& part = *operations.part;
  const std::uint32_t blocked = *order.blocked;
  if (const auto earlier = saw_more(operations, blocked))
    return {std::min(*earlier, blocked), std::max(*earlier, blocked)};
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
  return blocks_again(operations, fewer, order) ? fewer : core;
}

}  // namespace linchpin::algo
