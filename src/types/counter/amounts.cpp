// Decides counters whose changes differ, some of which return the number.
//
// An operation that returned the number (before or after its change) *tells*: it takes effect at one number only. What
// changes the number and tells nothing is *blind*. Nothing is done before a response needs it, and looks as soon as
// they are legal. So before the response of x, a blind operation other than x is done only on the way to a number at
// which an open operation tells: the search goes from number to number, each time by a set of blind operations with the
// right sum. Of equal operations the one that returns first goes first.
//
// A domain of algo::Frontier that keeps few configurations and refutes by windows. Where one starts at any number
// (algo/frontier/windows.hpp), the first operation that tells says which it was, and blind operations that were open
// until then may have been part of it: they are *free*, and need not be
// done any more.
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
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "algo/frontier/frontier_search.hpp"
#include "algo/frontier/promise.hpp"
#include "algo/frontier/unseen.hpp"
#include "base/none.hpp"
#include "types/answers.hpp"
#include "types/counter/specification.hpp"

namespace linchpin::types::counter {

namespace {

using Local = std::uint32_t;
using history::Subhistory;

constexpr std::int64_t kMostAmount = std::int64_t{1} << 40;  // sums of 2^20 of them do not wrap around
constexpr std::int64_t kMostNumber = std::int64_t{1} << 61;  // is greater than every sum
constexpr std::uint32_t kMostOperations = std::uint32_t{1} << 20;
constexpr std::uint32_t kMostBlind = 24;
constexpr std::size_t kFewConfigurations = 16;

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

template <class OfSlots>
class Amounts {
 public:
  using Mask = OfSlots;
  using Link = Local;
  using Window = algo::Window<Mask>;
  struct Configuration {
    Mask mask;  // what is open and done
    Mask free;  // what is open and not done, and need not be
    std::int64_t number = 0;
    bool known = true;  // else only how much was added since is
    std::uint32_t tail = kNone;
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::nearest;
  static constexpr bool kSkipsIdle = true;

  Amounts(Window& window, const Subhistory& part, std::shared_ptr<const AmountsRead> reading)
      : window_(window),
        part_(part),
        reading_(std::move(reading)),
        turn_(algo::turns(part, [this](Local x) { return !skipped(x); })),
        promise_(turn_) {}
  Amounts(Window& window, const Amounts& alike) : Amounts(window, alike.part_, alike.reading_) {}
  Amounts(const Amounts&) = delete;
  Amounts& operator=(const Amounts&) = delete;

  [[nodiscard]] Configuration start() const { return {.mask = {}, .free = {}, .number = reading_->initial}; }
  [[nodiscard]] Configuration anywhere() const {
    return {.mask = {}, .free = window_.used(), .number = 0, .known = false};
  }
  [[nodiscard]] bool skipped(Local x) const { return act_of(x).role == Role::idle; }
  [[nodiscard]] static bool impossible(Local) { return false; }
  [[nodiscard]] static bool alike(Local, Local) { return false; }
  [[nodiscard]] std::uint64_t hash(const Configuration& each) const {
    const std::uint64_t seed = mix(each.mask.hash(), static_cast<std::uint64_t>(each.number));
    return each.free.none() ? seed : mix(mix(seed, each.free.hash()), each.known ? 1 : 0);
  }
  [[nodiscard]] bool same(const Configuration& a, const Configuration& b) const {
    return a.mask == b.mask && a.number == b.number && a.known == b.known && a.free == b.free;
  }

  void clear() {
    tells_.clear();
    blind_.clear();
    looks_ = {};
  }
  void open(Local x) {
    std::vector<Local>& list = list_of(x);
    const auto key = [&](Local y) { return std::tuple(act_of(y).number, act_of(y).change, part_.response[y], y); };
    const auto before = [&](Local a, Local b) { return key(a) < key(b); };
    list.insert(std::upper_bound(list.begin(), list.end(), x, before), x);
    if (looks(x)) looks_ |= window_.bit(x);
  }
  void close(Local x) {
    std::erase(list_of(x), x);
    looks_ &= ~window_.bit(x);
  }

  void call(Local x, std::vector<Configuration>& current) {
    if (!looks(x)) return;
    window_.steps += current.size();
    for (Configuration& each : current) {
      if (!each.known || each.number != act_of(x).number) continue;
      each.mask |= window_.bit(x);
      each.tail = window_.extended(each.tail, x);
    }
  }

  template <class Meet>
  void begin(Local x, const std::vector<Configuration>& current, Meet&& meet) const {
    for (const Configuration& each : current) pass_free(each, x, meet);
  }
  template <class Meet>
  void finish(const Configuration& from, Local x, Meet&& meet) {
    expand(from, x, true, meet);
  }
  template <class Meet>
  void expand(const Configuration& from, Local x, Meet&& meet) {
    expand(from, x, false, meet);
  }

  bool prune(Local x, std::vector<Configuration>& passed);

  void weigh(std::uint32_t attempts, std::uint32_t passed) {
    promise_.weigh(window_, attempts, passed, [this](Local y) { return looks(y); });
    balance_.clear();
    jumps_ = 0;
    const auto add = [&](Local y) {
      if (act_of(y).role != Role::tells || looks(y)) return;
      leave(act_of(y).number, 1);
      leave(act_of(y).number + act_of(y).change, -1);
    };
    for (const Local y : tells_) add(y);
    std::uint32_t ahead = kAhead;
    for (history::Rank rank = window_.moment; rank < part_.ranks() && ahead > 0; ++rank) {
      const history::Event event = part_.events()[rank];
      if (event.is_response()) continue;
      --ahead;
      add(event.operation());
    }
    base_jumps_ = jumps_;
  }
  [[nodiscard]] std::int64_t cost(const Configuration& each) {
    ++window_.steps;
    return promise_.weight() * burden(each) + promise_.cost(each.mask, [](Local, std::int64_t) { return 0; });
  }

 private:
  [[nodiscard]] const Act& act_of(Local x) const { return reading_->acts[x]; }
  [[nodiscard]] bool looks(Local x) const { return act_of(x).change == 0; }
  [[nodiscard]] std::vector<Local>& list_of(Local x) { return act_of(x).role == Role::blind ? blind_ : tells_; }

  /// x is due: where it is free, it has passed as well.
  template <class Meet>
  void pass_free(const Configuration& each, Local x, Meet&& meet) const {
    if (each.free.has(window_.slot(x))) algo::pass_unseen(window_, each, x, meet);
  }
  /// What was taken leads there.
  template <class Meet>
  void note(const Configuration& to, Local x, Meet&& meet) {
    ++window_.steps;
    const auto met = meet(to);
    if (!met.fresh) return;
    met.entry->tail = window_.extended(to.tail, std::span<const Local>(taken_));
    pass_free(*met.entry, x, meet);
  }

  /// `last`: the moves that end with x; else all others that may lead there.
  template <class Meet>
  void expand(const Configuration& from, Local x, bool last, Meet&& meet) {
    taken_.clear();
    const auto meet_taken = [&](const Configuration& to) { note(to, x, meet); };
    const Act& due = act_of(x);
    if (last && due.role == Role::blind) {
      // Of its equals, the one that returns first is x.
      taken_.assign({x});
      meet_taken(done(from, x));
      return;
    }
    targets_.clear();
    for (const Local y : tells_) {
      const std::int64_t number = act_of(y).number;
      if (!undone(from, y) || number == from.number || (due.role == Role::tells && (number == due.number) != last))
        continue;
      if (targets_.empty() || targets_.back() != number) targets_.push_back(number);  // they are sorted
    }
    tell(from, x, last, meet_taken);
    if (from.known) go_on(from, x, meet_taken);
  }

  /// How many jumps the operations that tell need, those that are open and the next to be called: from where one ends
  /// to where another begins, each of which takes something blind.
  [[nodiscard]] std::int64_t burden(const Configuration& configuration) {
    if (!configuration.known) return 0;
    jumps_ = base_jumps_;
    changed_.clear();
    for (const Local y : tells_) {
      if (looks(y) || undone(configuration, y)) continue;
      leave(act_of(y).number, -1);
      leave(act_of(y).number + act_of(y).change, 1);
    }
    leave(configuration.number, -1);
    const std::int64_t jumps = jumps_;
    for (const auto& [number, by] : changed_) balance_[number] -= by;
    return kJump * jumps;
  }

  [[nodiscard]] Configuration done(const Configuration& from, Local y) const {
    Configuration to = from;
    to.mask |= window_.bit(y);
    to.free &= ~window_.bit(y);
    if (to.known) to.number += act_of(y).change;
    return to;
  }
  [[nodiscard]] bool undone(const Configuration& configuration, Local y) const {
    return !configuration.mask.has(window_.slot(y));
  }
  /// Whether an equal operation goes before the one at `at` of the list.
  [[nodiscard]] bool has_earlier_equal(const std::vector<Local>& list, std::size_t at,
                                       const Configuration& configuration) const {
    const Act& act = act_of(list[at]);
    const bool is_free = configuration.free.has(window_.slot(list[at]));
    for (std::size_t other = at; other-- > 0;) {
      const Act& its = act_of(list[other]);
      if (its.number != act.number || its.change != act.change) return false;
      if (undone(configuration, list[other]) && configuration.free.has(window_.slot(list[other])) == is_free) {
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
  /// Whether y is x, or an equal of it that can go after it as well.
  [[nodiscard]] bool stands_for(const Configuration& from, Local y, Local x) const {
    const Act &its = act_of(y), &own = act_of(x);
    return its.role == own.role && its.change == own.change && its.number == own.number &&
           from.free.has(window_.slot(y)) == from.free.has(window_.slot(x));
  }

  /// Does the looks at the number.
  void look(Configuration& configuration) {
    for (const Local y : tells_) {
      if (!looks(y) || act_of(y).number != configuration.number || !undone(configuration, y)) continue;
      configuration = done(configuration, y);
      taken_.push_back(y);
    }
  }

  /// The operations that tell this number, or any where none is known.
  template <class Meet>
  void tell(const Configuration& from, Local x, bool last, Meet&& meet) {
    for (std::size_t at = 0; at < tells_.size(); ++at) {
      const Local y = tells_[at];
      if ((y == x) != last || !undone(from, y) || (from.known && act_of(y).number != from.number)) continue;
      if (has_earlier_equal(tells_, at, from)) continue;
      ++window_.steps;
      Configuration to = from;
      if (!from.known) {
        to.known = true;
        to.number = act_of(y).number;
        for (const Local blind : blind_) {
          if (undone(from, blind)) to.free |= window_.bit(blind);
        }
      }
      taken_.assign({y});
      to = done(to, y);
      look(to);
      meet(to);
    }
  }

  /// Sets of blind operations, x not among them, that lead to a number which an open operation tells.
  template <class Meet>
  void go_on(const Configuration& from, Local x, Meet&& meet) {
    if (targets_.empty()) return;
    steps_.clear();
    for (const Local y : blind_) {
      if (undone(from, y) && !stands_for(from, y, x)) steps_.push_back(y);
    }
    // What can still be added behind each, at least and at most.
    least_.assign(steps_.size() + 1, 0);
    most_.assign(steps_.size() + 1, 0);
    for (std::size_t at = steps_.size(); at-- > 0;) {
      const std::int64_t change = act_of(steps_[at]).change;
      least_[at] = least_[at + 1] + std::min<std::int64_t>(change, 0);
      most_[at] = most_[at + 1] + std::max<std::int64_t>(change, 0);
    }
    taken_.clear();
    choose(from, 0, meet);
  }

  template <class Meet>
  void choose(const Configuration& now, std::size_t at, Meet&& meet) {
    ++window_.steps;
    const auto target = std::lower_bound(targets_.begin(), targets_.end(), now.number + least_[at]);
    if (target == targets_.end() || *target > now.number + most_[at]) return;
    if (at == steps_.size()) {
      if (!taken_.empty()) arrive(now, meet);
      return;
    }
    const Local y = steps_[at];
    choose(now, at + 1, meet);
    // Of equals the first goes first: it is taken, or none of the others is.
    for (std::size_t other = at; other-- > 0;) {
      if (act_of(steps_[other]).change != act_of(y).change) break;
      if (undone(now, steps_[other]) && now.free.has(window_.slot(steps_[other])) == now.free.has(window_.slot(y))) {
        return;
      }
    }
    taken_.push_back(y);
    const std::size_t length = taken_.size();
    choose(done(now, y), at + 1, meet);
    taken_.resize(length - 1);
  }

  /// At a number that something tells: the looks there, or else each operation that tells it.
  template <class Meet>
  void arrive(const Configuration& now, Meet&& meet) {
    const std::size_t length = taken_.size();
    Configuration to = now;
    look(to);
    if (taken_.size() > length) {
      meet(to);
    } else {
      for (std::size_t at = 0; at < tells_.size(); ++at) {
        const Local y = tells_[at];
        if (act_of(y).number != now.number || !undone(now, y) || has_earlier_equal(tells_, at, now)) continue;
        ++window_.steps;
        taken_.push_back(y);
        Configuration next = done(now, y);
        look(next);
        meet(next);
        taken_.resize(length);
      }
    }
    taken_.resize(length);
  }

  Window& window_;
  const Subhistory& part_;
  const std::shared_ptr<const AmountsRead> reading_;
  const std::vector<std::uint32_t> turn_;
  algo::Promise promise_;
  std::vector<Local> tells_, blind_;  // that are open, equals together, those that return first before the others
  Mask looks_;
  std::vector<Local> taken_, steps_;
  std::vector<std::int64_t> targets_, least_, most_;
  absl::flat_hash_map<std::int64_t, std::int64_t> balance_;  // by number: what begins there less what ends there
  std::int64_t jumps_ = 0, base_jumps_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> changed_;
  static constexpr std::int64_t kJump = 4;     // what a jump weighs, in responses that something was done too early
  static constexpr std::uint32_t kAhead = 12;  // calls
};

/// Leaves out a configuration where another one leads to it by one operation that is still legal there.
template <class OfSlots>
bool Amounts<OfSlots>::prune(Local x, std::vector<Configuration>& passed) {
  if (passed.size() < 2) return true;
  const auto acts = [&](const Configuration& each) { return each.mask & ~looks_; };
  std::sort(passed.begin(), passed.end(), [&](const Configuration& a, const Configuration& b) {
    const Mask acts_a = acts(a), acts_b = acts(b);
    if (acts_a != acts_b) return acts_a < acts_b;
    return a.mask != b.mask ? a.mask > b.mask : a.free > b.free;
  });
  window_.steps += passed.size();
  std::vector<bool> needless(passed.size(), false);
  /// Whether one with exactly these acts, at this number, does for `b` all that b does.
  const auto replaced = [&](std::size_t self, const Mask& wanted, std::int64_t number, const Mask& looks) {
    const Configuration& b = passed[self];
    auto at = std::lower_bound(passed.begin(), passed.end(), wanted,
                               [&](const Configuration& each, const Mask& value) { return acts(each) < value; });
    for (; at != passed.end() && acts(*at) == wanted; ++at) {
      ++window_.steps;
      const auto index = static_cast<std::size_t>(at - passed.begin());
      if (index == self || needless[index] || at->known != b.known || at->number != number) continue;
      if ((looks & ~at->mask).none() && (b.free & ~at->free).none()) return true;
    }
    return false;
  };
  for (std::size_t index = 0; index < passed.size(); ++index) {
    const Configuration& b = passed[index];
    Mask looks = b.mask & looks_;  // that cannot be had at this number any more
    for (const Local y : tells_) {
      if (this->looks(y) && b.known && act_of(y).number == b.number) looks &= ~window_.bit(y);
    }
    needless[index] = replaced(index, acts(b), b.number, looks);
    for (const auto* const list : {&blind_, &tells_}) {
      for (const Local y : *list) {
        if (needless[index]) break;
        if (y == x || this->looks(y) || undone(b, y)) continue;
        const std::int64_t number = b.known ? b.number - act_of(y).change : b.number;
        if (act_of(y).role == Role::tells && (!b.known || number != act_of(y).number)) continue;
        needless[index] = replaced(index, acts(b) & ~window_.bit(y), number, looks);
      }
    }
  }
  std::size_t kept = 0;
  for (std::size_t index = 0; index < passed.size(); ++index) {
    if (!needless[index]) passed[kept++] = passed[index];
  }
  passed.resize(kept);
  return true;
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
  std::optional<Local> impossible_one = read_before->impossible;
  if (!impossible_one) impossible_one = out_of_reach(part, *read_before);
  if (impossible_one) return std::make_unique<core::Decided>(impossible(part, *impossible_one));
  const algo::FixedSlots slots =
      algo::fixed_slots(part, [&](Local x) { return read_before->acts[x].role != Role::idle; });
  return algo::with_slots(slots.used, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    auto search =
        std::make_unique<algo::FrontierSearch<Amounts<Mask>>>(slots, part, options.witness, part, read_before);
    search->narrow(kFewConfigurations);
    return search;
  });
}

}  // namespace linchpin::types::counter
