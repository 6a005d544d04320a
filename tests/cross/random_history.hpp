// Random small histories of any type, about half of them linearizable.
//
// A history is made by running a specification at random points of random intervals, so that it is linearizable; then,
// often, a result is changed, an interval moved, a result lost, or an operation left pending. Nothing here knows a
// particular type: arguments and results come from small pools, and a result is one that the specification accepts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "cross/labels.hpp"
#include "cross/partial_results.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::cross {

struct Shape {
  std::uint32_t operations = 5;
  std::uint32_t processes = 3;
  std::int64_t values = 3;       ///< arguments are 0..values-1
  double pending = 0.15;         ///< share of last operations of a process left pending
  double unknown = 0.08;         ///< share of results lost
  double partial = 0.15;         ///< share of results that are lists of which a part is lost, where the type reads that
  double promised = 0.5;         ///< share of pending operations of which it is known what they would have returned
  double odd = 0.25;             ///< share of histories with values of every kind, nil and none among them
  double few_methods = 0.3;      ///< share of histories with three methods at most, as monitors like them
  double spoiled = 0.5;          ///< share of histories with a changed result
  std::int64_t tick_range = 12;  ///< small: many ties
};

class RandomHistories {
 public:
  RandomHistories(const Specification& specification, Shape shape, std::uint64_t seed)
      : specification_(specification), shape_(shape), random_(seed) {}

  History next() {
    odd_ = chance(shape_.odd);
    const auto method_count = static_cast<std::int64_t>(specification_.methods().size());
    std::vector<std::uint16_t> rows;
    for (std::int64_t row = 0; row < method_count; ++row) rows.push_back(static_cast<std::uint16_t>(row));
    std::shuffle(rows.begin(), rows.end(), random_);
    if (chance(shape_.few_methods)) rows.resize(std::min<std::size_t>(rows.size(), 3));
    HistoryBuilder builder;
    ValuePool& pool = builder.pool();
    struct Draft {
      std::uint32_t process;
      std::uint16_t method;
      std::vector<Value> arguments;
      Value result;
      Tick call, response;
      double point;
    };
    std::vector<Draft> drafts;
    for (std::uint32_t process = 0; process < shape_.processes; ++process) {
      const std::uint32_t own =
          shape_.operations / shape_.processes + (process < shape_.operations % shape_.processes ? 1 : 0);
      std::vector<Tick> ticks(2 * own);
      for (Tick& tick : ticks) tick = below(shape_.tick_range);
      std::sort(ticks.begin(), ticks.end());
      for (std::uint32_t k = 0; k < own; ++k) {
        Draft draft{.process = process,
                    .method = 0,
                    .arguments = {},
                    .result = Value::none(),
                    .call = ticks[2 * k],
                    .response = ticks[2 * k + 1],
                    .point = 0};
        draft.point = static_cast<double>(draft.call) + std::uniform_real_distribution<>(0, 1)(random_) *
                                                            static_cast<double>(draft.response - draft.call);
        drafts.push_back(std::move(draft));
      }
    }
    std::stable_sort(drafts.begin(), drafts.end(), [](const Draft& a, const Draft& b) { return a.point < b.point; });

    const std::vector<Value> results = candidate_results(pool);
    const auto states = specification_.make_states();
    StateId state = states->initial();
    std::vector<StateId> after;
    for (Draft& draft : drafts) {
      // A few tries at a method and arguments that are legal here; else whatever came last.
      for (int attempt = 0; attempt < 8; ++attempt) {
        draft.method = rows[static_cast<std::size_t>(below(static_cast<std::int64_t>(rows.size())))];
        const Method& method = specification_.methods()[draft.method];
        draft.arguments.clear();
        const auto count = method.least + below(method.most - method.least + 1);
        for (std::int64_t a = 0; a < count; ++a) draft.arguments.push_back(argument(method, pool));
        draft.result = results[static_cast<std::size_t>(below(static_cast<std::int64_t>(results.size())))];
        if (!specification_.invalid(view(draft.method, draft.arguments, draft.result, draft.process, pool)).empty())
          continue;
        std::vector<Value> legal;
        for (const Value result : results) {
          if (!specification_.invalid(view(draft.method, draft.arguments, result, draft.process, pool)).empty())
            continue;
          after.clear();
          states->successors(state, view(draft.method, draft.arguments, result, draft.process, pool), after);
          if (!after.empty()) legal.push_back(result);
        }
        if (legal.empty()) continue;
        draft.result = legal[static_cast<std::size_t>(below(static_cast<std::int64_t>(legal.size())))];
        after.clear();
        states->successors(state, view(draft.method, draft.arguments, draft.result, draft.process, pool), after);
        state = after[static_cast<std::size_t>(below(static_cast<std::int64_t>(after.size())))];
        break;
      }
      if (!specification_.invalid(view(draft.method, draft.arguments, draft.result, draft.process, pool)).empty()) {
        return next();
      }
    }
    const auto spoil = [&](Draft& draft) {
      const Value kept = draft.result;
      draft.result = results[static_cast<std::size_t>(below(static_cast<std::int64_t>(results.size())))];
      if (!specification_.invalid(view(draft.method, draft.arguments, draft.result, draft.process, pool)).empty())
        draft.result = kept;
    };
    if (chance(shape_.spoiled)) {
      spoil(drafts[static_cast<std::size_t>(below(static_cast<std::int64_t>(drafts.size())))]);
    }
    std::vector<bool> last(drafts.size(), false);
    for (std::uint32_t process = 0; process < shape_.processes; ++process) {
      std::size_t latest = drafts.size();
      for (std::size_t k = 0; k < drafts.size(); ++k) {
        if (drafts[k].process == process && (latest == drafts.size() || drafts[k].call >= drafts[latest].call))
          latest = k;
      }
      if (latest < drafts.size()) last[latest] = true;
    }
    for (std::size_t k = 0; k < drafts.size(); ++k) {
      Draft& draft = drafts[k];
      if (last[k] && chance(shape_.pending)) {
        draft.response = kPending;
        if (!chance(shape_.promised)) {
          draft.result = Value::unknown();
        } else if (chance(0.5)) {
          spoil(draft);
        }
      } else if (chance(shape_.unknown)) {
        draft.result = Value::unknown();
      }
    }
    if (specification_.reads_partial_results()) {
      for (Draft& draft : drafts) {
        if (!draft.result.is_list() || pool.elements_of(draft.result).empty() || !chance(shape_.partial)) continue;
        const auto part =
            static_cast<std::size_t>(below(static_cast<std::int64_t>(pool.elements_of(draft.result).size())));
        const Value less =
            chance(0.5) ? without_part(pool, draft.result, part) : without_field(pool, draft.result, part);
        if (specification_.invalid(view(draft.method, draft.arguments, less, draft.process, pool)).empty())
          draft.result = less;
      }
    }
    std::shuffle(drafts.begin(), drafts.end(), random_);
    for (const Draft& draft : drafts) {
      builder.add({.process = draft.process,
                   .method = specification_.methods()[draft.method].name,
                   .arguments = draft.arguments,
                   .result = draft.result,
                   .call = draft.call,
                   .response = draft.response});
    }
    auto history = std::move(builder).build();
    return history ? std::move(*history) : next();
  }

 private:
  static Operation view(std::uint16_t method, std::span<const Value> arguments, Value result, ProcessId process,
                        const ValuePool& pool) {
    return {.method = method, .arguments = arguments, .result = result, .process = process, .pool = &pool};
  }
  std::int64_t below(std::int64_t bound) { return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(random_); }
  bool chance(double share) { return std::bernoulli_distribution(share)(random_); }

  /// A value of any kind, of which some mean something to some types.
  Value odd_value(ValuePool& pool) {
    switch (below(10)) {
      case 0: return Value::nil();
      case 1: return Value::none();
      case 2: return Value::boolean(true);
      case 3: return Value::boolean(false);
      case 4: return pool.string("ok");
      case 5: return pool.string("a");
      case 6: return pool.string("");
      case 7: return pool.list({Value::integer(0), Value::integer(1)});
      case 8: return pool.integer(INT64_MAX);
      default: return Value::integer(-1);
    }
  }

  /// Of a Java class: a collection, of pairs for putAll.
  Value collection(bool pairs, ValuePool& pool) {
    std::vector<Value> elements;
    for (std::int64_t k = below(3); k > 0; --k) {
      const Value first = Value::integer(below(shape_.values));
      elements.push_back(pairs ? pool.list({first, Value::integer(below(shape_.values))}) : first);
    }
    return pool.list(elements);
  }

  Value argument(const Method& method, ValuePool& pool) {
    if (prints_results(specification_.name()) && method.name.ends_with("All") && chance(0.9)) {
      return collection(method.name == "putAll", pool);
    }
    const Value value = odd_ && chance(0.4) ? odd_value(pool) : Value::integer(below(shape_.values));
    if (specification_.name().starts_with("mvcc-kv") && method.name == "txn") return compares_or_acts(pool);
    if (specification_.name().starts_with("multi-register")) {
      std::vector<Value> steps;
      for (std::int64_t k = 1 + below(2); k > 0; --k) {
        const bool read = chance(0.5);
        // Now and then a read is told what to expect.
        const Value written = odd_ && chance(0.3) ? odd_value(pool) : Value::integer(below(shape_.values));
        steps.push_back(pool.list({pool.string(read ? "read" : "write"), Value::integer(below(2)),
                                   read && chance(0.8) ? Value::nil() : written}));
      }
      return pool.list(steps);
    }
    if (specification_.name().starts_with("list-append")) {
      std::vector<Value> steps;
      for (std::int64_t k = 1 + below(2); k > 0; --k) {
        const bool read = chance(0.5);
        // As a rule no element is appended twice.
        const Value element = Value::integer(chance(0.9) ? element_++ : below(shape_.values));
        steps.push_back(pool.list({pool.string(read ? "r" : "append"), Value::integer(below(2)),
                                   !read          ? element
                                   : chance(0.95) ? Value::nil()
                                                  : pool.list({element})}));
      }
      return pool.list(steps);
    }
    if (specification_.name().starts_with("log") && chance(0.1)) return pool.list({value});
    if (compares_components() && chance(0.7)) {
      std::vector<Value> components;
      for (std::int64_t k = chance(0.6) ? 2 : below(4); k > 0; --k) components.push_back(Value::integer(below(3)));
      return pool.list(components);
    }
    if (specification_.name().starts_with("map") && chance(0.5)) return pool.string(chance(0.5) ? "a" : "b");
    if (specification_.name().starts_with("map") && chance(0.3)) return Value::boolean(chance(0.5));
    return value;
  }

  /// Whether priorities are lists.
  [[nodiscard]] bool compares_components() const {
    const auto* const queue = specification_.get_if<types::PriorityQueue>();
    using Kind = types::PriorityOrder::Kind;
    return queue != nullptr &&
           (queue->order.kind() == Kind::componentwise || queue->order.kind() == Kind::componentwise_largest);
  }

  /// Of a transaction on a store of versions: what it compares, or what it does; nothing in half of all cases.
  Value compares_or_acts(ValuePool& pool) {
    if (chance(0.5)) return pool.list(std::span<const Value>());
    const Value key = Value::integer(below(2)), number = Value::integer(below(shape_.values));
    switch (below(4)) {
      case 0: return pool.list({pool.list({pool.string("put"), key, number})});
      case 1: return pool.list({pool.list({pool.string("delete"), key})});
      case 2: return pool.list({pool.list({pool.string("range"), key})});
      default: return pool.list({pool.list({pool.string("mod"), key, number})});
    }
  }

  std::vector<Value> candidate_results(ValuePool& pool) {
    std::vector<Value> results = {Value::none(), Value::nil(), Value::boolean(true), Value::boolean(false)};
    for (std::int64_t value = 0; value <= shape_.values; ++value) results.push_back(Value::integer(value));
    results.push_back(pool.string("ok"));
    results.push_back(pool.list(std::span<const Value>()));
    for (std::int64_t a = 0; a < shape_.values; ++a) {
      results.push_back(pool.list({Value::integer(a)}));
      for (std::int64_t b = 0; b < shape_.values; ++b)
        results.push_back(pool.list({Value::integer(a), Value::integer(b)}));
    }
    if (odd_) {
      for (const Value value : {pool.string("a"), pool.integer(INT64_MAX), Value::integer(-1),
                                pool.list({Value::nil(), Value::integer(0)}), Value::unknown()}) {
        results.push_back(value);
      }
    }
    if (specification_.name().starts_with("map")) {
      for (const char* text : {"", "a", "b", "ab", "ba"}) results.push_back(pool.string(text));
    }
    if (specification_.name().starts_with("multi-register")) {
      for (std::int64_t key = 0; key < 2; ++key) {
        for (std::int64_t value = 0; value < shape_.values; ++value) {
          const Value read = pool.list({pool.string("read"), Value::integer(key), Value::integer(value)});
          results.push_back(pool.list({read}));
          for (std::int64_t other = 0; other < 2; ++other) {
            const Value written = pool.list({pool.string("write"), Value::integer(other), Value::integer(value)});
            results.push_back(pool.list({read, written}));
            results.push_back(pool.list({written, read}));
          }
        }
      }
    }
    if (prints_results(specification_.name())) add_printed(results, pool);
    return results;
  }

  /// What Java prints: exceptions, collections and maps of up to two elements, entries, and how much room there is.
  void add_printed(std::vector<Value>& results, ValuePool& pool) const {
    const auto add = [&](const std::string& text) { results.push_back(pool.string(text)); };
    add("java.util.NoSuchElementException");
    add("java.lang.IllegalStateException");
    for (std::int64_t size = 0; size < 3; ++size) results.push_back(Value::integer(2147483647 - size));
    std::vector<std::string> elements;
    for (std::int64_t value = 0; value < shape_.values; ++value) elements.push_back(std::to_string(value));
    if (specification_.name().find("Map") != std::string_view::npos) {
      for (std::int64_t key = 0; key < shape_.values; ++key) {
        for (std::int64_t value = 0; value < shape_.values; ++value) {
          elements.push_back(std::to_string(key) + "=" + std::to_string(value));
          add(elements.back());
        }
      }
    }
    for (const std::string frame : {"[]", "{}"}) {
      add(frame);
      for (const std::string& first : elements) {
        add(frame.substr(0, 1) + first + frame.substr(1));
        for (const std::string& second : elements) add(frame.substr(0, 1) + first + ", " + second + frame.substr(1));
      }
    }
  }

  const Specification& specification_;
  Shape shape_;
  std::mt19937_64 random_;
  bool odd_ = false;
  std::int64_t element_ = 0;  // of the next append
};

}  // namespace linchpin::cross
