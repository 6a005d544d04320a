// Models of the set and the maps of java.util.concurrent, which show what they have in ascending order.
#pragma once

#include <iterator>
#include <map>
#include <set>

#include "generate/models/juc/java.hpp"
#include "generate/models/sequences.hpp"
#include "types/juc/maps.hpp"
#include "types/juc/sorted_set.hpp"

namespace linchpin::generate::juc {

/// What the ascending set and the ascending map share: where an argument stands among the elements or keys.
template <class Container>
class SortedModel : public JavaModel {
 protected:
  using Iterator = typename Container::const_iterator;
  using JavaModel::JavaModel;

  static std::int64_t key_of(std::int64_t element) { return element; }
  static std::int64_t key_of(const std::pair<const std::int64_t, std::int64_t>& entry) { return entry.first; }

  [[nodiscard]] Value at(Iterator place) const {
    return place == contents_.end() ? Value::nil() : Value::integer(key_of(*place));
  }
  [[nodiscard]] Value before(Iterator place) const {
    return place == contents_.begin() ? Value::nil() : Value::integer(key_of(*std::prev(place)));
  }
  [[nodiscard]] Value lower(const Step& step) const { return before(contents_.lower_bound(wanted(step))); }
  [[nodiscard]] Value floor(const Step& step) const { return before(contents_.upper_bound(wanted(step))); }
  [[nodiscard]] Value ceiling(const Step& step) const { return at(contents_.lower_bound(wanted(step))); }
  [[nodiscard]] Value higher(const Step& step) const { return at(contents_.upper_bound(wanted(step))); }
  [[nodiscard]] Value least() const { return at(contents_.begin()); }
  [[nodiscard]] Value greatest() const { return before(contents_.end()); }
  [[nodiscard]] Value or_throw(Value found) { return found.is_nil() ? text(types::juc::kNoSuchElement) : found; }
  [[nodiscard]] static std::int64_t wanted(const Step& step) { return step.arguments[0].integer(); }

  Container contents_;
};

class SortedSetModel final : public SortedModel<std::set<std::int64_t>> {
 public:
  using Type = types::juc::SortedSet;
  static constexpr auto methods =
      every_method<Type::methods.size()>({{Type::kAdd, 1}, {Type::kRemove, 1}},
                                         {Type::kContains, Type::kFirst, Type::kLast, Type::kLower, Type::kFloor,
                                          Type::kCeiling, Type::kHigher, Type::kHeadSet, Type::kTailSet, Type::kSize,
                                          Type::kIsEmpty, Type::kToArray, Type::kToString, Type::kContainsAll});
  SortedSetModel(const Type&, const Plan& plan, ValuePool& pool) : SortedModel(plan, pool) {}

  bool enabled(std::uint16_t method, ProcessId) const override {
    const bool removes = method == Type::kRemove || (method >= Type::kPollFirst && method <= Type::kLast);
    return empties() || !removes || !contents_.empty();
  }
  void prepare(Step& step, Draw& draw) override {
    switch (step.method) {
      case Type::kAdd: step.takes({draw.value()}); return;
      case Type::kRemove: step.takes({empties() ? known(draw) : present(draw)}); return;
      case Type::kContains:
      case Type::kLower:
      case Type::kFloor:
      case Type::kCeiling:
      case Type::kHigher:
      case Type::kHeadSet:
      case Type::kTailSet: step.takes({known(draw)}); return;
      case Type::kAddAll: step.takes({collection(draw, [&] { return draw.value(); })}); return;
      case Type::kRemoveAll:
      case Type::kRetainAll:
      case Type::kContainsAll: step.takes({collection(draw, [&] { return known(draw); })}); return;
      default: return;
    }
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    switch (step.method) {
      case Type::kAdd: step.result = Value::boolean(contents_.insert(wanted(step)).second); return;
      case Type::kRemove: step.result = Value::boolean(contents_.erase(wanted(step)) > 0); return;
      case Type::kContains: step.result = Value::boolean(contents_.contains(wanted(step))); return;
      case Type::kPollFirst:
        step.result = least();
        if (!contents_.empty()) contents_.erase(contents_.begin());
        return;
      case Type::kPollLast:
        step.result = greatest();
        if (!contents_.empty()) contents_.erase(std::prev(contents_.end()));
        return;
      case Type::kFirst: step.result = or_throw(least()); return;
      case Type::kLast: step.result = or_throw(greatest()); return;
      case Type::kLower: step.result = lower(step); return;
      case Type::kFloor: step.result = floor(step); return;
      case Type::kCeiling: step.result = ceiling(step); return;
      case Type::kHigher: step.result = higher(step); return;
      case Type::kHeadSet: step.result = shown(contents_.begin(), contents_.lower_bound(wanted(step))); return;
      case Type::kTailSet: step.result = shown(contents_.lower_bound(wanted(step)), contents_.end()); return;
      case Type::kSize: step.result = number(contents_.size()); return;
      case Type::kIsEmpty: step.result = Value::boolean(contents_.empty()); return;
      case Type::kClear: contents_.clear(); return;
      case Type::kAddAll: {
        const std::size_t before = contents_.size();
        for (const Value element : pool().elements_of(step.arguments[0])) contents_.insert(element.integer());
        step.result = Value::boolean(contents_.size() > before);
        return;
      }
      case Type::kRemoveAll: filter(contents_, step, false); return;
      case Type::kRetainAll: filter(contents_, step, true); return;
      case Type::kContainsAll: {
        const auto named = pool().elements_of(step.arguments[0]);
        step.result = Value::boolean(
            std::all_of(named.begin(), named.end(), [&](Value value) { return contents_.contains(value.integer()); }));
        return;
      }
      default: step.result = shown(contents_.begin(), contents_.end());  // toArray, toString
    }
  }

 private:
  /// One that is there: the first from a place drawn at random. @pre not empty
  [[nodiscard]] Value present(Draw& draw) const {
    const auto found = contents_.lower_bound(draw.known_value().integer());
    return found == contents_.end() ? least() : at(found);
  }
  /// Half the time one that is there.
  [[nodiscard]] Value known(Draw& draw) const {
    return !contents_.empty() && draw.random.chance(0.5) ? present(draw) : draw.known_value();
  }
  [[nodiscard]] Value shown(Iterator begin, Iterator end) {
    return text(fmt::format("[{}]", fmt::join(begin, end, ", ")));
  }
};

template <bool kSorted>
class MapModelOf final : public SortedModel<std::map<std::int64_t, std::int64_t>> {
 public:
  using Type = types::juc::MapOf<kSorted>;
  using Java = types::juc::MapMethods;
  static constexpr auto methods = every_method < kSorted
                                      ? Java::kSortedMethodCount
                                      : Java::kHashMethodCount >
                                            ({{Java::kGet, 2, true}, {Java::kPut, 2}, {Java::kRemove, 1}},
                                             {Java::kContainsKey, Java::kContainsValue, Java::kSize, Java::kIsEmpty,
                                              Java::kKeySet, Java::kValues, Java::kEntrySet, Java::kToString,
                                              Java::kFirstKey, Java::kLastKey, Java::kLowerKey, Java::kFloorKey,
                                              Java::kCeilingKey, Java::kHigherKey, Java::kHeadMap, Java::kTailMap});
  MapModelOf(const Type&, const Plan& plan, ValuePool& pool) : SortedModel(plan, pool) {}

  bool enabled(std::uint16_t method, ProcessId) const override {
    const bool needs_one = method == Java::kFirstKey || method == Java::kLastKey || method == Java::kPollFirstEntry ||
                           method == Java::kPollLastEntry;
    return empties() || !needs_one || !contents_.empty();
  }
  void prepare(Step& step, Draw& draw) override {
    switch (step.method) {
      case Java::kGet:
      case Java::kContainsKey:
      case Java::kLowerKey:
      case Java::kFloorKey:
      case Java::kCeilingKey:
      case Java::kHigherKey:
      case Java::kHeadMap:
      case Java::kTailMap: step.takes({draw.key()}); return;
      case Java::kContainsValue: step.takes({expected(draw.key(), draw)}); return;
      case Java::kPut:
      case Java::kPutIfAbsent: {
        const Value key = draw.key();
        step.takes({key, draw.value()});
        return;
      }
      case Java::kRemove: {
        const Value key = draw.key();
        if (draw.random.chance(0.5)) {
          step.takes({key});
        } else {
          step.takes({key, expected(key, draw)});
        }
        return;
      }
      case Java::kReplace: {
        const Value key = draw.key();
        if (draw.random.chance(0.5)) {
          step.takes({key, draw.value()});
        } else {
          const Value old = expected(key, draw);
          step.takes({key, old, draw.value()});
        }
        return;
      }
      case Java::kPutAll:
        step.takes({collection(draw, [&] {
          const Value key = draw.key();
          return pool().list({key, draw.value()});
        })});
        return;
      default: return;
    }
  }
  void apply(Step& step, ProcessId, Draw&, ValuePool&) override {
    if (step.method <= Java::kLastKeyed) {
      apply_to_key(step);
      return;
    }
    switch (step.method) {
      case Java::kClear: contents_.clear(); return;
      case Java::kPutAll:
        for (const Value pair : pool().elements_of(step.arguments[0])) {
          const auto parts = pool().elements_of(pair);
          contents_[parts[0].integer()] = parts[1].integer();
        }
        return;
      case Java::kPollFirstEntry: step.result = poll(contents_.begin()); return;
      case Java::kPollLastEntry:
        step.result = poll(contents_.empty() ? contents_.end() : std::prev(contents_.end()));
        return;
      default: look(step);
    }
  }

 private:
  void apply_to_key(Step& step) {
    const auto found = contents_.find(wanted(step));
    const bool present = found != contents_.end();
    const Value before = present ? Value::integer(found->second) : Value::nil();
    const bool compares =
        (step.method == Java::kRemove && step.count == 2) || (step.method == Java::kReplace && step.count == 3);
    const bool matches = present && (!compares || before == step.arguments[1]);
    step.result = compares ? Value::boolean(matches) : before;
    switch (step.method) {
      case Java::kContainsKey: step.result = Value::boolean(present); return;
      case Java::kPut: contents_[wanted(step)] = step.arguments[1].integer(); return;
      case Java::kPutIfAbsent:
        if (!present) contents_[wanted(step)] = step.arguments[1].integer();
        return;
      case Java::kRemove:
        if (matches) contents_.erase(found);
        return;
      case Java::kReplace:
        if (matches) found->second = step.arguments[step.count - 1].integer();
        return;
      default: return;
    }
  }
  void look(Step& step) {
    const auto keys = [](const auto& entry) { return fmt::format("{}", entry.first); };
    const auto values = [](const auto& entry) { return fmt::format("{}", entry.second); };
    switch (step.method) {
      case Java::kContainsValue:
        step.result = Value::boolean(std::any_of(contents_.begin(), contents_.end(),
                                                 [&](const auto& entry) { return entry.second == wanted(step); }));
        return;
      case Java::kSize: step.result = number(contents_.size()); return;
      case Java::kIsEmpty: step.result = Value::boolean(contents_.empty()); return;
      case Java::kKeySet: step.result = shown(contents_.begin(), contents_.end(), "[{}]", keys); return;
      case Java::kValues: step.result = shown(contents_.begin(), contents_.end(), "[{}]", values); return;
      case Java::kEntrySet: step.result = shown(contents_.begin(), contents_.end(), "[{}]", &entry_text); return;
      case Java::kFirstKey: step.result = or_throw(least()); return;
      case Java::kLastKey: step.result = or_throw(greatest()); return;
      case Java::kLowerKey: step.result = lower(step); return;
      case Java::kFloorKey: step.result = floor(step); return;
      case Java::kCeilingKey: step.result = ceiling(step); return;
      case Java::kHigherKey: step.result = higher(step); return;
      case Java::kHeadMap: step.result = in_braces(contents_.begin(), contents_.lower_bound(wanted(step))); return;
      case Java::kTailMap: step.result = in_braces(contents_.lower_bound(wanted(step)), contents_.end()); return;
      default: step.result = in_braces(contents_.begin(), contents_.end());  // toString
    }
  }

  /// What is under the key, half the time.
  [[nodiscard]] Value expected(Value key, Draw& draw) const {
    const auto found = contents_.find(key.integer());
    return found != contents_.end() && draw.random.chance(0.5) ? Value::integer(found->second) : draw.known_value();
  }
  [[nodiscard]] Value poll(Iterator place) {
    if (place == contents_.end()) return Value::nil();
    const Value entry = text(entry_text(*place));
    contents_.erase(place);
    return entry;
  }
  static std::string entry_text(const std::pair<const std::int64_t, std::int64_t>& entry) {
    return fmt::format("{}={}", entry.first, entry.second);
  }
  template <class Show>
  [[nodiscard]] Value shown(Iterator begin, Iterator end, fmt::string_view frame, Show&& show) {
    std::vector<std::string> parts;
    for (; begin != end; ++begin) parts.push_back(show(*begin));
    return text(fmt::format(fmt::runtime(frame), fmt::join(parts, ", ")));
  }
  [[nodiscard]] Value in_braces(Iterator begin, Iterator end) { return shown(begin, end, "{{{}}}", &entry_text); }
};

using HashMapModel = MapModelOf<false>;
using SortedMapModel = MapModelOf<true>;

}  // namespace linchpin::generate::juc
