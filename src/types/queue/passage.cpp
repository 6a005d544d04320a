// From an order of values to an order of operations; see values.hpp.
//
// The order of values is a topological sort of two relations, Y(a) < X(b) (a is enqueued first) and m(a) < M(b) (a is
// at the front first), made by two pointers over the events and no graph: the first stops at the Y of a value that is
// still there, the second at the second m of values still there; all values whose X, or M, was passed are free. Cost
// O(n). Tests: queue_monitor_test.cpp.
#include <algorithm>
#include <cassert>
#include <utility>

#include "types/queue/values.hpp"

namespace linchpin::types::queue {

namespace {

class Sweep {
 public:
  explicit Sweep(const Values& values)
      : values_(values), events_(values.part->events()), flags_(values.ranks.size(), 0) {
    for (const ValueRanks& value : values_.ranks) remaining_ += value.enqueue != kNone ? 1 : 0;
    order_.reserve(remaining_);
  }

  std::vector<ValueNumber> run() {
    while (remaining_ > 0) {
      advance_enqueues();
      advance_fronts();
      assert(!ready_.empty());
      const ValueNumber value = ready_.back();
      ready_.pop_back();
      remove(value);
    }
    return std::move(order_);
  }

 private:
  enum : std::uint8_t { kEnqueueFree = 1, kFrontFree = 2, kGone = 4 };

  void set(ValueNumber value, std::uint8_t flag) {
    flags_[value] |= flag;
    if (flags_[value] == (kEnqueueFree | kFrontFree)) ready_.push_back(value);
  }

  void advance_enqueues() {
    for (; first_ < events_.size(); ++first_) {
      const std::uint32_t operation = events_[first_].operation();
      const ValueNumber value = values_.value_of[operation];
      if (value == ValueNumber::none()) continue;
      const ValueRanks& ranks = values_.ranks[value];
      if (!events_[first_].is_response()) {
        if (ranks.enqueue_call != first_) continue;
        set(value, kEnqueueFree);
      } else if (ranks.first_response == first_ && (flags_[value] & kGone) == 0) {
        return;
      }
    }
  }

  void pass_last_call(ValueNumber value) {
    if (front_ == ValueNumber::none() || front_ == value) {
      set(value, kFrontFree);
    } else {
      delayed_.push_back(value);
    }
  }

  void advance_fronts() {
    for (; second_ < events_.size(); ++second_) {
      const ValueNumber value = values_.value_of[events_[second_].operation()];
      if (value == ValueNumber::none() || (flags_[value] & kGone) != 0) continue;
      const ValueRanks& ranks = values_.ranks[value];
      if (!events_[second_].is_response()) {
        if (ranks.last_call == second_) pass_last_call(value);
      } else if (ranks.first_seen == second_) {
        if (front_ != ValueNumber::none()) return;
        front_ = value;
      }
    }
    if (ended_) return;
    ended_ = true;
    for (const ValueNumber value : values_.left) pass_last_call(value);
  }

  void remove(ValueNumber value) {
    flags_[value] |= kGone;
    --remaining_;
    order_.push_back(value);
    if (front_ != value) return;
    front_ = ValueNumber::none();
    // At most the next front value can be passed before these: it is found by the next advance.
    std::vector<ValueNumber> released;
    released.swap(delayed_);
    for (const ValueNumber each : released) set(each, kFrontFree);
  }

  const Values& values_;
  const history::ByRank<history::Event>& events_;
  algo::ByValue<std::uint8_t> flags_;
  std::vector<ValueNumber> ready_;    // free in both relations
  std::vector<ValueNumber> delayed_;  // free as soon as front_ has gone
  std::size_t remaining_ = 0;
  Rank first_ = 0, second_ = 0;              // the pointers
  ValueNumber front_ = ValueNumber::none();  // still there, with the least m
  bool ended_ = false;                       // second_ has passed the end
  std::vector<ValueNumber> order_;
};

/// The completed peeks, grouped by value, each group by call.
struct PeeksByValue {
  std::vector<std::uint32_t> begin, operations;

  explicit PeeksByValue(const Values& values) {
    if (values.peeks == 0) return;
    begin.assign(values.ranks.size() + 1, 0);
    const auto is_peek = [&](std::uint32_t i) {
      const ValueNumber value = values.value_of[i];
      return value != ValueNumber::none() && values.ranks[value].enqueue != i && values.ranks[value].dequeue != i;
    };
    const std::uint32_t count = values.part->size();
    for (std::uint32_t i = 0; i < count; ++i) {
      if (is_peek(i)) ++begin[values.value_of[i].number() + 1];
    }
    for (std::size_t value = 1; value < begin.size(); ++value) begin[value] += begin[value - 1];
    operations.resize(begin.back());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (is_peek(i)) operations[next[values.value_of[i].number()]++] = i;
    }
  }
};

/// Sorts the values, stably, by the number of chosen gaps before their last call.
void sort_by_segment(const Values& values, std::vector<ValueNumber>& order, const std::vector<Rank>& gaps,
                     algo::ByValue<std::uint32_t>& segment_of) {
  history::ByRank<std::uint32_t> gaps_before(values.end + 2, 0);
  for (const Rank gap : gaps) ++gaps_before[gap + 1];
  for (Rank rank = 1; rank < gaps_before.size(); ++rank) gaps_before[rank] += gaps_before[rank - 1];
  std::vector<std::uint32_t> start(gaps.size() + 2, 0);
  segment_of.resize(values.ranks.size());
  for (const ValueNumber value : order) {
    segment_of[value] = gaps_before[values.ranks[value].last_call];
    ++start[segment_of[value] + 1];
  }
  for (std::size_t segment = 1; segment < start.size(); ++segment) start[segment] += start[segment - 1];
  std::vector<ValueNumber> sorted(order.size());
  for (const ValueNumber value : order) sorted[start[segment_of[value]]++] = value;
  order = std::move(sorted);
}

/// What is the same for all rows of operations that are merged.
struct Passage {
  const Values& values;
  std::vector<ValueNumber> order;           // of the values
  std::vector<Rank> gaps;                   // at which the queue is empty, ascending
  algo::ByValue<std::uint32_t> segment_of;  // where there are gaps: how many precede it
  PeeksByValue peeks;
};

// A row of operations in their order, each as early as that allows. Even moments are events, 2g + 1 is the gap after
// event g. Nothing is kept of what was passed, so a row costs no memory.

class Enqueues {
 public:
  explicit Enqueues(const Passage& passage) : passage_(passage) { settle(); }
  [[nodiscard]] bool done() const { return next_ == passage_.order.size(); }
  [[nodiscard]] std::uint64_t moment() const { return moment_; }
  [[nodiscard]] ValueNumber value() const { return passage_.order[next_]; }
  [[nodiscard]] std::uint32_t operation() const { return passage_.values.ranks[value()].enqueue; }
  void advance() {
    ++next_;
    settle();
  }

 private:
  void settle() {
    if (done()) return;
    moment_ = std::max(moment_, std::uint64_t{passage_.values.ranks[value()].enqueue_call.number()} * 2);
    if (passage_.gaps.empty() || passage_.segment_of[value()] == 0) return;
    moment_ = std::max(moment_, std::uint64_t{passage_.gaps[passage_.segment_of[value()] - 1].number()} * 2 + 1);
  }

  const Passage& passage_;
  std::size_t next_ = 0;
  std::uint64_t moment_ = 0;
};

/// The operations that see a value at the front: its peeks, then its dequeue.
class Removals {
 public:
  explicit Removals(const Passage& passage) : passage_(passage), of_(passage) {
    if (!of_.done()) enter();
    settle();
  }
  [[nodiscard]] bool done() const { return of_.done(); }
  [[nodiscard]] std::uint64_t moment() const { return moment_; }
  [[nodiscard]] std::uint32_t operation() const { return operation_; }
  void advance() { settle(); }

 private:
  /// The value is enqueued before anything sees it.
  void enter() {
    const std::vector<std::uint32_t>& begin = passage_.peeks.begin;
    next_peek_ = begin.empty() ? 0 : begin[of_.value().number()];
    last_peek_ = begin.empty() ? 0 : begin[of_.value().number() + 1];
    dequeue_ = passage_.values.ranks[of_.value()].dequeue;
    moment_ = std::max(moment_, of_.moment());
  }
  void settle() {
    while (!of_.done()) {
      operation_ = next_peek_ < last_peek_ ? passage_.peeks.operations[next_peek_++] : std::exchange(dequeue_, kNone);
      if (operation_ != kNone) {
        moment_ = std::max(moment_, std::uint64_t{passage_.values.part->call[operation_].number()} * 2);
        return;
      }
      of_.advance();
      if (!of_.done()) enter();
    }
  }

  const Passage& passage_;
  Enqueues of_;
  std::uint32_t next_peek_ = 0, last_peek_ = 0;
  std::uint32_t dequeue_ = kNone;
  std::uint32_t operation_ = kNone;
  std::uint64_t moment_ = 0;
};

}  // namespace

std::vector<ValueNumber> find_passage(const Values& values) { return Sweep(values).run(); }

std::vector<std::uint32_t> linearize(const Values& values, std::vector<ValueNumber> order,
                                     const std::vector<PlacedEmpty>& empties) {
  Passage passage{values, std::move(order), {}, {}, PeeksByValue(values)};
  for (const PlacedEmpty& empty : empties) {
    if (passage.gaps.empty() || passage.gaps.back() != empty.gap) passage.gaps.push_back(empty.gap);
  }
  if (!passage.gaps.empty()) sort_by_segment(values, passage.order, passage.gaps, passage.segment_of);
  std::vector<std::uint32_t> result;
  result.reserve(2 * passage.order.size() + values.peeks + empties.size());
  Enqueues enqueues(passage);
  Removals removals(passage);
  std::size_t next_empty = 0;
  constexpr std::uint64_t kNever = ~std::uint64_t{0};
  while (true) {
    const std::uint64_t enqueue = enqueues.done() ? kNever : enqueues.moment();
    const std::uint64_t removal = removals.done() ? kNever : removals.moment();
    const std::uint64_t empty =
        next_empty < empties.size() ? std::uint64_t{empties[next_empty].gap.number()} * 2 + 1 : kNever;
    if (empty != kNever && empty <= enqueue && empty <= removal) {
      result.push_back(empties[next_empty++].operation);
    } else if (enqueue != kNever && enqueue <= removal) {
      result.push_back(enqueues.operation());
      enqueues.advance();
    } else if (removal != kNever) {
      result.push_back(removals.operation());
      removals.advance();
    } else {
      return result;
    }
  }
}

}  // namespace linchpin::types::queue
