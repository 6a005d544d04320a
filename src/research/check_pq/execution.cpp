#include "research/check_pq/execution.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/none.hpp"

namespace linchpin::research::check_pq {

namespace {

using history::Subhistory;

/// The rows of the method table that matter.
struct Rows {
  explicit Rows(const Specification& specification)
      : put(specification.find_method("insert").value_or(0xffff)),
        remove(specification.find_method("poll").value_or(0xffff)),
        size(specification.find_method("size").value_or(0xffff)),
        is_empty(specification.find_method("is_empty").value_or(0xffff)) {}
  std::uint16_t put, remove, size, is_empty;
};

/// How the priorities of two inserts stand to each other, by trying.
class Probe {
 public:
  Probe(const Subhistory& part, const Rows& rows)
      : part_(part), rows_(rows), states_(part.specification->make_states()) {}

  Comparison compare(std::uint32_t left, std::uint32_t right) {
    const auto [left_leaves, right_waits] = leaves(left, right);
    const auto [right_leaves, left_waits] = leaves(right, left);
    // `leaves(a, b)`: with a put first, may a leave, may b leave.
    if (left_leaves && right_leaves && !right_waits && !left_waits) return Comparison::same;
    if (left_leaves && !right_waits && left_waits && !right_leaves) return Comparison::smaller;
    if (right_leaves && !left_waits && right_waits && !left_leaves) return Comparison::larger;
    return Comparison::incomparable;
  }

 private:
  std::pair<bool, bool> leaves(std::uint32_t first, std::uint32_t second) {
    const StateId both = after(after(states_->initial(), put(first)), put(second));
    return {may_leave(both, first), may_leave(both, second)};
  }
  [[nodiscard]] Operation put(std::uint32_t local) const {
    Operation operation = part_.view(local);
    operation.result = Value::none();
    return operation;
  }
  StateId after(StateId state, const Operation& operation) {
    next_.clear();
    states_->successors(state, operation, next_);
    return next_.front();
  }
  bool may_leave(StateId state, std::uint32_t local) {
    next_.clear();
    states_->successors(state,
                        Operation{.method = rows_.remove,
                                  .arguments = {},
                                  .result = part_.arguments(local)[0],
                                  .pool = &part_.history->pool()},
                        next_);
    return !next_.empty();
  }

  const Subhistory& part_;
  const Rows& rows_;
  std::unique_ptr<StateTable> states_;
  std::vector<StateId> next_;
};

void compare_all(const Subhistory& part, const Rows& rows, Execution& execution) {
  const std::size_t count = execution.values.size();
  // One value for each priority; two where there are two, for how equals stand to each other.
  std::map<std::uint64_t, std::size_t> number;
  std::vector<std::array<std::uint32_t, 2>> samples;
  std::vector<std::size_t> of(count);
  for (std::size_t v = 0; v < count; ++v) {
    const std::uint32_t put = execution.values[v].put_local;
    const auto [at, is_new] = number.try_emplace(part.arguments(put).back().bits(), samples.size());
    if (is_new)
      samples.push_back({put, kNone});
    else if (samples[at->second][1] == kNone)
      samples[at->second][1] = put;
    of[v] = at->second;
  }
  Probe probe(part, rows);
  std::vector<Comparison> table(samples.size() * samples.size(), Comparison::same);
  for (std::size_t a = 0; a < samples.size(); ++a) {
    for (std::size_t b = 0; b < samples.size(); ++b) {
      const std::uint32_t other = a == b ? samples[b][1] : samples[b][0];
      if (other != kNone) table[a * samples.size() + b] = probe.compare(samples[a][0], other);
    }
  }
  execution.comparisons.resize(count * count);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      execution.comparisons[a * count + b] = a == b ? Comparison::same : table[of[a] * samples.size() + of[b]];
    }
  }
}

}  // namespace

Projection Projection::whole(const Execution& execution) {
  Projection all{.execution = &execution, .values = {}, .empties = {}};
  for (std::uint32_t i = 0; i < execution.values.size(); ++i) all.values.push_back(i);
  for (std::uint32_t i = 0; i < execution.empties.size(); ++i) all.empties.push_back(i);
  return all;
}

Projection Projection::without_value(std::uint32_t value) const {
  Projection rest = *this;
  std::erase(rest.values, value);
  return rest;
}

Projection Projection::without_empty(std::uint32_t which) const {
  Projection rest = *this;
  std::erase(rest.empties, which);
  return rest;
}

bool Projection::maximal(std::uint32_t value) const {
  return std::none_of(values.begin(), values.end(),
                      [&](std::uint32_t other) { return execution->smaller(value, other); });
}

Projection Projection::up_to_priority_of(std::uint32_t value) const {
  Projection part{.execution = execution, .values = {}, .empties = {}};
  for (const std::uint32_t other : values) {
    if (execution->same(other, value) || execution->smaller(other, value)) part.values.push_back(other);
  }
  return part;
}

Reading read_execution(const Subhistory& part) {
  Reading reading;
  Execution& execution = reading.execution;
  const Rows rows(*part.specification);
  const ValuePool& pool = part.history->pool();
  struct Seen {
    std::uint32_t put = kNone;
    std::vector<std::uint32_t> removes;
  };
  std::map<std::uint64_t, Seen> seen;  // by value
  std::vector<std::uint64_t> order;    // of first occurrence
  const auto of = [&](Value value) -> Seen& {
    const auto [at, is_new] = seen.try_emplace(value.bits());
    if (is_new) order.push_back(value.bits());
    return at->second;
  };
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const Value result = part.result(i);
    if (part.method[i] == rows.put) {
      const Value value = part.arguments(i)[0];
      Seen& own = of(value);
      if (own.put != kNone) {
        reading.obstacle = fmt::format("value {} is put twice", pool.to_text(value));
      } else if (value.is_nil() || value.is_unknown() || value.is_none() || !part.view(i).acknowledged(0)) {
        reading.obstacle = fmt::format("{} is no plain put", part.history->describe(part.operation[i]));
      }
      own.put = i;
    } else if (part.pending(i)) {
      if (part.method[i] == rows.remove)
        reading.obstacle = "a remove is pending: the paper has completed executions only";
    } else if (part.method[i] == rows.remove && !result.is_nil() && !result.is_unknown() && !result.is_none()) {
      of(result).removes.push_back(i);
    } else {
      const bool empty = (part.method[i] == rows.remove && result.is_nil()) ||
                         (part.method[i] == rows.size && result == Value::integer(0)) ||
                         (part.method[i] == rows.is_empty && result == Value::boolean(true));
      if (!empty) {
        reading.obstacle = fmt::format("{} is neither a put nor a remove", part.history->describe(part.operation[i]));
      }
      execution.empties.push_back({.interval = {part.call[i], part.response[i]}, .local = i});
    }
    if (!reading.obstacle.empty()) return reading;
  }
  auto end = part.ranks();
  for (const std::uint64_t bits : order) {
    const Seen& own = seen[bits];
    const std::string value = pool.to_text(Value::from_bits(bits));
    if (own.put == kNone || own.removes.size() > 1) {
      reading.mismatch = {.locals = own.removes, .sentence = {}};
      if (own.put == kNone) {
        reading.mismatch->locals.resize(1);
        reading.mismatch->sentence = fmt::format("{} was removed and never put", value);
      } else {
        reading.mismatch->locals.resize(2);
        reading.mismatch->locals.push_back(own.put);
        std::sort(reading.mismatch->locals.begin(), reading.mismatch->locals.end());
        reading.mismatch->sentence = fmt::format("{} was put once and removed twice", value);
      }
      return reading;
    }
    if (part.pending(own.put) && own.removes.empty()) continue;
    PutAndRemove made{.put = {part.call[own.put], part.pending(own.put) ? end++ : part.response[own.put]},
                      .rm = std::nullopt,
                      .put_local = own.put};
    if (!own.removes.empty()) {
      made.rm_local = own.removes[0];
      made.rm = Interval{part.call[made.rm_local], part.response[made.rm_local]};
    }
    execution.values.push_back(made);
  }
  compare_all(part, rows, execution);
  return reading;
}

}  // namespace linchpin::research::check_pq
