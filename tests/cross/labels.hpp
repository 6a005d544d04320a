// The labels of a type over two values: methods with arguments and results that can occur together.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string_view>
#include <vector>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"

namespace linchpin::cross {

struct Label {
  std::string_view method;
  std::vector<Value> arguments;
  Value result;
};

struct Labels {
  std::shared_ptr<ValuePool> pool = std::make_shared<ValuePool>();
  std::vector<Label> list;
};

/// Whether the type, named with or without its options, is a Java class: these print their results.
inline bool prints_results(std::string_view type) {
  const core::DataType* const found = core::find_data_type(type.substr(0, type.find(' ')));
  return found != nullptr && found->aliases.starts_with("java.util.concurrent.");
}

/// Whether integers and short lists of them are arguments and results enough for the type to show what it does: all but
/// transactions, and the Java classes, which print their results.
inline bool has_small_labels(std::string_view type) {
  const core::DataType* const found = core::find_data_type(type);
  return found != nullptr && found->name != "multi-register" && found->name != "list-append" &&
         found->name != "mvcc-kv" && !prints_results(type);
}

namespace detail {

/// Labels by their row that are legal in some state reachable within three steps, of all methods with these arguments;
/// with `others` a quarter of the others too, as of promises that cannot be kept.
inline std::vector<std::vector<Label>> legal_labels(const Specification& specification, ValuePool& pool,
                                                    const std::vector<Value>& values,
                                                    std::mt19937_64* others = nullptr) {
  std::vector<Value> results = {Value::none(),
                                Value::boolean(true),
                                Value::boolean(false),
                                Value::nil(),
                                pool.string("ok"),
                                Value::integer(0),
                                Value::integer(1),
                                Value::integer(2),
                                pool.list(std::span<const Value>()),
                                pool.list({Value::integer(1)}),
                                pool.list({Value::integer(1), Value::integer(2)}),
                                Value::unknown()};
  for (const Value value : values) {
    if (std::find(results.begin(), results.end(), value) == results.end()) results.push_back(value);
  }
  const auto methods = specification.methods();
  std::vector<std::vector<Label>> by_method(methods.size());
  const auto view = [&](std::uint16_t row, const Label& label) {
    return Operation{.method = row, .arguments = label.arguments, .result = label.result, .process = 0, .pool = &pool};
  };
  // What the specification takes, of one method with these arguments.
  const auto valid = [&](std::uint16_t row, const std::vector<Value>& from) {
    std::vector<std::pair<std::uint16_t, Label>> labels;
    for (int count = methods[row].least; count <= methods[row].most; ++count) {
      std::vector<std::size_t> digits(static_cast<std::size_t>(count), 0);
      for (bool more = true; more;) {
        Label label{.method = methods[row].name, .arguments = {}, .result = {}};
        for (const std::size_t digit : digits) label.arguments.push_back(from[digit]);
        for (const Value result : results) {
          label.result = result;
          if (specification.invalid(view(row, label)).empty()) labels.emplace_back(row, label);
        }
        more = false;
        for (std::size_t& digit : digits) {
          if (++digit < from.size()) {
            more = true;
            break;
          }
          digit = 0;
        }
      }
    }
    return labels;
  };
  // Some methods want a text or a list: append of maps, put of logs.
  std::vector<Value> further = values;
  for (const Value value : {pool.string("a"), pool.list({Value::integer(1)})}) further.push_back(value);
  const auto takes_values = [&](std::uint16_t row) { return !valid(row, values).empty(); };
  std::vector<std::uint16_t> rows(methods.size());
  std::iota(rows.begin(), rows.end(), std::uint16_t{0});
  if (!std::all_of(rows.begin(), rows.end(), takes_values)) {
    for (const Value value : further) {
      if (std::find(results.begin(), results.end(), value) == results.end()) results.push_back(value);
    }
  }
  std::vector<std::pair<std::uint16_t, Label>> all;
  for (const std::uint16_t row : rows) {
    auto labels = takes_values(row) ? valid(row, values) : valid(row, further);
    std::move(labels.begin(), labels.end(), std::back_inserter(all));
  }
  const auto states = specification.make_states();
  std::set<StateId> reached = {states->initial()};
  for (int depth = 0; depth < 3; ++depth) {
    std::set<StateId> next = reached;
    for (const StateId state : reached) {
      for (const auto& [row, label] : all) {
        std::vector<StateId> after;
        states->successors(state, view(row, label), after);
        next.insert(after.begin(), after.end());
      }
    }
    reached = std::move(next);
    if (reached.size() > 2000) break;
  }
  for (const auto& [row, label] : all) {
    const bool legal = std::any_of(reached.begin(), reached.end(), [&, row = row, &label = label](StateId state) {
      std::vector<StateId> after;
      states->successors(state, view(row, label), after);
      return !after.empty();
    });
    if (legal || (others != nullptr && (*others)() % 4 == 0)) by_method[row].push_back(label);
  }
  return by_method;
}

}  // namespace detail

/// Labels that are legal in some state reachable within three steps, then unknown results; at most `most`, taken evenly
/// over the methods so that each method is there.
inline Labels small_labels(const Specification& specification, std::size_t most) {
  Labels labels;
  const auto by_method = detail::legal_labels(specification, *labels.pool, {Value::integer(1), Value::integer(2)});
  for (std::size_t round = 0; labels.list.size() < most; ++round) {
    bool any = false;
    for (const std::vector<Label>& of_method : by_method) {
      if (round >= of_method.size() || labels.list.size() == most) continue;
      // From the front and from the back in turn, so that unknown results and both values come early.
      const std::size_t at = round % 2 == 0 ? round / 2 : of_method.size() - 1 - round / 2;
      labels.list.push_back(of_method[at]);
      any = true;
    }
    if (!any) break;
  }
  return labels;
}

/// Some `most` labels at random, of few methods and over values of several kinds: what small_labels has no room for.
inline Labels mixed_labels(const Specification& specification, std::size_t most, std::uint64_t seed) {
  Labels labels;
  ValuePool& pool = *labels.pool;
  std::mt19937_64 random(seed);
  std::vector<Value> values = {Value::nil(), Value::boolean(false), pool.string("a"), Value::integer(0),
                               Value::boolean(true)};
  std::shuffle(values.begin(), values.end(), random);
  values.resize(1);
  values.push_back(Value::integer(1));
  auto by_method = detail::legal_labels(specification, pool, values, &random);
  std::erase_if(by_method, [](const std::vector<Label>& of_method) { return of_method.empty(); });
  std::shuffle(by_method.begin(), by_method.end(), random);
  by_method.resize(std::min<std::size_t>(by_method.size(), 1 + most / 3));
  while (labels.list.size() < most && !by_method.empty()) {
    const std::size_t row = random() % by_method.size();
    const std::size_t at = random() % by_method[row].size();
    labels.list.push_back(by_method[row][at]);
    by_method[row].erase(by_method[row].begin() + static_cast<std::ptrdiff_t>(at));
    if (by_method[row].empty()) by_method.erase(by_method.begin() + static_cast<std::ptrdiff_t>(row));
  }
  return labels;
}

}  // namespace linchpin::cross
