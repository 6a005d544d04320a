// Decides counters whose changes differ, some of which return the number.
//
// An operation that returned the number (before or after its change) *tells*: it takes effect at one number only. What
// changes the number and tells nothing is *blind*. Nothing is done before a response needs it, and looks as soon as
// they are legal. So before the response of x, a blind operation other than x is done only on the way to a number at
// which an open operation tells: the search goes from number to number, each time by a set of blind operations with the
// right sum. Of equal operations the one that returns first goes first. Those that are pending are *optional*: sets
// with few of them are tried first, and where that leads to enough configurations the others are left out.
//
// A domain of algo::Frontier that keeps few configurations and refutes by windows. Where few are kept, those from which
// something that tells, open or called later, cannot be reached before it returns are left out (`is_lost`). Where a
// window starts at any number (algo/frontier/windows.hpp), the first operation that tells says which it was, and blind
// operations that were open until then may have been part of it: they are *free*, and need not be done any more.
//
// First of all, a number that no choice of the changes called so far can reach is refuted at once.
// Precondition: numbers and amounts are small enough for sums not to wrap around. Cost: exponential at worst: whether
// some changes have a given sum is a question of it; where that takes too long, windows are given up. Source: own.
// Compare: contents.cpp (keeps every configuration), monitor.cpp (one amount). Tests: counter_amounts_test.cpp.
#include "types/counter/amounts.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

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
constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t kMostOperations = std::uint32_t{1} << 20;
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
  std::string why;                  // what is said of it; empty: nothing
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
      if (part.pending(x) || reading.impossible) continue;
      reading.impossible = x;
      if (told && !is_integer(operation.result)) {
        reading.why = fmt::format("{} returned no number", part.history->describe(part.operation[x]));
      }
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

/// The sums of all that goes up, and of all that goes down.
struct Sums {
  std::int64_t up = 0, down = 0;

  void add(std::int64_t change) { (change > 0 ? up : down) += change; }
};

/// By rank, what is called before, and what is needed for all that is called from then on.
class Ahead {
 public:
  Ahead(const Subhistory& part, const AmountsRead& reading)
      : part_(part),
        acts_(reading.acts),
        called_(std::size_t{part.ranks().number()} + 1),
        needed_(called_.size(), {.up = -kNothing, .down = kNothing}) {
    const auto& events = part.events();
    for (std::size_t rank = 0; rank + 1 < called_.size(); ++rank) {
      const history::Event event = events[history::Rank{rank}];
      called_[rank + 1] = called_[rank];
      const Act& act = acts_[event.operation()];
      if (!event.is_response() && act.role != Role::idle) called_[rank + 1].add(act.change);
    }
    for (std::size_t rank = called_.size() - 1; rank-- > 0;) {
      const history::Event event = events[history::Rank{rank}];
      const Local y = event.operation();
      needed_[rank] = needed_[rank + 1];
      if (event.is_response() || acts_[y].role != Role::tells || part.pending(y)) continue;
      const Sums own = needed_for(y);
      needed_[rank].up = std::max(needed_[rank].up, own.up);
      needed_[rank].down = std::min(needed_[rank].down, own.down);
    }
  }

  [[nodiscard]] const Sums& called_before(history::Rank rank) const { return called_[rank.number()]; }
  /// Where a number has to be, less what was called by then, for y to have its own once all that is open goes up, and
  /// at most, once it goes down. @pre y returns
  [[nodiscard]] Sums needed_for(Local y) const {
    const Act& act = acts_[y];
    const Sums& by_then = called_before(part_.response[y]);
    return {.up = act.number - by_then.up + std::max<std::int64_t>(0, act.change),
            .down = act.number - by_then.down + std::min<std::int64_t>(0, act.change)};
  }
  /// The same for all that tells, is called from there on and returns.
  [[nodiscard]] const Sums& needed_from(history::Rank rank) const { return needed_[rank.number()]; }

 private:
  const Subhistory& part_;
  std::span<const Act> acts_;
  std::vector<Sums> called_, needed_;
};

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

  Amounts(Window& window, const Subhistory& part, std::shared_ptr<const AmountsRead> reading,
          std::shared_ptr<const Ahead> ahead)
      : window_(window),
        part_(part),
        reading_(std::move(reading)),
        ahead_(std::move(ahead)),
        turn_(algo::turns(part, [this](Local x) { return !skipped(x); })),
        promise_(turn_) {}
  Amounts(Window& window, const Amounts& alike) : Amounts(window, alike.part_, alike.reading_, alike.ahead_) {}
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
    looks_ = optional_ = {};
  }
  void open(Local x) {
    OpenList& list = list_of(x);
    const auto key = [&](const Open& y) { return std::tuple(y.number, y.change, part_.response[y.local], y.local); };
    const auto before = [&](const Open& a, const Open& b) { return key(a) < key(b); };
    const Open own = open_of(x);
    list.insert(std::upper_bound(list.begin(), list.end(), own, before), own);
    if (looks(x)) looks_ |= window_.bit(x);
    if (is_optional(x)) optional_ |= window_.bit(x);
  }
  void close(Local x) {
    std::erase_if(list_of(x), [x](const Open& y) { return y.local == x; });
    looks_ &= ~window_.bit(x);
    optional_ &= ~window_.bit(x);
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
  /// Blind, and need not be done.
  [[nodiscard]] bool is_optional(Local x) const { return part_.pending(x) && act_of(x).role == Role::blind; }
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
    if (is_limited() && is_lost(to)) {
      window_.left_out = true;
      return;
    }
    ++arrived_;
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

  /// Whether an operation that tells is out of reach, whatever is done before it returns.
  [[nodiscard]] bool is_lost(const Configuration& configuration) const {
    if (!configuration.known) return false;
    Sums open;
    for (const OpenList* const list : {&blind_, &tells_}) {
      for (const Open& y : *list) {
        if (undone(configuration, y)) open.add(y.change);
      }
    }
    const Sums& called = ahead_->called_before(window_.moment);
    const std::int64_t most = configuration.number + open.up - called.up;
    const std::int64_t least = configuration.number + open.down - called.down;
    const auto too_far = [&](const Sums& needed) { return most < needed.up || least > needed.down; };
    return too_far(ahead_->needed_from(window_.moment)) ||
           std::any_of(tells_.begin(), tells_.end(), [&](const Open& y) {
             return undone(configuration, y) && !part_.pending(y.local) && too_far(ahead_->needed_for(y.local));
           });
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
    optional_steps_.clear();
    // But for x, and an equal of it that can go after it as well.
    const bool is_blind = act_of(x).role == Role::blind, is_free = from.free.has(window_.slot(x));
    const std::int64_t own = act_of(x).change;
    for (const Open& y : blind_) {
      const bool stands_for_x = is_blind && y.change == own && from.free.has(y.slot) == is_free;
      if (undone(from, y) && !stands_for_x) (is_optional(y.local) ? optional_steps_ : steps_).push_back(y);
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
    arrived_ = tried_ = 0;
    for (std::size_t count = 0; count <= optional_steps_.size() && !has_enough(); ++count) {
      choose_optional(from, 0, count, meet);
    }
  }
  /// Whether not all that a response leads to is wanted: few configurations are kept, and not yet many.
  [[nodiscard]] bool is_limited() const { return window_.enough < kMany; }
  /// Whether the rest is left out, since enough was found, or it would take too long.
  [[nodiscard]] bool has_enough() {
    const std::size_t arrivals = is_limited() ? std::max<std::size_t>(2, window_.enough / kEnoughFor) : SIZE_MAX;
    const std::size_t tries = is_limited() ? std::min(kTries * window_.enough, kMostTries) : kMostTries;
    if (arrived_ < arrivals && tried_ < tries && window_.may_go_on()) return false;
    window_.left_out = true;
    return true;
  }

  /// From which numbers the steps behind each can still lead to a target, where these numbers are few.
  void find_ways(std::int64_t from) {
    Sums optional;
    for (const Open& y : optional_steps_) optional.add(y.change);
    // From what is beyond these the others do not lead back to a target.
    lowest_ = std::max(from + optional.down, std::min(from, targets_.front() - most_[0] - optional.up));
    highest_ = std::min(from + optional.up, std::max(from, targets_.back() - least_[0] - optional.down));
    first_ = lowest_ + least_[0];
    few_numbers_ = static_cast<std::size_t>(highest_ + most_[0] - first_) < kNumbers;
    if (!few_numbers_) return;
    ways_.resize(steps_.size() + 1);
    std::bitset<kNumbers>& arrived = ways_[steps_.size()];
    arrived.reset();
    for (const std::int64_t target : targets_) {
      if (target >= first_ && target <= highest_ + most_[0]) arrived.set(static_cast<std::size_t>(target - first_));
    }
    const auto before = [](const std::bitset<kNumbers>& then, std::int64_t change) {
      const auto distance = static_cast<std::size_t>(std::abs(change));
      return then | (change > 0 ? then >> distance : then << distance);
    };
    for (std::size_t at = steps_.size(); at-- > 0;) ways_[at] = before(ways_[at + 1], steps_[at].change);
    optional_ways_.resize(optional_steps_.size() + 1);
    optional_ways_[optional_steps_.size()] = ways_[0];
    for (std::size_t at = optional_steps_.size(); at-- > 0;) {
      optional_ways_[at] = before(optional_ways_[at + 1], optional_steps_[at].change);
    }
  }
  /// The same by the optional steps behind each, and all others.
  [[nodiscard]] bool may_arrive_by_optional(std::int64_t number, std::size_t at) const {
    if (!few_numbers_) return true;
    return number >= lowest_ && number <= highest_ &&
           optional_ways_[at].test(static_cast<std::size_t>(number - first_));
  }
  [[nodiscard]] bool may_arrive(std::int64_t number, std::size_t at) const {
    if (few_numbers_) return ways_[at].test(static_cast<std::size_t>(number - first_));
    const auto target = std::lower_bound(targets_.begin(), targets_.end(), number + least_[at]);
    return target != targets_.end() && *target <= number + most_[at];
  }

  /// With just so many of the optional steps, from `at` on.
  template <class Meet>
  void choose_optional(const Configuration& now, std::size_t at, std::size_t count, Meet&& meet) {
    ++window_.steps;
    ++tried_;
    if (count == 0) {
      if (may_arrive_by_optional(now.number, optional_steps_.size()) && may_arrive(now.number, 0)) choose(now, 0, meet);
      return;
    }
    for (; at + count <= optional_steps_.size() && may_arrive_by_optional(now.number, at); ++at) {
      if (has_enough()) return;
      const Open& y = optional_steps_[at];
      if (has_earlier_equal(optional_steps_, at, now)) continue;
      taken_.push_back(y.local);
      const std::size_t length = taken_.size();
      choose_optional(done(now, y), at + 1, count - 1, meet);
      taken_.resize(length - 1);
    }
  }
  /// Whether an optional step that does the same was taken, which goes last.
  [[nodiscard]] bool has_later_equal(const Open& y) const {
    return std::any_of(taken_.begin(), taken_.end(),
                       [&](Local z) { return is_optional(z) && act_of(z).change == y.change; });
  }
  /// @pre may_arrive(now.number, at)
  template <class Meet>
  void choose(const Configuration& now, std::size_t at, Meet&& meet) {
    ++window_.steps;
    if (++tried_ >= kMostTries || !window_.may_go_on()) {
      window_.left_out = true;
      return;
    }
    if (at == steps_.size()) {
      if (!taken_.empty()) arrive(now, meet);
      return;
    }
    const Open& y = steps_[at];
    if (may_arrive(now.number, at + 1) && !has_later_equal(y)) choose(now, at + 1, meet);
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
  const std::shared_ptr<const Ahead> ahead_;
  const std::vector<std::uint32_t> turn_;
  algo::Promise promise_;
  OpenList tells_, blind_;  // by number, equals together, those that return first before the others
  Mask looks_, optional_;
  std::vector<Local> taken_;
  OpenList steps_, optional_steps_;
  std::vector<std::int64_t> targets_, least_, most_;
  static constexpr std::size_t kNumbers = 512;
  std::vector<std::bitset<kNumbers>> ways_, optional_ways_;  // by step, then by number less first_
  std::int64_t first_ = 0, lowest_ = 0, highest_ = 0;
  bool few_numbers_ = false;
  std::size_t arrived_ = 0, tried_ = 0;                       // on the ways from one configuration
  static constexpr std::size_t kMany = std::size_t{1} << 15;  // where so many are wanted, nothing is left out
  static constexpr std::size_t kEnoughFor = 16;  // what is enough of a response is so many times what is of one way
  static constexpr std::size_t kTries = 64;      // for each configuration that is enough
  static constexpr std::size_t kMostTries = std::size_t{1} << 20;
  absl::flat_hash_map<std::int64_t, std::int64_t> balance_;  // by number: what begins there less what ends there
  std::int64_t jumps_ = 0, base_jumps_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> changed_;
  static constexpr std::int64_t kJump = 4;     // what a jump weighs, in responses that something was done too early
  static constexpr std::uint32_t kAhead = 12;  // calls
};

/// Leaves out a configuration where another one leads to it by optional operations and one more that is still legal
/// there, and where another one at the same number has done an operation instead of optional ones, which it can still
/// do instead.
template <class OfSlots>
bool Amounts<OfSlots>::prune(Local x, std::vector<Configuration>& passed) {
  if (passed.size() < 2) return true;
  const auto acts = [&](const Configuration& each) { return each.mask & ~looks_ & ~optional_; };
  std::sort(passed.begin(), passed.end(), [&](const Configuration& a, const Configuration& b) {
    const Mask acts_a = acts(a), acts_b = acts(b);
    if (acts_a != acts_b) return acts_a < acts_b;
    return a.mask != b.mask ? a.mask > b.mask : a.free > b.free;
  });
  window_.steps += passed.size();
  std::vector<bool> needless(passed.size(), false);
  // What the optional operations add up to that only one has done.
  const auto spent_besides = [&](const Configuration& b, const Configuration& other) {
    std::int64_t sum = 0;
    for (const Open& y : blind_) {
      if (optional_.has(y.slot) && b.mask.has(y.slot) && undone(other, y)) sum += y.change;
    }
    return sum;
  };
  /// Whether one with exactly these acts, and no more optional ones, does for `b` all that b does: the optional ones
  /// besides lead it to this number. `instead`: and it is at the number of b.
  const auto replaced = [&](std::size_t self, const Mask& wanted, std::int64_t number, const Mask& looks,
                            bool instead = false) {
    const Configuration& b = passed[self];
    auto at = std::lower_bound(passed.begin(), passed.end(), wanted,
                               [&](const Configuration& each, const Mask& value) { return acts(each) < value; });
    for (; at != passed.end() && acts(*at) == wanted; ++at) {
      ++window_.steps;
      const auto index = static_cast<std::size_t>(at - passed.begin());
      if (index == self || needless[index] || at->known != b.known) continue;
      if ((at->mask & optional_ & ~b.mask).any()) continue;
      if (at->number + (b.known ? spent_besides(b, *at) : 0) != number) continue;
      if (instead && at->number != b.number) continue;
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
        if (y.local == x || y.looks() || optional_.has(y.slot)) continue;
        if (undone(b, y)) {
          const bool instead = !tell && b.known && (b.mask & optional_).any();
          if (instead) needless[index] = replaced(index, acts(b) | Mask::of(y.slot), b.number + y.change, looks, true);
          continue;
        }
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

/// What is legal nowhere, by itself.
core::Outcome impossible(const AmountsRead& reading) {
  return {.verdict = Verdict::violation,
          .core = {*reading.impossible},
          .blocked = reading.impossible,
          .sentence = reading.why};
}

/// What was called before it returned leads nowhere near it.
core::Outcome unreachable(const Subhistory& part, Local blocked) {
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
  if (read_before->impossible) return std::make_unique<core::Decided>(impossible(*read_before));
  if (const auto blocked = out_of_reach(part, *read_before)) {
    return std::make_unique<core::Decided>(unreachable(part, *blocked));
  }
  const auto ahead = std::make_shared<const Ahead>(part, *read_before);
  const algo::FixedSlots slots =
      algo::fixed_slots(part, [&](Local x) { return read_before->acts[x].role != Role::idle; });
  return algo::with_slots(slots.used, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    auto search =
        std::make_unique<algo::FrontierSearch<Amounts<Mask>>>(slots, part, options.witness, part, read_before, ahead);
    search->narrow(kFewConfigurations);
    return search;
  });
}

}  // namespace linchpin::types::counter
