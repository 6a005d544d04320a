// Idea. Pending dequeues of unknown result are interchangeable but for their calls, so only two things matter of the
// values that nobody dequeued: which of them left, and by when each had to; U: these values, p(t): how many of the
// dequeues had been called by the moment t, letters X, Y, m, M as in values.hpp.
//   - u of U must have left before b was seen at the front, if u was enqueued first: by m(b), if Y(u) < X(b).
//   - An operation that found the queue empty took effect at some gap g, outside the cover of every value; by then all
//     of U with Y(u) <= g had left. So a gap will do iff no value covers it and N(g) <= p(g), where N(g) counts these.
// Where no value of U was peeked, both demands meet the values in the order of Y: whoever must leave by t, all with a
// smaller Y must. Then the number gone by t is the greater of N(g), for the last gap g in use, and of the number that
// must be gone for the fronts, each of which is no more than p(t) by itself: gaps can be chosen one by one, whatever
// else is demanded, and the k-th value in the order of deadlines is given the k-th dequeue. That done, the criterion
// for histories without pending dequeues says whether all fits.
// Where values of U were peeked, all of these but the last must have left, each before the next was seen at the front;
// of two that could go in either order, the one that was seen first is taken to go first. If what comes out fits, it is
// a linearization; demands that hold in any order, and cannot be met, are a violation, and so is one without these
// peeks; else the answer is unknown.
// Compare: position_search.cpp (any history). Tests: queue_monitor_test.cpp, tests/contract/pending_test.cpp.
#include "types/queue/pending_dequeues.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "types/queue/criterion.hpp"
#include "types/queue/monitor.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

namespace {

using core::Outcome;

/// Whether the history without looks at values of U is a violation; its core in the indices of the part.
std::optional<Outcome> refute_without_looks(const Values& values, core::Budget& budget) {
  const Subhistory& part = *values.part;
  std::vector<std::uint32_t> kept;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const ValueNumber value = values.value_of[i];
    const bool look = part.method[i] != Queue::kEnqueue && part.method[i] != Queue::kDequeue;
    if (!look || value == ValueNumber::none() || values.ranks[value].dequeue != kNone) kept.push_back(i);
  }
  Outcome outcome = decide(history::restrict(part, kept), {.witness = false}, budget);
  if (outcome.verdict != Verdict::violation) return std::nullopt;
  for (std::uint32_t& local : outcome.core) local = kept[local];
  return outcome;
}

/// By value of U, the greatest call of an operation on it; no pending dequeue is among these yet.
algo::ByValue<Rank> last_looks(const Values& values) {
  algo::ByValue<Rank> last(values.ranks.size(), 0);
  for (std::uint32_t i = 0; i < values.part->size(); ++i) {
    const ValueNumber value = values.value_of[i];
    if (value != ValueNumber::none() && values.ranks[value].dequeue == kNone)
      last[value] = std::max(last[value], values.part->call[i]);
  }
  return last;
}

/// The moments at which the queue may be empty, for every operation that found it so.
class Emptiness {
 public:
  Emptiness(const Values& values, const algo::ByValue<Rank>& last_look)
      : values_(values), part_(*values.part), last_look_(last_look) {
    for (const ValueNumber value : values.left) first_responses_.push_back(values.ranks[value].first_response);
    std::sort(first_responses_.begin(), first_responses_.end());
  }

  /// Chooses for each of them the first gap that will do; or a conflict.
  std::optional<Conflict> choose() {
    if (values_.empties == 0) return std::nullopt;
    history::ByRank<std::int32_t> covers(values_.end + 1, 0);
    for (ValueNumber value = 0; value < values_.ranks.size(); ++value) {
      const auto [from, to] = cover(value);
      if (from >= to) continue;
      ++covers[from];
      --covers[to];
    }
    // By gap, the first gap at or after it that will do.
    history::ByRank<Rank> next(values_.end + 1, Rank::none());
    std::int32_t inside = 0;
    std::size_t entered = 0, called = 0;
    for (Rank gap = 0; gap < values_.end; ++gap) {
      inside += covers[gap];
      while (entered < first_responses_.size() && first_responses_[entered] <= gap) ++entered;
      while (called < values_.unfinished.size() && part_.call[values_.unfinished[called]] <= gap) ++called;
      if (inside == 0 && entered <= called) next[gap] = gap;
    }
    for (Rank gap = values_.end; gap-- > 0;) next[gap] = std::min(next[gap], next[gap + 1]);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (values_.value_of[i] != ValueNumber::none() || part_.pending(i) || part_.method[i] == Queue::kEnqueue)
        continue;
      const Rank gap = next[part_.call[i]];
      if (gap >= part_.response[i]) return never_empty(i);
      gaps_.push_back(gap);
    }
    std::sort(gaps_.begin(), gaps_.end());
    return std::nullopt;
  }

  /// The first chosen gap at or after the rank: all that had been enqueued must be gone by then.
  [[nodiscard]] Rank next_after(Rank rank) const {
    const auto found = std::lower_bound(gaps_.begin(), gaps_.end(), rank);
    return found == gaps_.end() ? Rank::none() : *found;
  }

 private:
  /// The gaps [Y, M) in which the value is certainly inside, whatever pending dequeues remove.
  [[nodiscard]] std::pair<Rank, Rank> cover(ValueNumber value) const {
    const ValueRanks& ranks = values_.ranks[value];
    if (ranks.enqueue == kNone) return {Rank(0), Rank(0)};
    return {ranks.first_response, ranks.dequeue != kNone ? ranks.last_call : last_look_[value]};
  }

  /// A chain of reasons, from the call to the response: a value inside, or too few dequeues for the values that had to
  /// be gone.
  [[nodiscard]] Conflict never_empty(std::uint32_t i) const {
    struct Reason {
      Rank from, to;
      ValueNumber value;  // none: too few dequeues
    };
    const Rank call = part_.call[i], response = part_.response[i];
    std::vector<Reason> reasons;
    for (ValueNumber value = 0; value < values_.ranks.size(); ++value) {
      const auto [from, to] = cover(value);
      if (from < std::min(to, response) && to > call) reasons.push_back({from, to, value});
    }
    const auto called = [&](Rank gap) {
      return static_cast<std::size_t>(std::count_if(values_.unfinished.begin(), values_.unfinished.end(),
                                                    [&](std::uint32_t dequeue) { return part_.call[dequeue] <= gap; }));
    };
    for (Rank gap = call; gap < response;) {
      const std::size_t have = called(gap);
      // Nothing changes until the next dequeue is called.
      const Rank until =
          have < values_.unfinished.size() ? std::min(response, part_.call[values_.unfinished[have]]) : response;
      if (have < first_responses_.size() && first_responses_[have] < until) {
        reasons.push_back({std::max(gap, first_responses_[have]), until, ValueNumber::none()});
      }
      gap = until;
    }
    std::sort(reasons.begin(), reasons.end(), [](const Reason& a, const Reason& b) { return a.from < b.from; });
    Conflict conflict{.values = {}, .operations = {i}, .sentence = {}};
    std::string names;
    std::size_t needed = 0;  // values of U, by Y
    Rank covered = call;
    for (std::size_t k = 0; covered < response;) {
      const Reason* best = nullptr;
      for (; k < reasons.size() && reasons[k].from <= covered; ++k) {
        if (best == nullptr || reasons[k].to > best->to) best = &reasons[k];
      }
      if (best == nullptr || best->to <= covered) break;
      if (best->value == ValueNumber::none()) {
        needed = std::max(needed, called(best->to - 1) + 1);
      } else {
        conflict.values.push_back(best->value);
        if (values_.ranks[best->value].dequeue == kNone) {
          conflict.operations.push_back(operation_at(values_, last_look_[best->value]));
        }
        names += fmt::format("{}{}", names.empty() ? "" : ", then ", value_text(values_, best->value));
      }
      covered = best->to;
    }
    std::vector<ValueNumber> left;  // that have to be gone
    if (needed > 0) {
      left = values_.left;
      std::sort(left.begin(), left.end(), [&](ValueNumber a, ValueNumber b) {
        return values_.ranks[a].first_response < values_.ranks[b].first_response;
      });
      left.resize(needed);
      conflict.values.insert(conflict.values.end(), left.begin(), left.end());
    }
    std::size_t pending = 0;
    for (const std::uint32_t dequeue : values_.unfinished) {
      if (part_.call[dequeue] > response) continue;
      conflict.operations.push_back(dequeue);
      ++pending;
    }
    if (pending == 0) {  // what stays was inside, and nothing can have removed it
      for (const ValueNumber value : left) {
        names += fmt::format("{}{}", names.empty() ? "" : ", then ", value_text(values_, value));
      }
      needed = 0;
    }
    const std::string count = fmt::format("more values were inside than the {} pending dequeue{} can have removed",
                                          pending, pending == 1 ? "" : "s");
    conflict.sentence =
        fmt::format("{} found the queue empty, but at each moment of the call {}{}{}", text_of(part_, i),
                    names.empty() ? "" : fmt::format("a value was inside: {}", names),
                    names.empty() || needed == 0 ? "" : "; or ", needed == 0 ? "" : count);
    return conflict;
  }

  const Values& values_;
  const Subhistory& part_;
  const algo::ByValue<Rank>& last_look_;
  std::vector<Rank> first_responses_;  // of U, ascending
  std::vector<Rank> gaps_;             // ascending
};

/// A value of U and the rank by which it must have left.
struct Demand {
  ValueNumber value;
  Rank deadline;
};

/// Of two values of U that were peeked, whether the first is taken to leave before the second is seen.
bool goes_first(const Values& values, const algo::ByValue<Rank>& last_look, ValueNumber a, ValueNumber b) {
  const ValueRanks& first = values.ranks[a];
  const ValueRanks& second = values.ranks[b];
  if (first.first_response < second.enqueue_call) return true;
  if (second.first_response < first.enqueue_call) return false;
  if (first.first_seen < last_look[b]) return true;
  if (second.first_seen < last_look[a]) return false;
  return first.first_seen < second.first_seen;
}

/// The values of U that must leave, in the order in which they do: for those that were seen at the front after them,
/// in any order of what was seen; with `emptiness`, in one order, and for an empty queue as well.
std::vector<Demand> demands(const Values& values, const algo::ByValue<Rank>& last_look, const Emptiness* emptiness,
                            const std::vector<ValueNumber>& peeked) {
  const Rank end = values.end;
  // By rank r, the two least m(a) over values that were seen at the front and have M(a) >= r.
  struct Two {
    Rank least = Rank::none(), second = Rank::none();
    void add(Rank rank) {
      if (rank < least) {
        second = std::exchange(least, rank);
      } else {
        second = std::min(second, rank);
      }
    }
    void add(const Two& other) {
      add(other.least);
      if (other.second != Rank::none()) add(other.second);
    }
  };
  history::ByRank<Two> front_after(end + 2);
  const auto last_call = [&](ValueNumber value) {
    const ValueRanks& ranks = values.ranks[value];
    return ranks.dequeue != kNone ? ranks.last_call : last_look[value];
  };
  const auto seen = [&](ValueNumber value) {
    return values.ranks[value].enqueue != kNone && values.ranks[value].first_seen < end;
  };
  for (ValueNumber value = 0; value < values.ranks.size(); ++value) {
    if (seen(value)) front_after[last_call(value)].add(values.ranks[value].first_seen);
  }
  for (Rank rank = end + 1; rank-- > 0;) front_after[rank].add(front_after[rank + 1]);
  /// By when the value must be gone for those that were seen at the front after it.
  const auto own_deadline = [&](ValueNumber value) {
    const Rank first_seen = values.ranks[value].first_seen;
    const Two& others = front_after[first_seen + 1];
    const bool itself = last_call(value) > first_seen && others.least == first_seen;
    return itself ? others.second : others.least;
  };
  // By rank r, the least deadline of a value with X >= r: what was enqueued before it must be gone by then.
  history::ByRank<Rank> follower(end + 2, Rank::none());
  for (ValueNumber value = 0; value < values.ranks.size(); ++value) {
    if (!seen(value)) continue;
    const ValueRanks& ranks = values.ranks[value];
    follower[ranks.enqueue_call] = std::min({follower[ranks.enqueue_call], ranks.first_seen, own_deadline(value)});
  }
  for (Rank rank = end + 1; rank-- > 0;) follower[rank] = std::min(follower[rank], follower[rank + 1]);
  std::vector<Demand> demands;
  for (const ValueNumber value : values.left) {
    const ValueRanks& ranks = values.ranks[value];
    Rank deadline = follower[ranks.first_response + 1];
    if (emptiness != nullptr) deadline = std::min(deadline, emptiness->next_after(ranks.first_response));
    if (seen(value)) {
      deadline = std::min(deadline, own_deadline(value));
      for (const ValueNumber other : emptiness != nullptr ? std::span(peeked) : std::span<const ValueNumber>()) {
        if (other == value || !goes_first(values, last_look, value, other)) continue;
        deadline = std::min(deadline, values.ranks[other].first_seen);
      }
    }
    if (deadline != Rank::none()) demands.push_back({value, deadline});
  }
  std::sort(demands.begin(), demands.end(), [&](const Demand& a, const Demand& b) {
    return std::pair(a.deadline, values.ranks[a.value].first_response) <
           std::pair(b.deadline, values.ranks[b.value].first_response);
  });
  return demands;
}

/// The first values that must leave, one more than there are dequeues that can remove them in time; or the last of
/// these was seen after it must have left.
Outcome too_many(const Values& values, const algo::ByValue<Rank>& last_look, const std::vector<Demand>& demands,
                 std::size_t count) {
  const Subhistory& part = *values.part;
  Conflict conflict;
  const auto last_call = [&](ValueNumber value) {
    return values.ranks[value].dequeue != kNone ? values.ranks[value].last_call : last_look[value];
  };
  const auto take = [&](ValueNumber value) {
    conflict.values.push_back(value);
    if (values.ranks[value].dequeue == kNone) conflict.operations.push_back(operation_at(values, last_look[value]));
  };
  std::size_t called = 0;
  for (const std::uint32_t dequeue : values.unfinished) {
    if (part.call[dequeue] > demands[count - 1].deadline) continue;
    conflict.operations.push_back(dequeue);
    ++called;
  }
  Rank explained = Rank::none();                                        // the deadline of the value before
  ValueNumber passing = value_at(values, demands[count - 1].deadline);  // what the last value had to let pass
  for (std::size_t k = count; k-- > 0;) {
    take(demands[k].value);
    if (demands[k].deadline == explained && values.ranks[demands[k].value].first_seen >= values.end) continue;
    // The value that was seen at the front, or else one that had to pass before it, was enqueued after this one, or had
    // an operation called after this one was seen.
    explained = demands[k].deadline;
    const ValueNumber front = value_at(values, explained);
    take(front);
    const ValueRanks& ranks = values.ranks[demands[k].value];
    const bool direct = ranks.first_response < values.ranks[front].enqueue_call || ranks.first_seen < last_call(front);
    if (direct && front != demands[k].value) continue;
    for (ValueNumber value = 0; value < values.ranks.size(); ++value) {
      const ValueRanks& middle = values.ranks[value];
      if (middle.enqueue == kNone || middle.enqueue_call < ranks.first_response) continue;
      if (middle.first_seen >= last_call(front)) continue;
      take(value);
      if (k + 1 == count && front == demands[k].value) passing = value;  // it was seen itself before and after
      break;
    }
  }
  const ValueNumber front = value_at(values, demands[count - 1].deadline);
  if (last_look[demands[count - 1].value] > demands[count - 1].deadline) {
    conflict.sentence = fmt::format("{} must have left before {} was seen at the front, but was seen itself after that",
                                    value_text(values, demands[count - 1].value), value_text(values, passing));
    return violation(values, conflict);
  }
  conflict.sentence = fmt::format(
      "at least {} value{} must have left before {} was seen at the front, and only {} pending dequeue{} "
      "had been called by then",
      count, count == 1 ? "" : "s", value_text(values, front), called, called == 1 ? "" : "s");
  return violation(values, conflict);
}

/// All values that were seen at the front, but the last, must have left.
Outcome too_many_seen(const Values& values, std::vector<ValueNumber> peeked) {
  const std::size_t pending = values.unfinished.size();
  peeked.resize(pending + 2);
  return violation(values,
                   {.values = std::move(peeked),
                    .operations = values.unfinished,
                    .sentence = fmt::format("{} values were seen at the front, so {} must have left, and only "
                                            "{} dequeue{} pending",
                                            pending + 2, pending + 1, pending, pending == 1 ? " is" : "s are")});
}

/// Gives the k-th value the k-th pending dequeue.
void give(Values& values, const algo::ByValue<Rank>& last_look, const std::vector<Demand>& demands) {
  algo::ByValue<bool> given(values.ranks.size(), false);
  for (std::size_t k = 0; k < demands.size(); ++k) {
    const ValueNumber value = demands[k].value;
    const std::uint32_t dequeue = values.unfinished[k];
    ValueRanks& ranks = values.ranks[value];
    ranks.dequeue = dequeue;
    ranks.last_call = std::max({ranks.enqueue_call, last_look[value], values.part->call[dequeue]});
    values.value_of[dequeue] = value;
    given[value] = true;
  }
  std::erase_if(values.left, [&](ValueNumber value) { return given[value]; });
}

/// A dequeue was given to a value that nobody saw, after the front was seen to have a value that stays.
bool behind_what_stays(const Values& values, const std::vector<Demand>& demands) {
  Rank front = Rank::none();
  for (const ValueNumber value : values.left) front = std::min(front, values.ranks[value].first_seen);
  return std::any_of(demands.begin(), demands.end(),
                     [&](const Demand& demand) { return values.ranks[demand.value].last_call > front; });
}

}  // namespace

Outcome settle(const Values& values, bool witness, core::Budget& budget) {
  const Subhistory& part = *values.part;
  const algo::ByValue<Rank> last_look = last_looks(values);
  Emptiness emptiness(values, last_look);
  if (const auto never = emptiness.choose()) return violation(values, *never);
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  std::vector<ValueNumber> peeked;
  for (const ValueNumber value : values.left) {
    if (values.ranks[value].first_seen < values.end) peeked.push_back(value);
  }
  if (peeked.size() > values.unfinished.size() + 1) return too_many_seen(values, std::move(peeked));
  const auto open = [&]() -> Outcome {
    if (const auto refuted = refute_without_looks(values, budget)) return *refuted;
    return {.verdict = Verdict::unknown,
            .reason = budget.spent_now() ? budget.reason() : Reason::not_applicable,
            .sentence = "pending dequeues may have made room for a value that was seen and stays"};
  };
  /// How many values are served in time.
  const auto served = [&](const std::vector<Demand>& demanded) {
    std::size_t k = 0;
    while (k < std::min(demanded.size(), values.unfinished.size()) &&
           part.call[values.unfinished[k]] <= demanded[k].deadline) {
      ++k;
    }
    return k;
  };
  const std::vector<Demand> certain = demands(values, last_look, nullptr, peeked);
  for (const Demand& demand : certain) {
    if (last_look[demand.value] > demand.deadline) return too_many(values, last_look, {demand}, 1);
  }
  if (const std::size_t k = served(certain); k < certain.size()) return too_many(values, last_look, certain, k + 1);
  const std::vector<Demand> demanded = demands(values, last_look, &emptiness, peeked);
  if (served(demanded) < demanded.size()) return open();
  Values given = values;
  give(given, last_look, demanded);
  std::vector<PlacedEmpty> empties;
  if (const auto conflict = find_conflict(given, empties)) return peeked.empty() ? violation(given, *conflict) : open();
  if (behind_what_stays(given, demanded)) return open();
  Outcome outcome{.verdict = Verdict::linearizable};
  if (!witness) return outcome;
  std::vector<ValueNumber> order = find_passage(given);
  // What stays is behind what pending dequeues removed.
  std::stable_partition(order.begin(), order.end(),
                        [&](ValueNumber value) { return given.ranks[value].dequeue != kNone; });
  outcome.witness = linearize(given, std::move(order), empties);
  return outcome;
}

}  // namespace linchpin::types::queue
