// Operations of Java's queues, deques and heaps for random histories: all methods, about few elements or about elements
// that are put in once. For tests.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/cross_check.hpp"
#include "support/sketch.hpp"
#include "support/thoroughness.hpp"
#include "types/juc/java.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {

enum class Drafted : std::uint8_t {
  once,  ///< each element is put in once, or nearly so
  few,   ///< of three elements
  odd,   ///< of few elements of all kinds, some of which print alike
};

/// What a printed collection of these may read like: up to three, in any order.
inline std::vector<Value> printed_lists(const std::vector<Value>& elements, ValuePool& pool, std::size_t longest) {
  std::vector<std::vector<Value>> all{{}};
  std::size_t from = 0;
  for (std::size_t length = 0; length < longest; ++length) {
    const std::size_t to = all.size();
    for (; from < to; ++from) {
      for (const Value element : elements) {
        std::vector<Value> longer = all[from];
        longer.push_back(element);
        all.push_back(std::move(longer));
      }
    }
  }
  std::vector<Value> lists;
  for (const auto& each : all) lists.push_back(pool.string(bracketed(each, pool)));
  return lists;
}

/// More than the additions of a small history.
inline constexpr std::int64_t kInARow = 14;

/// Makes operations, for one history after the other.
inline test::Drafter draft_collection(const Specification& specification, ValuePool& pool, Drafted drafted) {
  using test::below;
  const std::size_t methods = specification.methods().size();
  auto elements = std::make_shared<std::vector<Value>>();  // the last that were put in, or those to be put in
  auto next = std::make_shared<std::int64_t>(0);
  if (drafted != Drafted::once) {
    for (std::int64_t v = 1; v <= 3; ++v) elements->push_back(Value::integer(v));
  }
  if (drafted == Drafted::odd) {
    *elements = {Value::integer(1), pool.string("1"), pool.string("a, b"), Value::boolean(true)};
  }
  return [=, &pool](test::Random& random) {
    test::Draft draft{.method = static_cast<std::uint16_t>(below(random, methods)), .arguments = {}, .results = {}};
    // What makes and hides contents, more often than the rest.
    constexpr std::array kBusy{SequenceMethods::kOffer,     SequenceMethods::kPut,   SequenceMethods::kPoll,
                               SequenceMethods::kClear,     SequenceMethods::kClear, SequenceMethods::kToString,
                               SequenceMethods::kRetainAll, SequenceMethods::kAddAll};
    if (below(random, 2) == 0) draft.method = kBusy[below(random, kBusy.size())];
    const auto known = [&] {
      if (elements->empty() || below(random, 12) == 0) return Value::integer(90);
      const std::size_t near = std::min<std::size_t>(elements->size(), 4);
      return (*elements)[elements->size() - 1 - below(random, near)];
    };
    const auto put = [&] {
      if (drafted != Drafted::once || (!elements->empty() && below(random, 20) == 0)) return known();
      *next = *next % kInARow + 1;
      elements->push_back(Value::integer(*next));
      if (elements->size() > 6) elements->erase(elements->begin());
      return elements->back();
    };
    const std::uint16_t m = draft.method;
    const bool adds = SequenceMethods::adds_one(m);
    const bool names = m == SequenceMethods::kContains || m == SequenceMethods::kRemoveFirstOccurrence ||
                       m == SequenceMethods::kRemoveLastOccurrence ||
                       (m == SequenceMethods::kRemove && below(random, 2) == 0);
    if (m >= SequenceMethods::kAddAll && m <= SequenceMethods::kContainsAll) {
      std::vector<Value> list;
      for (std::size_t i = below(random, 3); i > 0; --i)
        list.push_back(m == SequenceMethods::kAddAll ? put() : known());
      draft.arguments = {pool.list(list)};
    } else if (adds || names) {
      draft.arguments = {adds ? put() : known()};
    }
    draft.results = {Value::none(), Value::nil(), Value::boolean(true), Value::boolean(false)};
    for (const std::string_view text : {kNoSuchElement, kIllegalState}) draft.results.push_back(pool.string(text));
    if (m == SequenceMethods::kToArray || m == SequenceMethods::kToString) {
      const std::size_t first = elements->size() - std::min<std::size_t>(elements->size(), 5);
      const std::vector<Value> near(elements->begin() + static_cast<std::ptrdiff_t>(first), elements->end());
      draft.results = printed_lists(near, pool, 3);
    } else if (m == SequenceMethods::kSize || m == SequenceMethods::kRemainingCapacity) {
      for (std::int64_t n = 0; n <= 4; ++n) draft.results.push_back(Value::integer(n));
      draft.results.push_back(Value::integer(kMaxInteger));
    } else {
      draft.results.insert(draft.results.end(), elements->begin(), elements->end());
    }
    return draft;
  };
}

/// Calls `visit(built, oracle)` with `count` random histories of up to `most` operations, up to four at once, until it
/// returns false. Some operations are pending, with promised results or without, some results are lost, some clients
/// call again, some events are at the same time, some histories have another object. Of four, `mutated` are changed.
template <class Visit>
void each_random_java_history(const std::shared_ptr<const Specification>& specification, const test::Drafter& draft,
                              std::size_t most, std::size_t mutated, std::size_t count, Visit&& visit) {
  using test::below;
  const auto states = specification->make_states();
  test::Oracle oracle(*specification);
  test::Random random(test::environment_number("LINCHPIN_CROSS_SEED", 11));
  for (std::size_t i = 0; i < count; ++i) {
    if (states->bound() > 100'000) states->retain({});
    test::Sketch sketch = test::random_sketch(random, *states, draft,
                                              {.operations = 1 + below(random, most),
                                               .most_open = 1 + below(random, 4),
                                               .pending = std::array{0.0, 0.1, 0.3}[below(random, 3)],
                                               .by_simulation = below(random, 8) != 0,
                                               .processes = below(random, 4) == 0 ? 1 + below(random, 4) : 0,
                                               .promised = std::array{0.0, 0.5}[below(random, 2)],
                                               .lost = std::array{0.0, 0.15}[below(random, 2)]});
    if (below(random, 4) < mutated) test::mutate(random, sketch, draft(random).results, below(random, 2) == 0);
    if (below(random, 4) == 0) test::tie(sketch);
    if (!test::valid(sketch) || !test::takes(*specification, sketch)) continue;
    const test::Built built = test::build(specification, sketch, below(random, 8) == 0);
    if (!visit(built, oracle)) return;
  }
}

/// Calls `visit` with every history of three (thoroughly: four) of a few operations, in whatever order, some of them
/// pending: elements are put in several times, hidden, removed by their names, and printed.
template <class Visit>
void each_small_java_history(const Specification& specification, ValuePool& pool, Visit&& visit) {
  const Value one = Value::integer(1), two = Value::integer(2), yes = Value::boolean(true);
  const auto label = [](std::uint16_t method, std::vector<Value> arguments, Value result) {
    return test::SketchedOperation{
        .method = method, .arguments = std::move(arguments), .result = result, .call = 0, .response = 0};
  };
  const bool is_deque = specification.get_if<LinkedDeque>() != nullptr;
  const std::array two_and_one{two, one}, one_and_one{one, one};
  test::Sketch labels{label(SequenceMethods::kAdd, {one}, yes),
                      label(SequenceMethods::kAddAll, {pool.list(two_and_one)}, yes),
                      label(SequenceMethods::kPoll, {}, one),
                      label(SequenceMethods::kClear, {}, Value::none()),
                      label(SequenceMethods::kToString, {}, pool.string("[1]")),
                      label(SequenceMethods::kToArray, {}, pool.string("[1, 1]")),
                      label(SequenceMethods::kToString, {}, pool.string("[2, 1, 1]")),
                      label(SequenceMethods::kRemoveAll, {pool.list(std::array{two})}, yes),
                      label(SequenceMethods::kRetainAll, {pool.list(one_and_one)}, yes),
                      label(SequenceMethods::kContains, {two}, yes),
                      label(SequenceMethods::kSize, {}, Value::integer(1))};
  if (is_deque) {
    labels.push_back(label(SequenceMethods::kOfferFirst, {one}, yes));
    labels.push_back(label(SequenceMethods::kPollLast, {}, two));
  }
  const std::size_t size = test::thorough() ? 4 : 3;
  std::size_t choices = 1;
  for (std::size_t k = 0; k < size; ++k) choices *= labels.size();
  for (std::size_t choice = 0; choice < choices; ++choice) {
    test::Sketch sketch;
    for (std::size_t k = 0, rest = choice; k < size; ++k, rest /= labels.size()) {
      sketch.push_back(labels[rest % labels.size()]);
    }
    test::for_all_interleavings(sketch, true, visit);
  }
}

}  // namespace linchpin::types::juc
