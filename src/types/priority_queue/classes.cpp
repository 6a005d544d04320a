#include "types/priority_queue/classes.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include <absl/container/flat_hash_map.h>

#include "algo/number_values.hpp"

namespace linchpin::types {

using algo::ValueNumber;

namespace {

/// The priorities of the added values, and what there is to know about all of them.
struct Given {
  algo::ByValue<Value> priority;
  std::vector<ValueNumber> values;  // that are added
  bool integers = true;
  std::int64_t least = INT64_MAX, most = INT64_MIN;
};

Given collect(const history::Subhistory& part, const algo::ContainerHistory& history) {
  Given given;
  given.priority.resize(history.values);
  algo::ByValue<bool> added(history.values, false);
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    if (history.kind[i] != ActKind::add) continue;
    const Value priority = part.arguments(i).back();
    given.priority[history.value[i]] = priority;
    added[history.value[i]] = true;
    given.integers = given.integers && priority.is_integer();
    if (!given.integers) continue;
    given.least = std::min(given.least, priority.integer());
    given.most = std::max(given.most, priority.integer());
  }
  for (ValueNumber v = 0; v < history.values; ++v) {
    if (added[v]) given.values.push_back(v);
  }
  return given;
}

algo::ByValue<std::uint32_t> total_classes(Given given, bool largest_first, const ValuePool& pool) {
  const algo::ByValue<Value>& priority = given.priority;
  std::vector<ValueNumber>& values = given.values;
  algo::ByValue<std::uint32_t> classes(priority.size(), 0);
  if (values.empty()) return classes;
  // Inline integers have 61 bits: the difference does not overflow.
  if (given.integers && static_cast<std::uint64_t>(given.most - given.least) < 4 * values.size() + 1024) {
    const auto slot = [&](ValueNumber v) {
      const std::int64_t p = priority[v].integer();
      return static_cast<std::size_t>(largest_first ? given.most - p : p - given.least);
    };
    std::vector<std::uint32_t> number(static_cast<std::size_t>(given.most - given.least) + 1, 0);
    for (const ValueNumber v : values) number[slot(v)] = 1;
    std::uint32_t sum = 0;
    for (std::uint32_t& entry : number) sum += std::exchange(entry, sum);
    for (const ValueNumber v : values) classes[v] = number[slot(v)];
    return classes;
  }
  const auto better = [&](ValueNumber a, ValueNumber b) {
    if (given.integers) {
      const std::int64_t left = priority[a].integer(), right = priority[b].integer();
      return largest_first ? left > right : left < right;
    }
    const auto order = pool.compare(priority[a], priority[b]);
    return largest_first ? order > 0 : order < 0;
  };
  // Numbered in order already where values are their own priorities (algo/number_values.hpp).
  const auto worse = [&](ValueNumber a, ValueNumber b) { return better(b, a); };
  if (std::is_sorted(values.begin(), values.end(), worse)) std::reverse(values.begin(), values.end());
  if (!std::is_sorted(values.begin(), values.end(), better)) std::sort(values.begin(), values.end(), better);
  for (std::size_t i = 1; i < values.size(); ++i) {
    classes[values[i]] = classes[values[i - 1]] + (priority[values[i]] == priority[values[i - 1]] ? 0 : 1);
  }
  return classes;
}

/// For lists of one length whose elements are integers in ranges that fit into one together: an integer for each value
/// that compares as the lists do. Nothing for others.
std::optional<algo::ByValue<Value>> packed(const Given& given, bool largest_first, const ValuePool& pool) {
  constexpr unsigned kBits = 59;  // of an integer that is held inline
  struct Range {
    std::int64_t least = INT64_MAX, most = INT64_MIN;
    unsigned bits = 0;
  };
  if (given.values.empty() || !given.priority[given.values.front()].is_list()) return std::nullopt;
  std::vector<Range> ranges(pool.elements_of(given.priority[given.values.front()]).size());
  for (const ValueNumber v : given.values) {
    if (!given.priority[v].is_list()) return std::nullopt;
    const auto elements = pool.elements_of(given.priority[v]);
    if (elements.size() != ranges.size()) return std::nullopt;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!elements[i].is_integer()) return std::nullopt;
      ranges[i].least = std::min(ranges[i].least, elements[i].integer());
      ranges[i].most = std::max(ranges[i].most, elements[i].integer());
    }
  }
  unsigned bits = 0;
  for (Range& range : ranges) {
    range.bits = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(range.most - range.least)));
    bits += range.bits;
  }
  if (bits > kBits) return std::nullopt;
  algo::ByValue<Value> keys(given.priority.size());
  for (const ValueNumber v : given.values) {
    const auto elements = pool.elements_of(given.priority[v]);
    std::int64_t key = 0;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const std::int64_t at = elements[i].integer();
      key = (key << ranges[i].bits) | (largest_first ? ranges[i].most - at : at - ranges[i].least);
    }
    keys[v] = Value::integer(key);
  }
  return keys;
}

/// The different priorities, by number.
std::vector<Value> number_partial(const Given& given, const PriorityOrder& order, const ValuePool& pool,
                                  algo::ByValue<std::uint32_t>& classes) {
  std::vector<Value> priorities;
  if (order.kind() != PriorityOrder::Kind::relation) {
    const auto keys = packed(given, order.kind() == PriorityOrder::Kind::componentwise_largest, pool);
    std::vector<ValueNumber> of_key(given.priority.size());  // the keys are numbered as values are
    const auto count = keys ? algo::number_in_order(*keys, of_key) : std::nullopt;
    if (count) {
      priorities.resize(*count);
      for (const ValueNumber v : given.values) {
        classes[v] = of_key[v.number()].number();
        priorities[classes[v]] = given.priority[v];
      }
      return priorities;
    }
  }
  absl::flat_hash_map<std::uint64_t, std::uint32_t> seen;
  for (const ValueNumber v : given.values) {
    const auto [at, is_new] = seen.try_emplace(given.priority[v].bits(), static_cast<std::uint32_t>(priorities.size()));
    if (is_new) priorities.push_back(given.priority[v]);
    classes[v] = at->second;
  }
  std::vector<std::uint32_t> sorted(priorities.size()), number(priorities.size());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) sorted[i] = i;
  std::sort(sorted.begin(), sorted.end(),
            [&](std::uint32_t a, std::uint32_t b) { return order.extended(priorities[a], priorities[b], pool) < 0; });
  for (std::uint32_t i = 0; i < sorted.size(); ++i) number[sorted[i]] = i;
  for (const ValueNumber v : given.values) classes[v] = number[classes[v]];
  std::vector<Value> numbered;
  numbered.reserve(sorted.size());
  for (const std::uint32_t i : sorted) numbered.push_back(priorities[i]);
  return numbered;
}

/// Ranks of one component of the classes in `having`: equal where they are, and ascending. For integers close together
/// their distances from the least do.
void rank_component(const std::vector<Value>& component, std::vector<std::size_t>& having, bool reversed,
                    const ValuePool& pool, std::vector<std::int32_t>& ranks) {
  const bool integers =
      std::all_of(having.begin(), having.end(), [&](std::size_t c) { return component[c].is_integer(); });
  std::int64_t least = INT64_MAX, most = INT64_MIN;
  for (std::size_t i = 0; integers && i < having.size(); ++i) {
    least = std::min(least, component[having[i]].integer());
    most = std::max(most, component[having[i]].integer());
  }
  if (integers && (having.empty() || most - least < INT32_MAX)) {
    for (const std::size_t c : having) {
      ranks[c] = static_cast<std::int32_t>(reversed ? most - component[c].integer() : component[c].integer() - least);
    }
    return;
  }
  std::sort(having.begin(), having.end(),
            [&](std::size_t a, std::size_t b) { return pool.compare(component[a], component[b]) < 0; });
  std::int32_t rank = 0;
  for (std::size_t at = 0; at < having.size(); ++at) {
    if (at > 0 && component[having[at]] != component[having[at - 1]]) ++rank;
    ranks[having[at]] = reversed ? -rank : rank;
  }
}

}  // namespace

ClassOrder::ClassOrder(const std::vector<Value>& priorities, const PriorityOrder& order, const ValuePool& pool)
    : classes_(priorities.size()) {
  if (order.kind() == PriorityOrder::Kind::relation) {
    spelled_out_.resize(classes_ * classes_);
    total_ = true;
    for (std::size_t a = 0; a < classes_; ++a) {
      for (std::size_t b = a + 1; b < classes_; ++b) {
        spelled_out_[a * classes_ + b] = order.before(priorities[a], priorities[b], pool) ? 1 : 0;
        total_ = total_ && spelled_out_[a * classes_ + b] != 0;
      }
    }
    return;
  }
  const auto components = [&](std::size_t which) {
    return priorities[which].is_list() ? pool.elements_of(priorities[which]) : std::span(&priorities[which], 1);
  };
  // 0: no list; else the length and one.
  sheet_.resize(classes_);
  bool one_sheet = true;
  for (std::size_t c = 0; c < classes_; ++c) {
    sheet_[c] = priorities[c].is_list() ? static_cast<std::uint32_t>(components(c).size()) + 1 : 0;
    coordinates_ = std::max(coordinates_, static_cast<std::uint32_t>(components(c).size()));
    one_sheet = one_sheet && sheet_[c] == sheet_[0];
  }
  plane_ = one_sheet && coordinates_ == 2;
  total_ = one_sheet && coordinates_ <= 1;
  point_.assign(classes_ * coordinates_, 0);
  std::vector<Value> component(classes_);
  std::vector<std::size_t> having;
  std::vector<std::int32_t> ranks(classes_, 0);
  for (std::uint32_t i = 0; i < coordinates_; ++i) {
    having.clear();
    for (std::size_t c = 0; c < classes_; ++c) {
      const auto own = components(c);
      if (i >= own.size()) continue;
      component[c] = own[i];
      having.push_back(c);
    }
    rank_component(component, having, order.kind() == PriorityOrder::Kind::componentwise_largest, pool, ranks);
    for (std::size_t c = 0; c < classes_; ++c) point_[c * coordinates_ + i] = ranks[c];
  }
}

PriorityClasses priority_classes(const history::Subhistory& part, const algo::ContainerHistory& history,
                                 const PriorityOrder& order) {
  const ValuePool& pool = part.history->pool();
  PriorityClasses classes;
  Given given = collect(part, history);
  if (order.total()) {
    classes.of = total_classes(std::move(given), order.kind() == PriorityOrder::Kind::largest, pool);
    return classes;
  }
  classes.of.assign(history.values, 0);
  const std::vector<Value> priorities = number_partial(given, order, pool, classes.of);
  auto partial = std::make_shared<ClassOrder>(priorities, order, pool);
  if (!partial->total()) classes.order = std::move(partial);
  return classes;
}

PriorityClasses priority_classes(const algo::ContainerPart& part, std::uint32_t values, const PriorityClasses& whole) {
  PriorityClasses classes;
  classes.of.resize(values);
  for (ValueNumber v = 0; v < values; ++v) classes.of[v] = whole.of[part.original_value(v)];
  std::vector<std::uint32_t> sorted(classes.of.begin(), classes.of.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (std::uint32_t& c : classes.of) {
    c = static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), c) - sorted.begin());
  }
  if (whole.order == nullptr) return classes;
  classes.order = whole.order;
  for (std::uint32_t& c : sorted) c = whole.known(c);
  classes.original = std::move(sorted);
  return classes;
}

}  // namespace linchpin::types
