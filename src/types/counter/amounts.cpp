// Decides counters whose changes differ, some of which return the number.
//
// An operation that returned the number (before or after its change) *tells*: it takes effect at one number only. What
// changes the number and tells nothing is *blind*. Nothing is done before a response needs it, and looks as soon as
// they are legal. So before the response of x, a blind operation other than x is done only on the way to a number at
// which an open operation tells: the search goes from number to number, each time by a set of blind operations with the
// right sum. Of equal operations the one that returns first goes first.
//
// Where the search starts at any number (types/narrow_search.hpp), the first operation that tells says which it was,
// and blind operations that were open until then may have been part of it: they are excused.
//
// First of all, a number that no choice of the changes called so far can reach is refuted at once.
// Precondition: numbers and amounts are small enough for sums not to wrap around; at most 24 blind operations open at
// once. Cost: exponential at worst: whether some changes have a given sum is a question of it. Source: own. Compare:
// contents.cpp (keeps every configuration, and has no limit of blind operations), monitor.cpp (one amount). Tests:
// counter_amounts_test.cpp.
#include "types/counter/amounts.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "algo/frontier/slots.hpp"
#include "types/answers.hpp"
#include "types/counter/specification.hpp"
#include "types/narrow_search.hpp"

namespace linchpin::types::counter {

namespace {

using Local = std::uint32_t;
using history::Subhistory;

constexpr std::int64_t kMostAmount = std::int64_t{1} << 40;  // sums of 2^20 of them do not wrap around
constexpr std::int64_t kMostNumber = std::int64_t{1} << 61;  // is greater than every sum
constexpr std::uint32_t kMostOperations = std::uint32_t{1} << 20;
constexpr std::uint32_t kMostBlind = 24;

enum class Role : std::uint8_t {
  idle,   // changes nothing and tells nothing: takes effect anywhere; or is pending and need not
  blind,  // changes the number
  tells,  // takes effect at one number
};

struct Act {
  Role role = Role::idle;
  std::int64_t change = 0;
  std::int64_t number = 0;  // before the change
};

struct AmountsRead {
  std::string obstacle;  // empty: there is none
  std::int64_t initial = 0;
  std::vector<Act> acts;
  std::optional<Local> impossible;  // an operation that cannot have returned what it did, whatever came before
};

bool small(std::int64_t amount) { return amount >= -kMostAmount && amount <= kMostAmount; }

/// What the operation returned as the number before its change; nothing where it tells none.
std::optional<std::int64_t> told_by(const Operation& operation, std::int64_t change) {
  switch (operation.method) {
    case Counter::kRead:
    case Counter::kFetchAndAdd:
    case Counter::kFetchAndSubtract:
    case Counter::kAddAndGet:
    case Counter::kSubtractAndGet: break;
    default: return std::nullopt;
  }
  if (operation.result_unknown()) return std::nullopt;
  if (!is_integer(operation.result)) return std::numeric_limits<std::int64_t>::max();  // at no number
  const std::int64_t number = operation.pool->integer_of(operation.result);
  if (number < -kMostNumber || number > kMostNumber) return std::numeric_limits<std::int64_t>::max();
  const bool after = operation.method == Counter::kAddAndGet || operation.method == Counter::kSubtractAndGet;
  return after ? number - change : number;
}

AmountsRead read_amounts(const Subhistory& part, const Counter& counter) {
  AmountsRead reading{.initial = counter.initial_value};
  if (!small(counter.initial_value) || part.size() > kMostOperations) return {.obstacle = "the numbers are too big"};
  reading.acts.resize(part.size());
  for (Local x = 0; x < part.size(); ++x) {
    const Operation operation = part.view(x);
    Act& act = reading.acts[x];
    act.change = static_cast<std::int64_t>(Counter::change(operation));
    if (!small(act.change)) return {.obstacle = "the numbers are too big"};
    const std::optional<std::int64_t> told = told_by(operation, act.change);
    const bool tells_nothing = !told;
    const bool refuses = tells_nothing && !operation.result_unknown() && !operation.acknowledged(0);
    if (refuses || told == std::numeric_limits<std::int64_t>::max()) {
      // It is legal nowhere: one that is pending did not take effect.
      if (!part.pending(x) && !reading.impossible) reading.impossible = x;
      continue;
    }
    if (told) {
      if (act.change == 0 && part.pending(x)) continue;
      act.role = Role::tells;
      act.number = *told;
    } else if (act.change != 0) {
      act.role = Role::blind;
    }
  }
  const auto blind = [&](Local x) { return reading.acts[x].role == Role::blind; };
  if (history::most_open(part.events(), blind) > kMostBlind) {
    return {.obstacle = "more than 24 changes that do not return the number are open at once"};
  }
  if (history::most_open(part.events(), [&](Local x) { return reading.acts[x].role != Role::idle; }) >
      algo::kMostOpen) {
    return {.obstacle = algo::kTooManyOpen};
  }
  return reading;
}

/// An operation whose number is out of reach: below all that went up and must have, above all that went up and can
/// have.
std::optional<Local> out_of_reach(const Subhistory& part, const AmountsRead& reading) {
  std::vector<std::pair<std::int64_t, std::int64_t>> reach(part.size());  // least and most, by operation that tells
  std::int64_t up_called = reading.initial, up_returned = reading.initial;
  std::int64_t down_called = 0, down_returned = 0;
  const auto tells = [&](Local x) { return reading.acts[x].role == Role::tells; };
  for (const history::Event event : part.events()) {
    const Local x = event.operation();
    const Act& act = reading.acts[x];
    if (act.role == Role::idle) continue;
    std::int64_t& up = event.is_response() ? up_returned : up_called;
    std::int64_t& down = event.is_response() ? down_returned : down_called;
    if (!event.is_response()) {
      // At its call: what returned before is done.
      if (tells(x)) reach[x] = {up_returned, down_returned};
      (act.change > 0 ? up : down) += act.change;
      continue;
    }
    if (tells(x)) {
      const std::int64_t own_up = act.change > 0 ? act.change : 0, own_down = act.change < 0 ? act.change : 0;
      const std::int64_t least = reach[x].first + down_called - own_down, most = up_called - own_up + reach[x].second;
      if (act.number < least || act.number > most) return x;
    }
    (act.change > 0 ? up : down) += act.change;
  }
  return std::nullopt;
}

template <class MaskOf>
class Problem {
 public:
  using Mask = MaskOf;
  static constexpr bool kLooksAhead = false;
  struct Configuration {
    Mask done;     // of what is open
    Mask excused;  // of what is open and not done: it need not be
    std::int64_t number = 0;
    bool known = true;  // else only how much was added since is
    bool operator==(const Configuration&) const = default;
    template <class H>
    friend H AbslHashValue(H hash, const Configuration& configuration) {
      return H::combine(std::move(hash), configuration.done, configuration.excused, configuration.number,
                        configuration.known);
    }
  };
  class Window;

  Problem(const Subhistory& part, AmountsRead reading)
      : part_(&part), initial_(reading.initial), acts_(std::move(reading.acts)) {
    slots_ = algo::fixed_slots(part, [&](Local x) { return counts(x); });
  }

  [[nodiscard]] bool counts(Local x) const { return acts_[x].role != Role::idle; }
  [[nodiscard]] std::uint32_t slot(Local x) const { return slots_.slot[x]; }
  [[nodiscard]] bool looks(Local x) const { return acts_[x].change == 0; }
  [[nodiscard]] const Act& act(Local x) const { return acts_[x]; }
  [[nodiscard]] std::uint32_t deadline(Local x) const { return part_->response[x]; }
  [[nodiscard]] Configuration start() const { return {.done = {}, .excused = {}, .number = initial_}; }
  [[nodiscard]] Configuration anywhere() const { return {.done = {}, .excused = {}, .number = 0, .known = false}; }
  void forgive(Configuration& configuration, Local x) const { configuration.excused |= Mask::of(slot(x)); }

  /// Calls `visit` with the operations that are called next from that rank on.
  template <class Visit>
  void next_calls(std::uint32_t rank, std::uint32_t count, Visit&& visit) const {
    for (; rank < part_->ranks() && count > 0; ++rank) {
      const history::Event event = part_->events()[rank];
      if (event.is_response()) continue;
      --count;
      visit(event.operation());
    }
  }

  /// With the operations that the search does not look at, each as soon as it is called.
  [[nodiscard]] std::vector<Local> witness(const std::vector<Local>& done) const {
    // Anywhere in its interval: before the first that follows it in time.
    std::vector<Local> order;
    std::vector<Local> idle;
    for (Local x = 0; x < part_->size(); ++x) {
      if (!counts(x) && !part_->pending(x)) idle.push_back(x);
    }
    std::sort(idle.begin(), idle.end(), [&](Local a, Local b) { return part_->response[a] < part_->response[b]; });
    std::size_t next = 0;
    for (const Local x : done) {
      while (next < idle.size() && part_->response[idle[next]] < part_->call[x]) order.push_back(idle[next++]);
      order.push_back(x);
    }
    order.insert(order.end(), idle.begin() + static_cast<std::ptrdiff_t>(next), idle.end());
    return order;
  }

 private:
  const Subhistory* part_;
  std::int64_t initial_;
  std::vector<Act> acts_;
  algo::FixedSlots slots_;
};

template <class MaskOf>
class Problem<MaskOf>::Window {
 public:
  explicit Window(const Problem& problem) : problem_(problem) {}

  void prepare(std::span<const Local> open, Local /*x*/, std::uint32_t rank) {
    weighed_ = false;
    rank_ = rank;
    tells_.clear();
    blind_.clear();
    looks_ = {};
    for (const Local y : open) {
      (problem_.act(y).role == Role::blind ? blind_ : tells_).push_back(y);
      if (problem_.looks(y)) looks_ |= Mask::of(problem_.slot(y));
    }
    const auto key = [&](Local y) {
      return std::tuple(problem_.act(y).number, problem_.act(y).change, problem_.deadline(y), y);
    };
    const auto before = [&](Local a, Local b) { return key(a) < key(b); };
    std::sort(tells_.begin(), tells_.end(), before);
    std::sort(blind_.begin(), blind_.end(), before);
  }

  bool called(Configuration& configuration, Local x) {
    if (!configuration.known || configuration.number != problem_.act(x).number) return false;
    configuration.done |= Mask::of(problem_.slot(x));
    return true;
  }

  [[nodiscard]] bool ready(const Configuration& /*configuration*/, Local /*y*/) const { return true; }

  template <class Emit>
  std::uint64_t expand(const Configuration& from, Local x, bool last, Emit&& emit) {
    work_ = 0;
    taken_.clear();
    const auto emit_taken = [&](const Configuration& to) { emit(to, std::span<const Local>(taken_)); };
    const Act& due = problem_.act(x);
    if (last && due.role == Role::blind) {
      // Of its equals, the one that returns first is x.
      taken_.assign({x});
      emit_taken(done(from, x));
      return work_;
    }
    targets_.clear();
    for (const Local y : tells_) {
      const std::int64_t number = problem_.act(y).number;
      if (!undone(from, y) || number == from.number || (due.role == Role::tells && (number == due.number) != last))
        continue;
      if (targets_.empty() || targets_.back() != number) targets_.push_back(number);  // they are sorted
    }
    tell(from, x, last, emit_taken);
    if (from.known) go_on(from, x, emit_taken);
    return work_;
  }

  template <class Entries>
  std::uint64_t prune(Entries& entries);

  void forget(Configuration& configuration, Local y) const {
    const Mask own = Mask::of(problem_.slot(y));
    configuration.done &= ~own;
    configuration.excused &= ~own;
  }

  [[nodiscard]] bool lives(const Configuration& /*configuration*/, Local /*x*/) const { return true; }
  [[nodiscard]] std::size_t growth() const { return 0; }

  /// How many jumps the operations that tell need, those that are open and the next to be called: from where one ends
  /// to where another begins, each of which takes something blind.
  [[nodiscard]] std::int64_t burden(const Configuration& configuration) {
    if (!weighed_) weigh();
    if (!configuration.known) return 0;
    jumps_ = base_jumps_;
    changed_.clear();
    for (const Local y : tells_) {
      if (problem_.looks(y) || !configuration.done.has(problem_.slot(y))) continue;
      const Act& act = problem_.act(y);
      leave(act.number, -1);
      leave(act.number + act.change, 1);
    }
    leave(configuration.number, -1);
    const std::int64_t jumps = jumps_;
    for (const auto& [number, by] : changed_) balance_[number] -= by;
    return kJump * jumps;
  }

 private:
  [[nodiscard]] Configuration done(const Configuration& from, Local y) const {
    Configuration to = from;
    to.done |= Mask::of(problem_.slot(y));
    to.excused &= ~Mask::of(problem_.slot(y));
    if (to.known) to.number += problem_.act(y).change;
    return to;
  }
  [[nodiscard]] bool undone(const Configuration& configuration, Local y) const {
    return !configuration.done.has(problem_.slot(y));
  }
  /// Whether an equal operation goes before the one at `at` of the list.
  [[nodiscard]] bool has_earlier_equal(const std::vector<Local>& list, std::size_t at,
                                       const Configuration& configuration) const {
    const Act& act = problem_.act(list[at]);
    const bool excused = configuration.excused.has(problem_.slot(list[at]));
    for (std::size_t other = at; other-- > 0;) {
      const Act& its = problem_.act(list[other]);
      if (its.number != act.number || its.change != act.change) return false;
      if (undone(configuration, list[other]) && configuration.excused.has(problem_.slot(list[other])) == excused) {
        return true;
      }
    }
    return false;
  }

  /// So many more begin at the number than end there.
  void leave(std::int64_t number, std::int64_t by) {
    std::int64_t& balance = balance_[number];
    jumps_ += std::max<std::int64_t>(0, balance + by) - std::max<std::int64_t>(0, balance);
    balance += by;
    changed_.emplace_back(number, by);
  }
  void weigh() {
    weighed_ = true;
    balance_.clear();
    jumps_ = 0;
    const auto add = [&](Local y) {
      const Act& act = problem_.act(y);
      if (act.role != Role::tells || act.change == 0) return;
      leave(act.number, 1);
      leave(act.number + act.change, -1);
    };
    for (const Local y : tells_) add(y);
    problem_.next_calls(rank_, kAhead, add);
    base_jumps_ = jumps_;
  }

  /// Whether y is x, or an equal of it that can go after it as well.
  [[nodiscard]] bool stands_for(const Configuration& from, Local y, Local x) const {
    const Act &its = problem_.act(y), &own = problem_.act(x);
    return its.role == own.role && its.change == own.change && its.number == own.number &&
           from.excused.has(problem_.slot(y)) == from.excused.has(problem_.slot(x));
  }

  /// Does the looks at the number.
  void look(Configuration& configuration) {
    for (const Local y : tells_) {
      if (!problem_.looks(y) || problem_.act(y).number != configuration.number || !undone(configuration, y)) continue;
      configuration = done(configuration, y);
      taken_.push_back(y);
    }
  }

  /// The operations that tell this number, or any where none is known.
  template <class Emit>
  void tell(const Configuration& from, Local x, bool last, Emit&& emit) {
    for (std::size_t at = 0; at < tells_.size(); ++at) {
      const Local y = tells_[at];
      if ((y == x) != last || !undone(from, y) || (from.known && problem_.act(y).number != from.number)) continue;
      if (has_earlier_equal(tells_, at, from)) continue;
      ++work_;
      Configuration to = from;
      if (!from.known) {
        to.known = true;
        to.number = problem_.act(y).number;
        for (const Local blind : blind_) {
          if (undone(from, blind)) to.excused |= Mask::of(problem_.slot(blind));
        }
      }
      taken_.assign({y});
      to = done(to, y);
      look(to);
      emit(to);
    }
  }

  /// Sets of blind operations, x not among them, that lead to a number which an open operation tells.
  template <class Emit>
  void go_on(const Configuration& from, Local x, Emit&& emit) {
    if (targets_.empty()) return;
    steps_.clear();
    for (const Local y : blind_) {
      if (undone(from, y) && !stands_for(from, y, x)) steps_.push_back(y);
    }
    // What can still be added behind each, at least and at most.
    least_.assign(steps_.size() + 1, 0);
    most_.assign(steps_.size() + 1, 0);
    for (std::size_t at = steps_.size(); at-- > 0;) {
      const std::int64_t change = problem_.act(steps_[at]).change;
      least_[at] = least_[at + 1] + std::min<std::int64_t>(change, 0);
      most_[at] = most_[at + 1] + std::max<std::int64_t>(change, 0);
    }
    taken_.clear();
    choose(from, 0, emit);
  }

  template <class Emit>
  void choose(const Configuration& now, std::size_t at, Emit&& emit) {
    ++work_;
    const auto target = std::lower_bound(targets_.begin(), targets_.end(), now.number + least_[at]);
    if (target == targets_.end() || *target > now.number + most_[at]) return;
    if (at == steps_.size()) {
      if (!taken_.empty()) arrive(now, emit);
      return;
    }
    const Local y = steps_[at];
    choose(now, at + 1, emit);
    // Of equals the first goes first: it is taken, or none of the others is.
    for (std::size_t other = at; other-- > 0;) {
      if (problem_.act(steps_[other]).change != problem_.act(y).change) break;
      if (undone(now, steps_[other]) &&
          now.excused.has(problem_.slot(steps_[other])) == now.excused.has(problem_.slot(y))) {
        return;
      }
    }
    taken_.push_back(y);
    const std::size_t length = taken_.size();
    choose(done(now, y), at + 1, emit);
    taken_.resize(length - 1);
  }

  /// At a number that something tells: the looks there, or else each operation that tells it.
  template <class Emit>
  void arrive(const Configuration& now, Emit&& emit) {
    const std::size_t length = taken_.size();
    Configuration to = now;
    look(to);
    if (taken_.size() > length) {
      emit(to);
    } else {
      for (std::size_t at = 0; at < tells_.size(); ++at) {
        const Local y = tells_[at];
        if (problem_.act(y).number != now.number || !undone(now, y) || has_earlier_equal(tells_, at, now)) continue;
        ++work_;
        taken_.push_back(y);
        Configuration next = done(now, y);
        look(next);
        emit(next);
        taken_.resize(length);
      }
    }
    taken_.resize(length);
  }

  const Problem& problem_;
  std::vector<Local> tells_, blind_;  // that are open, equals together, those that return first before the others
  Mask looks_;
  std::vector<Local> taken_, steps_;
  std::vector<std::int64_t> targets_, least_, most_;
  std::uint64_t work_ = 0;
  std::uint32_t rank_ = 0;
  bool weighed_ = false;
  absl::flat_hash_map<std::int64_t, std::int64_t> balance_;  // by number: what begins there less what ends there
  std::int64_t jumps_ = 0, base_jumps_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> changed_;
  static constexpr std::int64_t kJump = 4;     // what a jump weighs, in responses that something was done too early
  static constexpr std::uint32_t kAhead = 12;  // calls
};

/// Leaves out an entry where another one leads to it by one operation that is still legal there.
template <class MaskOf>
template <class Entries>
std::uint64_t Problem<MaskOf>::Window::prune(Entries& entries) {
  const auto acts = [&](const auto& entry) { return entry.configuration.done & ~looks_; };
  std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
    const Mask acts_a = acts(a), acts_b = acts(b);
    if (acts_a != acts_b) return acts_a < acts_b;
    if (a.configuration.done != b.configuration.done) return a.configuration.done > b.configuration.done;
    return a.configuration.excused > b.configuration.excused;
  });
  std::uint64_t work = entries.size();
  std::vector<bool> needless(entries.size(), false);
  /// Whether an entry with exactly these acts, at this number, does for `b` all that b does.
  const auto replaced = [&](std::size_t self, const Mask& wanted, std::int64_t number, const Mask& looks) {
    const Configuration& b = entries[self].configuration;
    auto at = std::lower_bound(entries.begin(), entries.end(), wanted,
                               [&](const auto& entry, const Mask& value) { return acts(entry) < value; });
    for (; at != entries.end() && acts(*at) == wanted; ++at) {
      ++work;
      const std::size_t index = static_cast<std::size_t>(at - entries.begin());
      const Configuration& a = at->configuration;
      if (index == self || needless[index] || a.known != b.known || a.number != number) continue;
      if ((looks & ~a.done).none() && (b.excused & ~a.excused).none()) return true;
    }
    return false;
  };
  for (std::size_t index = 0; index < entries.size(); ++index) {
    const Configuration& b = entries[index].configuration;
    Mask looks = b.done & looks_;  // that cannot be had at this number any more
    for (const Local y : tells_) {
      if (problem_.looks(y) && b.known && problem_.act(y).number == b.number) looks &= ~Mask::of(problem_.slot(y));
    }
    needless[index] = replaced(index, acts(entries[index]), b.number, looks);
    for (const auto* const list : {&blind_, &tells_}) {
      for (const Local y : *list) {
        if (needless[index]) break;
        if (problem_.looks(y) || !b.done.has(problem_.slot(y))) continue;
        const Act& act = problem_.act(y);
        const std::int64_t number = b.known ? b.number - act.change : b.number;
        if (act.role == Role::tells && (!b.known || number != act.number)) continue;
        needless[index] = replaced(index, acts(entries[index]) & ~Mask::of(problem_.slot(y)), number, looks);
      }
    }
  }
  std::size_t kept = 0;
  for (std::size_t index = 0; index < entries.size(); ++index) {
    if (!needless[index]) entries[kept++] = entries[index];
  }
  entries.resize(kept);
  return work;
}

/// A violation that was found without a search.
core::Outcome impossible(const Subhistory& part, Local blocked) {
  core::Outcome outcome{.verdict = Verdict::violation};
  outcome.blocked = blocked;
  for (Local y = 0; y < part.size() && part.call[y] < part.response[blocked]; ++y) outcome.core.push_back(y);
  return outcome;
}

}  // namespace

core::Applicability amounts_applicable(const Subhistory& part) {
  const auto* const counter = part.specification->get_if<Counter>();
  if (counter == nullptr) return core::not_of_this_type("not a counter");
  auto reading = std::make_shared<AmountsRead>(read_amounts(part, *counter));
  if (!reading->obstacle.empty()) return {.applies = false, .why = reading->obstacle};
  return {.applies = true, .why = "the number follows from what is done", .reading = std::move(reading)};
}

std::unique_ptr<core::SearchTask> start_amounts(const Subhistory& part, const core::DeciderOptions& options) {
  const auto read_before = core::reading_of<AmountsRead>(part, options, amounts_applicable);
  LINCHPIN_ASSERT(read_before != nullptr);
  AmountsRead reading = *read_before;
  if (!reading.impossible) reading.impossible = out_of_reach(part, reading);
  if (reading.impossible) return std::make_unique<core::Decided>(impossible(part, *reading.impossible));
  const auto counts = [&](Local x) { return reading.acts[x].role != Role::idle; };
  return algo::with_slots(
      history::most_open(part.events(), counts), [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
        return std::make_unique<NarrowSearch<Problem<Mask>>>(part, Problem<Mask>(part, std::move(reading)), options);
      });
}

}  // namespace linchpin::types::counter
