// java.util.concurrent.ConcurrentHashMap and ConcurrentSkipListMap.
//
// One set of methods, of which the hash map has the first part and the skip list map all but the hash map's own
// `contains`. Both iterate by ascending keys: a hash map of small integers does too, and of other keys Linchpin cannot
// know the order of iteration. Products over their keys as long as nothing sees the whole.
// Semantics: README.md beside this file.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/data_type.hpp"
#include "types/juc/java.hpp"

namespace linchpin::types::juc {

struct MapMethods {
  enum : std::uint16_t {
    kGet,
    kPut,
    kPutIfAbsent,
    kRemove,
    kReplace,
    kContainsKey,
    kLastKeyed = kContainsKey,  // the methods up to here touch one key
    kContainsValue,
    kSize,
    kIsEmpty,
    kKeySet,
    kValues,
    kEntrySet,
    kToString,
    kClear,
    kPutAll,
    kHashMethodCount,
    kFirstKey = kHashMethodCount,
    kLastKey,
    kLowerKey,
    kFloorKey,
    kCeilingKey,
    kHigherKey,
    kPollFirstEntry,
    kPollLastEntry,
    kHeadMap,
    kTailMap,
    kSortedMethodCount
  };
  static constexpr std::array<Method, kHashMethodCount> hash_methods{Method{"get", 1},
                                                                     Method{"put", 2},
                                                                     Method{"putIfAbsent", 2},
                                                                     Method{"remove", std::pair{1, 2}},
                                                                     Method{"replace", std::pair{2, 3}},
                                                                     Method{"containsKey", 1},
                                                                     Method{"containsValue", 1, "contains"},
                                                                     Method{"size", 0, "mappingCount"},
                                                                     Method{"isEmpty", 0},
                                                                     Method{"keySet", 0, "keys"},
                                                                     Method{"values", 0, "elements"},
                                                                     Method{"entrySet", 0},
                                                                     Method{"toString", 0},
                                                                     Method{"clear", 0},
                                                                     Method{"putAll", 1}};
  static constexpr std::array<Method, kSortedMethodCount> sorted_methods{Method{"get", 1},
                                                                         Method{"put", 2},
                                                                         Method{"putIfAbsent", 2},
                                                                         Method{"remove", std::pair{1, 2}},
                                                                         Method{"replace", std::pair{2, 3}},
                                                                         Method{"containsKey", 1},
                                                                         Method{"containsValue", 1},
                                                                         Method{"size", 0},
                                                                         Method{"isEmpty", 0},
                                                                         Method{"keySet", 0, "navigableKeySet"},
                                                                         Method{"values", 0},
                                                                         Method{"entrySet", 0},
                                                                         Method{"toString", 0},
                                                                         Method{"clear", 0},
                                                                         Method{"putAll", 1},
                                                                         Method{"firstKey", 0},
                                                                         Method{"lastKey", 0},
                                                                         Method{"lowerKey", 1},
                                                                         Method{"floorKey", 1},
                                                                         Method{"ceilingKey", 1},
                                                                         Method{"higherKey", 1},
                                                                         Method{"pollFirstEntry", 0},
                                                                         Method{"pollLastEntry", 0},
                                                                         Method{"headMap", 1},
                                                                         Method{"tailMap", 1}};
};

template <bool kSorted>
struct MapOf : MapMethods {
  using Entry = std::pair<Value, Value>;
  using State = std::vector<Entry>;  // ascending keys
  static constexpr const auto& methods = []() -> const auto& {
    if constexpr (kSorted) {
      return sorted_methods;
    } else {
      return hash_methods;
    }
  }
  ();
  static constexpr std::string_view options = "";

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type) {
    core::TypeOptions given(type);
    if (auto finished = given.finish(options); !finished) return finished.error();
    return specify(class_name(type), MapOf{});
  }

  static State initial() { return {}; }

  static bool step(State& state, const Operation& operation) {
    const ValuePool& pool = *operation.pool;
    switch (operation.method) {
      case kGet: return operation.returns(lookup(state, operation));
      case kContainsKey: return operation.returns(!lookup(state, operation).is_nil());
      case kPut: {
        const Value previous = lookup(state, operation);
        put(state, operation.argument(0), operation.argument(1), pool);
        return operation.returns(previous);
      }
      case kPutIfAbsent: {
        const Value previous = lookup(state, operation);
        if (previous.is_nil()) put(state, operation.argument(0), operation.argument(1), pool);
        return operation.returns(previous);
      }
      case kRemove: {
        const Value previous = lookup(state, operation);
        const bool whole = operation.arguments.size() == 1;
        const bool matches = !previous.is_nil() && (whole || previous == operation.argument(1));
        if (matches) erase(state, operation.argument(0));
        return whole ? operation.returns(previous) : operation.returns(matches);
      }
      case kReplace: {
        const Value previous = lookup(state, operation);
        const bool whole = operation.arguments.size() == 2;
        const bool matches = !previous.is_nil() && (whole || previous == operation.argument(1));
        if (matches) put(state, operation.argument(0), operation.argument(whole ? 1 : 2), pool);
        return whole ? operation.returns(previous) : operation.returns(matches);
      }
      case kClear: state.clear(); return returns_nothing(operation);
      case kPutAll:
        for (const Value pair : collection(operation)) {
          const auto parts = pool.elements_of(pair);
          put(state, parts[0], parts[1], pool);
        }
        return returns_nothing(operation);
      case kPollFirstEntry: {
        if (state.empty()) return operation.returns(Value::nil());
        const bool fits = returns_text(operation, show(state.front(), pool));
        state.erase(state.begin());
        return fits;
      }
      case kPollLastEntry: {
        if (state.empty()) return operation.returns(Value::nil());
        const bool fits = returns_text(operation, show(state.back(), pool));
        state.pop_back();
        return fits;
      }
      default: return observes(state, operation);
    }
  }

  static bool pure(const Operation& operation) {
    switch (operation.method) {
      case kPut: return operation.result == operation.argument(1);
      case kPutIfAbsent: return !operation.result.is_nil() && !operation.result_unknown();
      case kRemove: return operation.arguments.size() == 1 ? operation.result.is_nil() : says_false(operation);
      case kReplace:
        if (operation.arguments.size() == 2) {
          return operation.result.is_nil() || operation.result == operation.argument(1);
        }
        return says_false(operation) || operation.argument(1) == operation.argument(2);
      case kPollFirstEntry:
      case kPollLastEntry: return operation.result.is_nil();
      case kPutAll: return collection(operation).empty();
      case kClear: return false;
      default: return true;
    }
  }

  static std::optional<Value> key(const Operation& operation) {
    return operation.method <= kLastKeyed ? std::optional(operation.argument(0)) : std::nullopt;
  }

  static std::string invalid(const Operation& operation) {
    if (operation.method != kPutAll) {
      const bool puts = operation.method == kPut || operation.method == kPutIfAbsent || operation.method == kReplace;
      return refuse_putting(operation, operation.arguments.first(puts ? operation.arguments.size() : 0));
    }
    const Value argument = operation.argument(0);
    if (!argument.is_list()) return "the argument must be a list of [key value] pairs";
    for (const Value pair : operation.pool->elements_of(argument)) {
      if (!pair.is_list() || operation.pool->elements_of(pair).size() != 2) {
        return "the argument must be a list of [key value] pairs";
      }
      if (std::string why = refuse_putting(operation, operation.pool->elements_of(pair)); !why.empty()) return why;
    }
    return refuse_none(operation.arguments);
  }

  static std::string describe(const State& state, const ValuePool& pool) {
    const auto entry = [&](const Entry& each) {
      return fmt::format("{}={}", pool.to_text(each.first), pool.to_text(each.second));
    };
    return list_of(state, entry, '{', '}');
  }

 private:
  static bool observes(const State& state, const Operation& operation) {
    const ValuePool& pool = *operation.pool;
    // How many keys are below the argument, and how many are not above it.
    const auto below = [&] { return place(state, operation.argument(0), pool, false); };
    const auto up_to = [&] { return place(state, operation.argument(0), pool, true); };
    const auto key_at = [&](std::size_t i) { return i < state.size() ? state[i].first : Value::nil(); };
    switch (operation.method) {
      case kContainsValue:
        return operation.returns(std::any_of(
            state.begin(), state.end(), [&](const Entry& entry) { return entry.second == operation.argument(0); }));
      case kSize: return returns_number(operation, static_cast<std::int64_t>(state.size()));
      case kIsEmpty: return operation.returns(state.empty());
      case kKeySet: return prints(state, operation, [&](const Entry& e) { return text_of(e.first, pool); });
      case kValues: return prints(state, operation, [&](const Entry& e) { return text_of(e.second, pool); });
      case kEntrySet: return prints(state, operation, [&](const Entry& e) { return show(e, pool); });
      case kFirstKey: return state.empty() ? throws(operation, kNoSuchElement) : operation.returns(key_at(0));
      case kLastKey: return state.empty() ? throws(operation, kNoSuchElement) : operation.returns(state.back().first);
      // Below index 0 the index wraps around and there is nothing.
      case kLowerKey: return operation.returns(key_at(below() - 1));
      case kFloorKey: return operation.returns(key_at(up_to() - 1));
      case kCeilingKey: return operation.returns(key_at(below()));
      case kHigherKey: return operation.returns(key_at(up_to()));
      case kHeadMap: return returns_text(operation, show(state, 0, below(), pool));
      case kTailMap: return returns_text(operation, show(state, below(), state.size(), pool));
      default:
        return prints(
            state, operation, [&](const Entry& e) { return show(e, pool); }, '{', '}');  // toString
    }
  }

  /// Whether the operation may have returned what the map prints. A hash map iterates by ascending keys as long as
  /// these are below the least size of its table; where they are not, its order is not known here, and any will do.
  template <class Show>
  static bool prints(const State& state, const Operation& operation, Show&& show_entry, char open = '[',
                     char close = ']') {
    const std::string listed = list_of(state, show_entry, open, close);
    if (returns_text(operation, listed)) return true;
    if (kSorted || !operation.result.is_string()) return false;
    constexpr std::int64_t kLeastTable = 16;
    const bool in_order = std::all_of(state.begin(), state.end(), [&](const Entry& entry) {
      return entry.first.is_integer() && entry.first.integer() >= 0 && entry.first.integer() < kLeastTable;
    });
    if (in_order) return false;
    std::vector<std::string> entries;
    for (const Entry& entry : state) entries.push_back(show_entry(entry));
    return lists_in_some_order(operation.pool->text_of(operation.result), listed, entries);
  }

  static std::string show(const Entry& entry, const ValuePool& pool) {
    return fmt::format("{}={}", text_of(entry.first, pool), text_of(entry.second, pool));
  }
  static std::string show(const State& state, std::size_t begin, std::size_t end, const ValuePool& pool) {
    return list_of(
        std::span(state).subspan(begin, end - begin), [&](const Entry& entry) { return show(entry, pool); }, '{', '}');
  }

  static State::const_iterator find(const State& state, Value key) {
    return std::find_if(state.begin(), state.end(), [&](const Entry& entry) { return entry.first == key; });
  }
  static Value lookup(const State& state, const Operation& operation) {
    const auto at = find(state, operation.argument(0));
    return at == state.end() ? Value::nil() : at->second;
  }
  /// How many keys are below `key`, or not above it.
  static std::size_t place(const State& state, Value key, const ValuePool& pool, bool with_equal) {
    std::size_t count = 0;
    while (count < state.size()) {
      const auto order = pool.compare(state[count].first, key);
      if (order > 0 || (order == 0 && !with_equal)) break;
      ++count;
    }
    return count;
  }
  static void put(State& state, Value key, Value value, const ValuePool& pool) {
    const std::size_t at = place(state, key, pool, false);
    if (at < state.size() && state[at].first == key) {
      state[at].second = value;
    } else {
      state.insert(state.begin() + static_cast<std::ptrdiff_t>(at), Entry{key, value});
    }
  }
  static void erase(State& state, Value key) {
    const auto at = find(state, key);
    if (at != state.end()) state.erase(at);
  }
};

using HashMap = MapOf<false>;
using SortedMap = MapOf<true>;

}  // namespace linchpin::types::juc
