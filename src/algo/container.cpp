#include "algo/container.hpp"

#include <algorithm>

#include "base/none.hpp"
#include "history/events.hpp"

namespace linchpin::algo {

using history::Rank;

namespace {

/// The first operation of `value` that satisfies `wanted`.
template <class Wanted>
std::uint32_t find_operation(const ContainerHistory& history, ValueNumber value, Wanted&& wanted) {
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    const ActKind kind = history.kind[i];
    if (history.value[i] == value && (kind == ActKind::add || kind == ActKind::look || kind == ActKind::take) &&
        wanted(i)) {
      return i;
    }
  }
  return kNone;
}

}  // namespace

std::optional<ValueFault> ContainerValues::sum_up(ContainerHistory& history) {
  span.assign(history.values, ValueSpan{});
  any_look = any_empty = any_lost = any_unmatched = false;
  std::vector<std::uint32_t> pending_removes;
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    const ActKind kind = history.kind[i];
    if (kind > ActKind::take) {
      any_empty |= kind == ActKind::empty;
      any_lost |= kind == ActKind::lost_take;
      continue;
    }
    // Adds, looks and removes come as good as at random, so nothing branches on which it is.
    const bool adds = kind == ActKind::add, removes = kind == ActKind::take;
    const Rank call = history.call[i], response = history.response[i];
    ValueSpan& value = span[history.value[i]];
    if (removes && (response == Rank::none() || value.remove != kNone)) {
      if (response == Rank::none()) {
        pending_removes.push_back(i);
        continue;
      }
      for (std::uint32_t later = i + 1; value.add == kNone && later < history.size(); ++later) {
        if (history.kind[later] == ActKind::add && history.value[later] == history.value[i]) value.add = later;
      }
      if (value.add == kNone) return ValueFault{ValueFault::Kind::never_added, {i}};
      return ValueFault{ValueFault::Kind::removed_twice, {value.add, value.remove, i}};
    }
    value.add = adds ? i : value.add;
    value.add_call = adds ? call : value.add_call;
    value.remove = removes ? i : value.remove;
    value.remove_response = removes ? response : value.remove_response;
    any_look |= kind == ActKind::look;
    value.first_response = std::min(value.first_response, response);
    value.last_call = std::max(value.last_call, call);
  }
  // Of the pending removes of a value that nobody else removes, the first called has the widest interval. The value's
  // add counts as observed only by what has returned: erasing both leaves a legal history.
  for (const std::uint32_t i : pending_removes) {
    ValueSpan& value = span[history.value[i]];
    if (value.add == kNone || value.remove != kNone || value.first_response == Rank::none()) {
      history.kind[i] = ActKind::omitted;
      continue;
    }
    value.remove = i;
    value.remove_response = history.ranks + 1;
    value.last_call = std::max(value.last_call, history.call[i]);
  }
  for (ValueNumber v = 0; v < history.values; ++v) {
    ValueSpan& value = span[v];
    if (value.add == kNone) {
      if (value.first_response == Rank::none()) continue;  // only pending operations, all dropped
      return ValueFault{ValueFault::Kind::never_added,
                        {find_operation(history, v, [](std::uint32_t) { return true; })}};
    }
    if (value.first_response == Rank::none()) {  // a pending add that nobody saw
      history.kind[value.add] = ActKind::omitted;
      value.add = kNone;
      continue;
    }
    if (value.first_response < value.add_call) {
      const std::uint32_t early =
          find_operation(history, v, [&](std::uint32_t i) { return history.response[i] < value.add_call; });
      return ValueFault{ValueFault::Kind::before_add, {value.add, early}};
    }
    if (value.remove == kNone) {
      any_unmatched = true;
      value.last_call = history.ranks;
      value.remove_response = history.ranks + 1;
    } else if (value.last_call > value.remove_response) {
      const std::uint32_t late =
          find_operation(history, v, [&](std::uint32_t i) { return history.call[i] > value.remove_response; });
      return ValueFault{ValueFault::Kind::after_remove, {value.add, value.remove, late}};
    }
  }
  return std::nullopt;
}

LooksByValue::LooksByValue(const ContainerHistory& history) : begin(history.values + 1, 0) {
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    if (history.kind[i] == ActKind::look) ++begin[history.value[i].number()];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& entry : begin) sum += std::exchange(entry, sum);
  looks.resize(sum);
  for (std::uint32_t i = 0; i < history.size(); ++i) {
    if (history.kind[i] == ActKind::look) looks[begin[history.value[i].number()]++] = i;
  }
  for (std::size_t v = begin.size() - 1; v > 0; --v) begin[v] = begin[v - 1];
  begin[0] = 0;
}

ContainerPart::ContainerPart(const ContainerHistory& whole, std::vector<std::uint32_t> operations)
    : operations_(std::move(operations)) {
  std::vector<Rank> ranks;
  ranks.reserve(2 * operations_.size());
  for (const std::uint32_t i : operations_) {
    ranks.push_back(whole.call[i]);
    if (whole.response[i] != Rank::none()) ranks.push_back(whole.response[i]);
    if (whole.value[i] != ValueNumber::none()) values_.push_back(whole.value[i]);
  }
  std::sort(ranks.begin(), ranks.end());
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  const auto index = [](const auto& sorted, auto key) {
    return static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), key) - sorted.begin());
  };
  for (const std::uint32_t i : operations_) {
    history_.kind.push_back(whole.kind[i]);
    history_.value.push_back(whole.value[i] == ValueNumber::none() ? ValueNumber::none()
                                                                   : ValueNumber(index(values_, whole.value[i])));
    call_.push_back(Rank(index(ranks, whole.call[i])));
    response_.push_back(whole.response[i] == Rank::none() ? Rank::none() : Rank(index(ranks, whole.response[i])));
  }
  history_.call = call_;
  history_.response = response_;
  history_.ranks = Rank(ranks.size());
  history_.values = static_cast<std::uint32_t>(values_.size());
}

}  // namespace linchpin::algo
