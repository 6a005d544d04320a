// Models of the queues of java.util.concurrent: those that keep the order of arrival, the deques, and the heap.
//
// A heap shows the order of its array, which is that of the JDK: the element in a hole changes places with its parent
// or with its lesser child, the left one where both are equal; the last element fills a hole; what removes several
// elements orders the array anew from its middle to its front.
#pragma once

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "generate/models/juc/java.hpp"
#include "generate/models/sequences.hpp"
#include "types/juc/heap.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::generate::juc {

/// The methods that all queues have, of contents in a container with places.
template <class Values>
class QueueModelOf : public JavaModel {
 public:
  using Methods = types::juc::QueueMethods;

  bool enabled(std::uint16_t method, ProcessId) const override {
    switch (method) {
      case Methods::kPut: return room() > 0;
      case Methods::kTake: return !values_.empty();
      case Methods::kPoll:
      case Methods::kRemove:
      case Methods::kPeek:
      case Methods::kElement: return empties() || !values_.empty();
      default: return true;
    }
  }
  void prepare(Step& step, Draw& draw) override {
    switch (step.method) {
      case Methods::kAdd:
      case Methods::kOffer:
      case Methods::kPut: step.takes({draw.value()}); return;
      case Methods::kRemove:
        if (draw.random.chance(0.5)) step.takes({known(draw)});
        return;
      case Methods::kContains: step.takes({known(draw)}); return;
      case Methods::kAddAll: step.takes({collection(draw, [&] { return draw.value(); })}); return;
      case Methods::kRemoveAll:
      case Methods::kRetainAll:
      case Methods::kContainsAll: step.takes({collection(draw, [&] { return known(draw); })}); return;
      default: return;
    }
  }

 protected:
  QueueModelOf(const Plan& plan, ValuePool& pool, std::int64_t capacity) : JavaModel(plan, pool), capacity_(capacity) {}

  /// How many more elements there is room for.
  [[nodiscard]] std::int64_t room() const { return capacity_ - static_cast<std::int64_t>(values_.size()); }
  /// Half the time one that is there.
  [[nodiscard]] Value known(Draw& draw) {
    const bool present = !values_.empty() && draw.random.chance(0.5);
    return present ? Value::integer(values_[draw.random.below(values_.size())]) : draw.known_value();
  }
  [[nodiscard]] Value first() const { return values_.empty() ? Value::nil() : Value::integer(values_.front()); }
  [[nodiscard]] Value or_throw(Value found) { return found.is_nil() ? text(types::juc::kNoSuchElement) : found; }
  [[nodiscard]] bool has(Value value) const {
    return std::find(values_.begin(), values_.end(), value.integer()) != values_.end();
  }
  void look(Step& step) {
    switch (step.method) {
      case Methods::kPeek: step.result = first(); return;
      case Methods::kElement: step.result = or_throw(first()); return;
      case Methods::kContains: step.result = Value::boolean(has(step.arguments[0])); return;
      case Methods::kSize: step.result = number(values_.size()); return;
      case Methods::kIsEmpty: step.result = Value::boolean(values_.empty()); return;
      case Methods::kContainsAll: {
        const auto named = pool().elements_of(step.arguments[0]);
        step.result = Value::boolean(std::all_of(named.begin(), named.end(), [&](Value value) { return has(value); }));
        return;
      }
      default: step.result = text(printed(values_));  // toArray, toString
    }
  }

  std::int64_t capacity_;
  Values values_;
};

template <bool kIsDeque>
class SequenceModel final : public QueueModelOf<std::deque<std::int64_t>> {
 public:
  using Type = types::juc::Sequence<kIsDeque>;
  using Java = types::juc::SequenceMethods;
  static constexpr std::initializer_list<std::uint16_t> observers{
      Java::kPeek,    Java::kElement,  Java::kContains,    Java::kSize,      Java::kIsEmpty,  Java::kRemainingCapacity,
      Java::kToArray, Java::kToString, Java::kContainsAll, Java::kPeekFirst, Java::kPeekLast, Java::kGetFirst,
      Java::kGetLast};
  static constexpr auto methods = [] {
    if constexpr (kIsDeque) {
      return every_method<Java::kDequeMethodCount>(
          {{Java::kOfferFirst, 1}, {Java::kOfferLast, 1}, {Java::kPollFirst, 1}, {Java::kPollLast, 1}}, observers);
    } else {
      return every_method<Java::kQueueMethodCount>({{Java::kOffer, 1}, {Java::kPoll, 1}}, observers);
    }
  }();
  SequenceModel(const Type& type, const Plan& plan, ValuePool& pool)
      : QueueModelOf(plan, pool, type.capacity), always_room_(type.always_room) {}

  bool enabled(std::uint16_t method, ProcessId process) const override {
    if (method == Java::kPutFirst || method == Java::kPutLast) return room() > 0;
    if (method < Java::kPollFirst) return QueueModelOf::enabled(method, process);
    if (method == Java::kTakeFirst || method == Java::kTakeLast) return !values_.empty();
    return empties() || !values_.empty();
  }
  void prepare(Step& step, Draw& draw) override {
    switch (step.method) {
      case Java::kAddFirst:
      case Java::kAddLast:
      case Java::kOfferFirst:
      case Java::kOfferLast:
      case Java::kPutFirst:
      case Java::kPutLast: step.takes({draw.value()}); return;
      case Java::kRemoveFirstOccurrence:
      case Java::kRemoveLastOccurrence: step.takes({known(draw)}); return;
      default: QueueModelOf::prepare(step, draw);
    }
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    switch (step.method) {
      case Java::kAdd:
      case Java::kOffer:
      case Java::kOfferLast:
      case Java::kPut:
      case Java::kPutLast:
      case Java::kAddLast: add(step, false); return;
      case Java::kOfferFirst:
      case Java::kPutFirst:
      case Java::kAddFirst: add(step, true); return;
      case Java::kAddAll: add_all(step); return;
      case Java::kPoll:
      case Java::kPollFirst:
      case Java::kTake:
      case Java::kTakeFirst: step.result = take_first(); return;
      case Java::kTakeLast:
      case Java::kPollLast: step.result = take_last(); return;
      case Java::kRemove:
        step.result = step.count == 1 ? remove(values_.begin(), values_.end(), step) : or_throw(take_first());
        return;
      case Java::kRemoveFirst: step.result = or_throw(take_first()); return;
      case Java::kRemoveLast: step.result = or_throw(take_last()); return;
      case Java::kRemoveFirstOccurrence: step.result = remove(values_.begin(), values_.end(), step); return;
      case Java::kRemoveLastOccurrence: step.result = remove(values_.rbegin(), values_.rend(), step); return;
      case Java::kRemoveAll: filter(values_, step, false); return;
      case Java::kRetainAll: filter(values_, step, true); return;
      case Java::kClear: values_.clear(); return;
      case Java::kRemainingCapacity:
        step.result = Value::integer(always_room_ ? types::juc::kMaxInteger : room());
        return;
      case Java::kPeekFirst: step.result = first(); return;
      case Java::kPeekLast: step.result = last(); return;
      case Java::kGetFirst: step.result = or_throw(first()); return;
      case Java::kGetLast: step.result = or_throw(last()); return;
      default: look(step);
    }
  }

 private:
  [[nodiscard]] Value last() const { return values_.empty() ? Value::nil() : Value::integer(values_.back()); }
  Value take_first() {
    const Value taken = first();
    if (!values_.empty()) values_.pop_front();
    return taken;
  }
  Value take_last() {
    const Value taken = last();
    if (!values_.empty()) values_.pop_back();
    return taken;
  }
  /// One of the methods that add an element: some say whether they did, some throw where there is no room.
  void add(Step& step, bool at_front) {
    const bool fits = room() > 0;
    if (fits && at_front) values_.push_front(step.arguments[0].integer());
    if (fits && !at_front) values_.push_back(step.arguments[0].integer());
    const bool offers =
        step.method == Java::kOffer || step.method == Java::kOfferFirst || step.method == Java::kOfferLast;
    if (offers || (fits && step.method == Java::kAdd)) step.result = Value::boolean(fits);
    if (!fits && !offers) step.result = text(types::juc::kIllegalState);
  }
  /// What was added before there was no more room stays.
  void add_all(Step& step) {
    const auto added = pool().elements_of(step.arguments[0]);
    for (const Value element : added) {
      if (room() <= 0) {
        step.result = text(types::juc::kIllegalState);
        return;
      }
      values_.push_back(element.integer());
    }
    step.result = Value::boolean(!added.empty());
  }
  template <class Iterator>
  Value remove(Iterator begin, Iterator end, const Step& step) {
    const auto found = std::find(begin, end, step.arguments[0].integer());
    const bool present = found != end;
    if (present) {
      if constexpr (std::is_same_v<Iterator, std::deque<std::int64_t>::iterator>) {
        values_.erase(found);
      } else {
        values_.erase(std::next(found).base());
      }
    }
    return Value::boolean(present);
  }

  bool always_room_;
};

class HeapModel final : public QueueModelOf<std::vector<std::int64_t>> {
 public:
  using Type = types::juc::Heap;
  static constexpr auto methods = every_method<Methods::kQueueMethodCount>(
      {{Methods::kOffer, 1}, {Methods::kPoll, 1}},
      {Methods::kPeek, Methods::kElement, Methods::kContains, Methods::kSize, Methods::kIsEmpty,
       Methods::kRemainingCapacity, Methods::kToArray, Methods::kToString, Methods::kContainsAll});
  HeapModel(const Type&, const Plan& plan, ValuePool& pool) : QueueModelOf(plan, pool, types::juc::kMaxInteger) {}

  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    switch (step.method) {
      case Methods::kAdd:
      case Methods::kOffer:
      case Methods::kPut:
        add(step.arguments[0]);
        if (step.method != Methods::kPut) step.result = Value::boolean(true);
        return;
      case Methods::kAddAll: {
        const auto added = pool().elements_of(step.arguments[0]);
        for (const Value element : added) add(element);
        step.result = Value::boolean(!added.empty());
        return;
      }
      case Methods::kPoll:
      case Methods::kTake: step.result = take(); return;
      case Methods::kRemove:
        if (step.count == 0) {
          step.result = or_throw(take());
        } else {
          step.result = Value::boolean(remove(step.arguments[0].integer()));
        }
        return;
      case Methods::kRemoveAll:
      case Methods::kRetainAll:
        filter(values_, step, step.method == Methods::kRetainAll);
        if (step.result.boolean()) {
          for (std::size_t place = values_.size() / 2; place-- > 0;) sink(place);
        }
        return;
      case Methods::kClear: values_.clear(); return;
      case Methods::kRemainingCapacity: step.result = Value::integer(types::juc::kMaxInteger); return;
      default: look(step);
    }
  }

 private:
  void add(Value element) {
    values_.push_back(element.integer());
    rise(values_.size() - 1);
  }
  Value take() {
    const Value taken = first();
    if (!values_.empty()) leave(0);
    return taken;
  }
  bool remove(std::int64_t element) {
    const auto found = std::find(values_.begin(), values_.end(), element);
    if (found == values_.end()) return false;
    leave(static_cast<std::size_t>(found - values_.begin()));
    return true;
  }
  void leave(std::size_t place) {
    std::swap(values_[place], values_.back());
    values_.pop_back();
    if (place < values_.size() && sink(place) == place) rise(place);
  }
  void rise(std::size_t place) {
    for (; place > 0 && values_[place] < values_[(place - 1) / 2]; place = (place - 1) / 2) {
      std::swap(values_[place], values_[(place - 1) / 2]);
    }
  }
  /// Where the element ends.
  std::size_t sink(std::size_t place) {
    while (2 * place + 1 < values_.size()) {
      std::size_t lesser = 2 * place + 1;
      if (lesser + 1 < values_.size() && values_[lesser + 1] < values_[lesser]) ++lesser;
      if (values_[place] <= values_[lesser]) break;
      std::swap(values_[place], values_[lesser]);
      place = lesser;
    }
    return place;
  }
};

}  // namespace linchpin::generate::juc
