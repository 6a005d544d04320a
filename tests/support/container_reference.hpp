// Slow polynomial deciders for stacks and priority queues in which no value is added twice: the criteria of the theory,
// spelled out over every gap, for histories that are too long for the oracle. For tests only; shares no code with src.
//
// Known results only: a pending remove of unknown result must not occur. Rows of the method table: 0 adds, 1 removes,
// 2 looks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::test {

struct ReferenceValue {
  std::int64_t add_call = -1, remove_response = -1;
  std::int64_t first_response = INT64_MAX, last_call = -1;
  bool pending_add = false, added = false, removed = false;
  std::size_t add = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> looks;  // call, response
  Value priority;

  [[nodiscard]] bool covers(std::int64_t gap) const { return first_response <= gap && gap < last_call; }
};

class ContainerReference {
 public:
  enum class Kind { stack, any_ties, fifo_ties };
  /// Whether the left priority goes strictly before the right one; a partial order.
  using Better = std::function<bool(Value, Value, const ValuePool&)>;

  ContainerReference(const history::Subhistory& part, Kind kind, bool largest_first = false)
      : ContainerReference(part, kind, [largest_first](Value left, Value right, const ValuePool& pool) {
          const auto order = pool.compare(left, right);
          return largest_first ? order > 0 : order < 0;
        }) {}

  ContainerReference(const history::Subhistory& part, Kind kind, Better better)
      : end_(part.ranks().number()), kind_(kind), better_(std::move(better)) {
    std::map<std::uint64_t, ReferenceValue> values;
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const bool pending = part.pending(i);
      const std::int64_t call = part.call[i].number(), response = pending ? INT64_MAX : part.response[i].number();
      if (part.method[i] == 0) {
        ReferenceValue& value = values[part.arguments(i)[0].bits()];
        value.added = true;
        value.pending_add = pending;
        value.add_call = call;
        value.priority = part.arguments(i).back();
        value.first_response = std::min(value.first_response, response);
        value.last_call = std::max(value.last_call, call);
        continue;
      }
      if (pending) continue;
      if (part.method[i] > 2 || part.result(i).is_nil()) {
        empties_.emplace_back(call, response);
        continue;
      }
      ReferenceValue& value = values[part.result(i).bits()];
      if (part.method[i] == 1) {
        impossible_ = impossible_ || value.removed;
        value.removed = true;
        value.remove_response = response;
      } else {
        value.looks.emplace_back(call, response);
      }
      value.first_response = std::min(value.first_response, response);
      value.last_call = std::max(value.last_call, call);
    }
    for (auto& [bits, value] : values) {
      if (value.pending_add && value.first_response == INT64_MAX) continue;
      if (!value.added) impossible_ = true;
      if (!value.removed) {
        value.last_call = end_;
        value.remove_response = end_ + 1;
      }
      if (value.first_response < value.add_call || value.last_call > value.remove_response) impossible_ = true;
      for (auto& [call, response] : value.looks) {
        call = std::max(call, value.add_call);
        response = std::min(response, value.remove_response);
      }
      pool_ = &part.history->pool();
      values_.push_back(value);
    }
  }

  [[nodiscard]] bool linearizable() const {
    if (impossible_) return false;
    for (const auto& [call, response] : empties_) {
      if (!some_gap(call, response, [&](std::int64_t gap) {
            return std::none_of(values_.begin(), values_.end(), [&](const auto& v) { return v.covers(gap); });
          })) {
        return false;
      }
    }
    return kind_ == Kind::stack ? eliminates() : serves();
  }

 private:
  template <class Good>
  static bool some_gap(std::int64_t from, std::int64_t to, Good&& good) {
    for (std::int64_t gap = from; gap < to; ++gap) {
      if (good(gap)) return true;
    }
    return false;
  }

  [[nodiscard]] bool eliminates() const {
    std::vector<const ReferenceValue*> rest;
    for (const ReferenceValue& value : values_) rest.push_back(&value);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < rest.size(); ++i) {
        const ReferenceValue& v = *rest[i];
        const auto clear = [&](std::int64_t gap) {
          return std::none_of(rest.begin(), rest.end(), [&](const auto* u) { return u != &v && u->covers(gap); });
        };
        if (!some_gap(v.add_call, v.first_response, clear) || !some_gap(v.last_call, v.remove_response, clear))
          continue;
        if (!std::all_of(v.looks.begin(), v.looks.end(),
                         [&](const auto& look) { return some_gap(look.first, look.second, clear); })) {
          continue;
        }
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        changed = true;
        break;
      }
    }
    return rest.empty();
  }

  [[nodiscard]] bool better(const ReferenceValue& a, const ReferenceValue& b) const {
    return better_(a.priority, b.priority, *pool_);
  }

  [[nodiscard]] bool serves() const {
    const std::size_t n = values_.size();
    std::vector<std::int64_t> latest_first(n, -1), earliest_last(n, INT64_MAX);
    for (std::size_t i = 0; i < n; ++i) {
      const ReferenceValue& v = values_[i];
      const auto clear = [&](std::int64_t gap) {
        return std::none_of(values_.begin(), values_.end(),
                            [&](const auto& u) { return better(u, v) && u.covers(gap); });
      };
      auto operations = v.looks;
      operations.emplace_back(v.last_call, v.remove_response);
      for (const auto& [call, response] : operations) {
        std::int64_t first = -1, last = -1;
        for (std::int64_t gap = call; gap < response; ++gap) {
          if (!clear(gap)) continue;
          if (first < 0) first = gap;
          last = gap;
        }
        if (first < 0) return false;
        latest_first[i] = std::max(latest_first[i], first);
        earliest_last[i] = std::min(earliest_last[i], last);
      }
    }
    if (kind_ == Kind::any_ties) return true;
    // Equal priorities in order of insertion: "must come before" has no cycle.
    std::vector<bool> gone(n, false);
    for (std::size_t left = n; left > 0;) {
      bool changed = false;
      for (std::size_t v = 0; v < n; ++v) {
        if (gone[v]) continue;
        bool first = true;
        for (std::size_t u = 0; u < n && first; ++u) {
          if (u == v || gone[u] || values_[u].priority != values_[v].priority) continue;
          first = values_[u].first_response >= values_[v].add_call && earliest_last[u] >= latest_first[v];
        }
        if (!first) continue;
        gone[v] = changed = true;
        --left;
      }
      if (!changed) return false;
    }
    return true;
  }

  std::vector<ReferenceValue> values_;
  std::vector<std::pair<std::int64_t, std::int64_t>> empties_;
  std::int64_t end_;
  Kind kind_;
  Better better_;
  bool impossible_ = false;
  const ValuePool* pool_ = nullptr;
};

}  // namespace linchpin::test
