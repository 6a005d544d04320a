// Decides bag histories in which no value that something found missing is added twice.
//
// Values do not touch each other in a bag; only operations that found nothing inside concern all of them.
//  - A value that is added once: its add comes first and its remove last, so it is possible on its own iff no other
//    operation on it returned before the add was called, nor was called after the remove returned; it is certainly
//    inside in the gaps [Y, M), and nowhere else need it be. What found it missing needs a gap outside; what found
//    nothing inside needs a gap outside of every value's.
//  - A value that is added several times, and never found missing: nothing forbids a high count, so adds take effect
//    when they are called and removes when they return; wrong iff the count falls below zero, or a sighting has no
//    moment with a count above.
// Pending adds and removes of a known value may be left out. A pending take took some value, or did not happen: unless
// something was found missing it never helps. Where it may, the history is decided without pending takes, and with all
// that could have been taken gone since the first of them; where the two differ: unknown, and the search decides.
// Precondition: results say what happened; where a value repeats, nothing found it missing, and nothing found the bag
// empty. Cost O(n). Source: docs/design/monitors.md: with zero tests on repeated values
// neither adding early nor removing late is right. Compare: decide/search (any history), bag-plain.
// Tests: bag_monitor_test.cpp, tests/cross/monitors_test.cpp.
#include "types/bag/monitor.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "algo/radix_sort.hpp"
#include "types/bag/specification.hpp"
#include "types/bag/values.hpp"

namespace linchpin::types::bag {

namespace {

using core::Outcome;

class BagCheck {
 public:
  explicit BagCheck(Values& values)
      : values_(values), part_(*values.part), gap_(part_.size(), Rank::none()), step_(part_.size(), 0) {}

  /// A violation, or nothing. @param taken  values that nobody removed are gone since the first pending take
  std::optional<Outcome> refute(bool taken) {
    if (auto found = sum_up(taken)) return found;
    if (auto found = check_singles()) return found;
    return sweep();
  }

  [[nodiscard]] bool any_left() const { return any_left_; }

  /// The operations by their gaps. @pre refute() found nothing
  [[nodiscard]] std::vector<std::uint32_t> witness() {
    for (std::uint32_t i = 0; i < part_.size(); ++i) place(i);
    // Gap by gap, and inside a gap step by step: two stable sorts.
    std::array<std::uint32_t, kSteps + 1> begin{};
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (gap_[i] != Rank::none()) ++begin[step_[i] + 1U];
    }
    for (std::size_t step = 0; step < kSteps; ++step) begin[step + 1] += begin[step];
    std::vector<std::uint64_t> words(begin[kSteps]), buffer;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (gap_[i] != Rank::none()) words[begin[step_[i]]++] = (std::uint64_t{gap_[i].number()} << 32U) | i;
    }
    algo::radix_sort(words, 32, 64, buffer);
    std::vector<std::uint32_t> order;
    order.reserve(words.size());
    for (const std::uint64_t word : words) order.push_back(static_cast<std::uint32_t>(word));
    return order;
  }

 private:
  /// What happens in one gap, in this order: what leaves, what comes and goes, what finds something missing, what
  /// comes.
  enum Step : std::uint8_t { kLastSight, kLeave, kPassIn, kPassSeen, kPassOut, kMissing, kEnter, kSight, kGo, kSteps };

  std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  std::string value_text(std::uint32_t i) const {
    const bool named = part_.method[i] != Bag::kTake;
    return part_.history->pool().to_text(named ? part_.arguments(i)[0] : part_.result(i));
  }
  std::uint32_t operation_at(Rank rank) const { return part_.events()[rank].operation(); }

  static Outcome violation(std::vector<std::uint32_t> core, std::string sentence) {
    std::sort(core.begin(), core.end());
    core.erase(std::unique(core.begin(), core.end()), core.end());
    return {.verdict = Verdict::violation, .core = std::move(core), .sentence = std::move(sentence)};
  }

  /// What shows that the value was inside: the operations of Y and M, its add and its remove.
  void add_value(std::vector<std::uint32_t>& core, ValueNumber value) const {
    const ValueRanks& ranks = values_.ranks[value];
    for (const std::uint32_t i : {ranks.add, ranks.remove}) {
      if (i != kNone) core.push_back(i);
    }
    for (const Rank rank : {ranks.first_response, ranks.last_call}) {
      if (rank < values_.end) core.push_back(operation_at(rank));
    }
  }

  /// Y and M of the values that are added at most once; leaves out what is pending and unobserved.
  std::optional<Outcome> sum_up(bool taken) {
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (values_.kind[i] == ActKind::lost_take && first_lost_ == kNone) first_lost_ = i;
      const ValueNumber value = values_.value_of[i];
      if (value == ValueNumber::none()) continue;
      ValueRanks& ranks = values_.ranks[value];
      const ActKind kind = values_.kind[i];
      if (kind == ActKind::add) ranks.add = i;
      if (kind == ActKind::missing) continue;
      if (!part_.pending(i) && kind != ActKind::add) ranks.seen = true;
      if (kind == ActKind::take && !ranks.repeats()) {
        if (part_.pending(i)) continue;
        if (ranks.remove != kNone && ranks.added == 1) return removed_twice(value, i);
        ranks.remove = i;
      }
      ranks.first_response = std::min(ranks.first_response, part_.response[i]);
      ranks.last_call = std::max(ranks.last_call, part_.call[i]);
    }
    // Of the pending removes of a value that nobody else removes, the first called can do all that the others can.
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (values_.kind[i] != ActKind::take || !part_.pending(i)) continue;
      ValueRanks& ranks = values_.ranks[values_.value_of[i]];
      if (ranks.repeats() || ranks.add == kNone || ranks.remove != kNone ||
          ranks.first_response == history::Rank::none()) {
        values_.kind[i] = ActKind::omitted;
        continue;
      }
      any_left_ = true;  // a pending take may have been there first
      if (taken && first_lost_ < i) {
        values_.kind[i] = ActKind::omitted;
        continue;
      }
      ranks.remove = i;
      ranks.last_call = std::max(ranks.last_call, part_.call[i]);
    }
    for (ValueRanks& ranks : values_.ranks) {
      if (ranks.repeats() || ranks.add == kNone) continue;
      if (part_.pending(ranks.add) && !ranks.seen) {
        values_.kind[ranks.add] = ActKind::omitted;
        ranks.first_response = history::Rank::none();
        ranks.last_call = 0;
      } else if (ranks.remove == kNone) {
        any_left_ = true;
        ranks.last_call = !taken ? values_.end : std::max(ranks.last_call, part_.call[first_lost_]);
      }
    }
    return std::nullopt;
  }

  Outcome removed_twice(ValueNumber value, std::uint32_t i) const {
    std::uint32_t add = 0;
    while (values_.kind[add] != ActKind::add || values_.value_of[add] != value) ++add;
    return violation({add, values_.ranks[value].remove, i},
                     fmt::format("{} is added once and removed twice", value_text(i)));
  }

  /// Each value that is added at most once, by itself.
  std::optional<Outcome> check_singles() const {
    for (const ValueRanks& ranks : values_.ranks) {
      if (ranks.repeats()) continue;
      if (ranks.add == kNone) {
        if (!ranks.seen) continue;
        const std::uint32_t i = operation_at(ranks.first_response);
        return violation({i}, fmt::format("{}, but nobody had added {}", text(i), value_text(i)));
      }
      if (ranks.first_response == history::Rank::none()) continue;
      if (ranks.first_response < part_.call[ranks.add]) {
        const std::uint32_t early = operation_at(ranks.first_response);
        return violation({ranks.add, early},
                         fmt::format("{} returned before {} was called", text(early), text(ranks.add)));
      }
      if (ranks.remove != kNone && ranks.last_call > part_.response[ranks.remove]) {
        const std::uint32_t late = operation_at(ranks.last_call);
        return violation({ranks.add, ranks.remove, late},
                         fmt::format("{} was called after {} had returned", text(late), text(ranks.remove)));
      }
    }
    return std::nullopt;
  }

  /// Counts of repeated values, misses, and operations that found nothing inside, in one pass over the events.
  std::optional<Outcome> sweep() {
    algo::ByValue<Count> counts(values_.any_repeats ? values_.ranks.size() : 0);
    Rank after_gap = 0;        // one beyond the last gap at which nothing need be inside; 0: there was none
    std::uint32_t inside = 0;  // values that certainly are
    const history::ByRank<history::Event>& events = part_.events();
    for (Rank rank = 0; rank < values_.end; ++rank) {
      const history::Event event = events[rank];
      const std::uint32_t i = event.operation();
      const ActKind kind = values_.kind[i];
      const ValueNumber value = values_.value_of[i];
      if (kind == ActKind::empty) {
        if (event.is_response()) {
          if (after_gap <= part_.call[i]) return never_empty(i);
          gap_[i] = after_gap - 1;
        }
      } else if (kind == ActKind::missing) {
        if (event.is_response()) {
          const ValueRanks& ranks = values_.ranks[value];
          const Rank call = part_.call[i];
          gap_[i] = ranks.inside(call) ? rank - 1 : call;
          if (ranks.inside(gap_[i])) return never_missing(i);
        }
      } else if (value != ValueNumber::none() && kind != ActKind::omitted) {
        const ValueRanks& ranks = values_.ranks[value];
        if (ranks.repeats()) {
          if (auto found = count(counts[value], event, rank)) return found;
        } else if (ranks.spans()) {
          if (event.is_response() && ranks.first_response == rank) ++inside;
          if (!event.is_response() && ranks.last_call == rank) --inside;
        }
      } else if (i == first_lost_) {
        for (const ValueRanks& ranks : values_.ranks) {  // those that it may have taken
          if (!ranks.repeats() && ranks.spans() && ranks.last_call == rank) --inside;
        }
      }
      if (inside == 0) after_gap = rank + 1;
    }
    return std::nullopt;
  }

  /// How many of a repeated value are inside, adds being early and removes late.
  struct Count {
    std::uint32_t inside = 0;
    Rank since = 0;  // of the add that made it positive
    Rank until = 0;  // of the remove that last made it zero; 0: there was none
  };

  std::optional<Outcome> count(Count& count, history::Event event, Rank rank) {
    const std::uint32_t i = event.operation();
    switch (values_.kind[i]) {
      case ActKind::add:
        if (event.is_response()) break;
        if (count.inside++ == 0) count.since = rank;
        gap_[i] = rank;
        break;
      case ActKind::take:
        if (!event.is_response()) break;
        if (count.inside == 0) return none_left(i, fmt::format("every {} was", value_text(i)));
        gap_[i] = rank - 1;
        if (--count.inside == 0) count.until = rank;
        break;
      case ActKind::look:
        if (!event.is_response()) break;
        if (count.inside > 0) {
          gap_[i] = std::max(part_.call[i], count.since);
        } else if (count.until > part_.call[i]) {
          gap_[i] = count.until - 1;
        } else {
          return none_left(i, fmt::format("every {} was", value_text(i)));
        }
        break;
      default: break;
    }
    return std::nullopt;
  }

  /// A remove or a sighting of a repeated value that comes when all that were added have been removed.
  Outcome none_left(std::uint32_t i, std::string_view what) const {
    const ValueNumber value = values_.value_of[i];
    const Rank now = part_.response[i];
    std::vector<std::uint32_t> core{i};
    std::uint32_t added = 0, removed = 0;
    for (std::uint32_t j = 0; j < part_.size() && part_.call[j] < now; ++j) {
      if (values_.value_of[j] != value) continue;
      if (values_.kind[j] == ActKind::add) {
        core.push_back(j);
        ++added;
      } else if (values_.kind[j] == ActKind::take && part_.response[j] < now) {
        core.push_back(j);
        ++removed;
      }
    }
    return violation(std::move(core),
                     fmt::format("{} finds nothing: {} removed by then ({} add{} called before its return, {} remove{} "
                                 "returned)",
                                 text(i), what, added, added == 1 ? "" : "s", removed, removed == 1 ? "" : "s"));
  }

  Outcome never_missing(std::uint32_t i) const {
    std::vector<std::uint32_t> core{i};
    add_value(core, values_.value_of[i]);
    return violation(std::move(core),
                     fmt::format("{}, but {} was inside during the whole call", text(i), value_text(i)));
  }

  /// A least chain of values that covers every moment of an operation that found nothing inside.
  Outcome never_empty(std::uint32_t i) const {
    const Rank call = part_.call[i], response = part_.response[i];
    std::vector<ValueNumber> inside;
    for (ValueNumber value = 0; value < values_.ranks.size(); ++value) {
      const ValueRanks& ranks = values_.ranks[value];
      if (ranks.spans() && ranks.first_response < response && ranks.last_call > call) inside.push_back(value);
    }
    std::sort(inside.begin(), inside.end(), [&](ValueNumber a, ValueNumber b) {
      return values_.ranks[a].first_response < values_.ranks[b].first_response;
    });
    std::vector<std::uint32_t> core{i};
    std::string names;
    Rank covered = call;
    for (std::size_t next = 0; covered < response;) {
      ValueNumber furthest = ValueNumber::none();
      for (; next < inside.size() && values_.ranks[inside[next]].first_response <= covered; ++next) {
        if (furthest == ValueNumber::none() ||
            values_.ranks[inside[next]].last_call > values_.ranks[furthest].last_call) {
          furthest = inside[next];
        }
      }
      if (furthest == ValueNumber::none() || values_.ranks[furthest].last_call <= covered) break;
      add_value(core, furthest);
      names += fmt::format("{}{}", names.empty() ? "" : ", then ", value_text(values_.ranks[furthest].add));
      covered = values_.ranks[furthest].last_call;
    }
    return violation(
        std::move(core),
        fmt::format("{} found the bag empty, but at every moment of it a value was inside: {}", text(i), names));
  }

  /// The gap of an operation, and its step in it; repeated values, misses and empties have their gaps by now.
  void place(std::uint32_t i) {
    const ActKind kind = values_.kind[i];
    const ValueNumber value = values_.value_of[i];
    if (kind == ActKind::lost_take || kind == ActKind::omitted) return;
    if (kind == ActKind::free) gap_[i] = part_.call[i];
    if (kind == ActKind::free || kind == ActKind::missing || kind == ActKind::empty) {
      step_[i] = kMissing;
      return;
    }
    const ValueRanks& ranks = values_.ranks[value];
    if (ranks.repeats()) {
      step_[i] = kind == ActKind::add ? kEnter : kind == ActKind::look ? kSight : kGo;
      return;
    }
    if (!ranks.spans()) {
      gap_[i] = ranks.last_call;
      step_[i] = kind == ActKind::add ? kPassIn : kind == ActKind::look ? kPassSeen : kPassOut;
      return;
    }
    const Rank before = ranks.first_response - 1;
    gap_[i] = kind == ActKind::add ? before : kind == ActKind::take ? ranks.last_call : std::max(part_.call[i], before);
    step_[i] = kind == ActKind::add         ? kEnter
               : kind == ActKind::take      ? kLeave
               : gap_[i] == ranks.last_call ? kLastSight
                                            : kSight;
  }

  Values& values_;
  const Subhistory& part_;
  bool any_left_ = false;             // values that nobody removes
  std::uint32_t first_lost_ = kNone;  // the first pending take
  std::vector<Rank> gap_;             // by operation; none: left out, or not known yet
  std::vector<std::uint8_t> step_;    // by operation
};

}  // namespace

core::Applicability applicable(const Subhistory& part) {
  if (part.specification->get_if<Bag>() == nullptr) return core::not_of_this_type("not a bag");
  auto values = std::make_shared<Values>();
  if (std::string why = read(part, *values); !why.empty()) return {false, std::move(why)};
  return {.applies = true,
          .why = values->any_repeats ? "no value that is added twice is found missing" : "no value is added twice",
          .reading = std::move(values)};
}

Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto reading = core::reading_of<Values>(part, options, applicable);
  if (reading == nullptr) return core::not_applicable();
  Values& values = *reading;
  values.part = &part;  // it may have moved since
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  const Values again = values.lost > 0 ? values : Values{};
  BagCheck check(values);
  auto found = check.refute(false);
  if (!found) {
    Outcome outcome{.verdict = Verdict::linearizable};
    if (options.witness) outcome.witness = check.witness();
    return outcome;
  }
  if (values.lost == 0 || !check.any_left()) return std::move(*found);
  Values generous = again;
  auto still = BagCheck(generous).refute(true);
  if (!still) {
    Outcome unknown = core::not_applicable();
    unknown.sentence = "pending takes may have made room for what was found missing";
    return unknown;
  }
  std::vector<std::uint32_t>& core = still->core;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (values.kind[i] == ActKind::lost_take) core.push_back(i);
  }
  std::sort(core.begin(), core.end());
  core.erase(std::unique(core.begin(), core.end()), core.end());
  still->sentence += ", whatever the pending takes took";
  return std::move(*still);
}

}  // namespace linchpin::types::bag
