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
#include <bitset>
#include <cstdlib>
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
    OpenList& list = list_of(x);
    const auto key = [&](const Open& y) { return std::tuple(y.number, y.change, part_.response[y.local], y.local); };
    const auto before = [&](const Open& a, const Open& b) { return key(a) < key(b); };
    const Open own = open_of(x);
    list.insert(std::upper_bound(list.begin(), list.end(), own, before), own);
    if (looks(x)) looks_ |= window_.bit(x);
  }
  void close(Local x) {
    std::erase_if(list_of(x), [x](const Open& y) { return y.local == x; });
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
    const auto add = [&](std::int64_t number, std::int64_t change) {
      if (change == 0) return;
      leave(number, 1);
      leave(number + change, -1);
    };
    for (const Open& y : tells_) add(y.number, y.change);
    std::uint32_t ahead = kAhead;
    for (history::Rank rank = window_.moment; rank < part_.ranks() && ahead > 0; ++rank) {
      const history::Event event = part_.events()[rank];
      if (event.is_response()) continue;
      --ahead;
      const Act& act = act_of(event.operation());
      if (act.role == Role::tells) add(act.number, act.change);
    }
    base_jumps_ = jumps_;
  }
  [[nodiscard]] std::int64_t cost(const Configuration& each) {
    ++window_.steps;
    return promise_.weight() * burden(each) + promise_.cost(each.mask, [](Local, std::int64_t) { return 0; });
  }

 private:
  /// An open operation: what every configuration asks of it, in one place.
  struct Open {
    Local local;
    algo::Slot slot;
    std::int64_t number, change;

    [[nodiscard]] bool looks() const { return change == 0; }
    [[nodiscard]] bool equals(const Open& other) const { return number == other.number && change == other.change; }
  };
  using OpenList = std::vector<Open>;

  [[nodiscard]] const Act& act_of(Local x) const { return reading_->acts[x]; }
  [[nodiscard]] bool looks(Local x) const { return act_of(x).change == 0; }
  [[nodiscard]] OpenList& list_of(Local x) { return act_of(x).role == Role::blind ? blind_ : tells_; }

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
      meet_taken(done(from, open_of(x)));
      return;
    }
    targets_.clear();
    for (const Open& y : tells_) {
      if (!undone(from, y) || y.number == from.number || (due.role == Role::tells && (y.number == due.number) != last))
        continue;
      if (targets_.empty() || targets_.back() != y.number) targets_.push_back(y.number);  // they are sorted
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
    for (const Open& y : tells_) {
      if (y.looks() || undone(configuration, y)) continue;
      leave(y.number, -1);
      leave(y.number + y.change, 1);
    }
    leave(configuration.number, -1);
    const std::int64_t jumps = jumps_;
    for (const auto& [number, by] : changed_) balance_[number] -= by;
    return kJump * jumps;
  }

  [[nodiscard]] Open open_of(Local x) const {
    return {.local = x, .slot = window_.slot(x), .number = act_of(x).number, .change = act_of(x).change};
  }
  [[nodiscard]] Configuration done(const Configuration& from, const Open& y) const {
    const Mask own = Mask::of(y.slot);
    Configuration to = from;
    to.mask |= own;
    to.free &= ~own;
    if (to.known) to.number += y.change;
    return to;
  }
  [[nodiscard]] static bool undone(const Configuration& configuration, const Open& y) {
    return !configuration.mask.has(y.slot);
  }
  /// Whether an equal operation goes before the one at `at` of the list.
  [[nodiscard]] static bool has_earlier_equal(const OpenList& list, std::size_t at,
                                              const Configuration& configuration) {
    const bool is_free = configuration.free.has(list[at].slot);
    for (std::size_t other = at; other-- > 0;) {
      if (!list[other].equals(list[at])) return false;
      if (undone(configuration, list[other]) && configuration.free.has(list[other].slot) == is_free) return true;
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
  /// What tells the number.
  [[nodiscard]] std::pair<std::size_t, std::size_t> tells_at(std::int64_t number) const {
    const auto first = std::lower_bound(tells_.begin(), tells_.end(), number,
                                        [](const Open& y, std::int64_t wanted) { return y.number < wanted; });
    auto last = first;
    while (last != tells_.end() && last->number == number) ++last;
    return {static_cast<std::size_t>(first - tells_.begin()), static_cast<std::size_t>(last - tells_.begin())};
  }
  /// Does the looks at the number.
  void look(Configuration& configuration) {
    const auto [first, last] = tells_at(configuration.number);
    for (std::size_t at = first; at < last; ++at) {
      const Open& y = tells_[at];
      if (!y.looks() || !undone(configuration, y)) continue;
      configuration = done(configuration, y);
      taken_.push_back(y.local);
    }
  }

  /// The operations that tell this number, or any where none is known.
  template <class Meet>
  void tell(const Configuration& from, Local x, bool last, Meet&& meet) {
    const auto [first, end] = from.known ? tells_at(from.number) : std::pair(std::size_t{0}, tells_.size());
    for (std::size_t at = first; at < end; ++at) {
      const Open& y = tells_[at];
      if ((y.local == x) != last || !undone(from, y)) continue;
      if (has_earlier_equal(tells_, at, from)) continue;
      ++window_.steps;
      Configuration to = from;
      if (!from.known) {
        to.known = true;
        to.number = y.number;
        for (const Open& blind : blind_) {
          if (undone(from, blind)) to.free |= Mask::of(blind.slot);
        }
      }
      taken_.assign({y.local});
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
    // But for x, and an equal of it that can go after it as well.
    const bool is_blind = act_of(x).role == Role::blind, is_free = from.free.has(window_.slot(x));
    const std::int64_t own = act_of(x).change;
    for (const Open& y : blind_) {
      const bool stands_for_x = is_blind && y.change == own && from.free.has(y.slot) == is_free;
      if (undone(from, y) && !stands_for_x) steps_.push_back(y);
    }
    // What can still be added behind each, at least and at most.
    least_.assign(steps_.size() + 1, 0);
    most_.assign(steps_.size() + 1, 0);
    for (std::size_t at = steps_.size(); at-- > 0;) {
      const std::int64_t change = steps_[at].change;
      least_[at] = least_[at + 1] + std::min<std::int64_t>(change, 0);
      most_[at] = most_[at + 1] + std::max<std::int64_t>(change, 0);
    }
    taken_.clear();
    find_ways(from.number);
    if (may_arrive(from.number, 0)) choose(from, 0, meet);
  }

  /// From which numbers the steps behind each can still lead to a target, where these numbers are few.
  void find_ways(std::int64_t from) {
    first_ = from + least_[0];
    few_numbers_ = static_cast<std::size_t>(most_[0] - least_[0]) < kNumbers;
    if (!few_numbers_) return;
    ways_.resize(steps_.size() + 1);
    std::bitset<kNumbers>& arrived = ways_[steps_.size()];
    arrived.reset();
    for (const std::int64_t target : targets_) {
      if (target >= first_ && target <= from + most_[0]) arrived.set(static_cast<std::size_t>(target - first_));
    }
    for (std::size_t at = steps_.size(); at-- > 0;) {
      const std::bitset<kNumbers>& then = ways_[at + 1];
      const std::int64_t change = steps_[at].change;
      const auto distance = static_cast<std::size_t>(std::abs(change));
      ways_[at] = then | (change > 0 ? then >> distance : then << distance);
    }
  }
  [[nodiscard]] bool may_arrive(std::int64_t number, std::size_t at) const {
    if (few_numbers_) return ways_[at].test(static_cast<std::size_t>(number - first_));
    const auto target = std::lower_bound(targets_.begin(), targets_.end(), number + least_[at]);
    return target != targets_.end() && *target <= number + most_[at];
  }

  /// @pre may_arrive(now.number, at)
  template <class Meet>
  void choose(const Configuration& now, std::size_t at, Meet&& meet) {
    ++window_.steps;
    if (at == steps_.size()) {
      if (!taken_.empty()) arrive(now, meet);
      return;
    }
    const Open& y = steps_[at];
    if (may_arrive(now.number, at + 1)) choose(now, at + 1, meet);
    // Of equals the first goes first: it is taken, or none of the others is.
    if (!may_arrive(now.number + y.change, at + 1) || has_earlier_equal(steps_, at, now)) return;
    taken_.push_back(y.local);
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
      const auto [first, last] = tells_at(now.number);
      for (std::size_t at = first; at < last; ++at) {
        const Open& y = tells_[at];
        if (!undone(now, y) || has_earlier_equal(tells_, at, now)) continue;
        ++window_.steps;
        taken_.push_back(y.local);
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
  OpenList tells_, blind_;  // by number, equals together, those that return first before the others
  Mask looks_;
  std::vector<Local> taken_;
  OpenList steps_;
  std::vector<std::int64_t> targets_, least_, most_;
  static constexpr std::size_t kNumbers = 256;
  std::vector<std::bitset<kNumbers>> ways_;  // by step, then by number less first_
  std::int64_t first_ = 0;
  bool few_numbers_ = false;
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
    if (b.known) {
      const auto [first, last] = tells_at(b.number);
      for (std::size_t at = first; at < last; ++at) {
        if (tells_[at].looks()) looks &= ~Mask::of(tells_[at].slot);
      }
    }
    needless[index] = replaced(index, acts(b), b.number, looks);
    for (const auto* const list : {&blind_, &tells_}) {
      const bool tell = list == &tells_;
      for (const Open& y : *list) {
        if (needless[index]) break;
        if (y.local == x || y.looks() || undone(b, y)) continue;
        const std::int64_t number = b.known ? b.number - y.change : b.number;
        if (tell && (!b.known || number != y.number)) continue;
        needless[index] = replaced(index, acts(b) & ~Mask::of(y.slot), number, looks);
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
