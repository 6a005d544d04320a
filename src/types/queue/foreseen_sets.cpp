#include "types/queue/foreseen_sets.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algo/frontier/frontier.hpp"
#include "algo/frontier/promise.hpp"
#include "linchpin/hash.hpp"
#include "types/queue/counted_refutation.hpp"
#include "types/queue/leaving_order.hpp"
#include "types/shared/content_set_search.hpp"
#include "types/shared/deque_sets.hpp"
#include "types/shared/way_back.hpp"

namespace linchpin::types::queue {

namespace {

using Local = std::uint32_t;
using history::Rank;
using history::Subhistory;

struct CountedActs {
  CountedHistory history;
  CountLimits limits;
  std::uint32_t values = 0;
  bool repeated = true;
};

/// A domain of algo::Frontier, with fixed slots.
template <class OfSlots>
class ForeseenSets {
 public:
  using Mask = OfSlots;
  using Link = Local;
  using Window = algo::Window<Mask>;
  using Acts = CountedActs;
  using Sets = DequeSets;
  using Set = DequeSets::Set;
  using Place = typename LeavingOrder<Mask>::Place;
  struct Configuration {
    Mask mask;
    Set set = DequeSets::kEmpty;
    std::uint32_t left = 0;  ///< how many values
    Place place = {};        ///< of the last value in the order in which they leave
  };
  using Derivation = types::Derivation<Mask, Set>;
  /// How many values have left and have entered.
  struct Level {
    std::uint32_t left, entered;
  };
  static constexpr bool kMerges = true;
  static constexpr std::size_t kWeightsAtOnce = 1;
  static constexpr algo::Expand kFirst = algo::Expand::fewest_done;

  ForeseenSets(Window& window, const Subhistory& part, const CountedActs& acts)
      : window_(window),
        part_(part),
        history_(acts.history),
        limits_(acts.limits),
        leaving_(part, acts.history, acts.limits),
        turn_(algo::turns(part, [](Local) { return true; })),
        promise_(turn_),
        looks_at_(acts.values) {
    sets_.limit(kMostProducts);
    Level level = {0, 0};
    returned_.push_back(level);
    responses_.push_back(0);
    for (const history::Event event : part.events()) {
      responses_.push_back(responses_.back() + (event.is_response() ? 1 : 0));
      if (!event.is_response()) continue;
      move(level, event.operation());
      returned_.push_back(level);
    }
  }
  ForeseenSets(const ForeseenSets&) = delete;
  ForeseenSets& operator=(const ForeseenSets&) = delete;

  [[nodiscard]] Configuration start() const { return {}; }
  [[nodiscard]] bool skipped(Local x) const { return part_.pending(x) && is_pure(x); }
  [[nodiscard]] bool impossible(Local) const { return false; }
  [[nodiscard]] bool alike(Local a, Local b) const {
    return !is_pure(b) && act(a) == act(b) && history_.value[a] == history_.value[b];
  }
  [[nodiscard]] std::uint64_t hash(const Configuration& each) const {
    return mix(mix(each.mask.hash(), each.place.turn), each.place.ahead.hash());
  }
  [[nodiscard]] bool same(const Configuration& a, const Configuration& b) const {
    return a.mask == b.mask && a.place == b.place;
  }
  void merge(Configuration& into, const Configuration& each) { into.set = sets_.unite(into.set, each.set); }

  [[nodiscard]] Sets& sets() { return sets_; }
  [[nodiscard]] bool is_pure(Local x) const { return act(x) != ActKind::add && act(x) != ActKind::take; }
  /// Only configurations within are followed.
  void allow(const Mask& allowed) { allowed_ = allowed; }
  /// While on, each response leaves its derivations, and sets have however many products.
  void record(bool on) {
    recording_ = on;
    limit(on);
  }
  /// @param none  sets may have however many products
  void limit(bool none) { sets_.limit(none ? SIZE_MAX : kMostProducts); }
  /// Whether contents were left out since it was asked last.
  [[nodiscard]] bool lost() { return sets_.lost(); }
  [[nodiscard]] const std::vector<Derivation>& derivations() const { return derivations_; }
  [[nodiscard]] std::size_t growth() const { return sets_.growth(); }
  void set_staying(const std::vector<bool>&) {}
  /// Between events up to that rank, for `cost`.
  void weigh(Rank now) {
    promise_.weigh_by(window_, 1, responses_[now], [this](Local y) { return is_pure(y); });
  }
  /// The less, the more promising: those that have done little before it was due; and in which what is due soon is done
  /// or can be, and whose values leave in the order of the responses.
  struct Cost {
    std::int64_t order, due;
  };
  [[nodiscard]] Cost cost(const Configuration& each) {
    std::int64_t due = 0;
    const std::int64_t order = promise_.cost(each.mask, [&](Local y, std::int64_t cost) {
      due += cost * distance(each, y);
      return 0;
    });
    return {.order = order, .due = due + leaving_.out_of_turn(each.place)};
  }

  [[nodiscard]] Level level(const Configuration& each, std::uint32_t passed) const {
    Level level = returned_[passed];
    for (Mask rest = each.mask & window_.used(); rest.any(); rest.drop_first())
      move(level, window_.holder(rest.first()));
    return level;
  }
  /// Calls `visit` with how many responses had come before what is next to the front now entered, the first one first.
  template <class Visit>
  void each_addition(std::span<const Level> levels, const Level& now, Local, std::uint32_t most, Visit&& visit) const {
    for (std::uint32_t value = now.left; value < now.entered && value < now.left + most; ++value) {
      auto at = static_cast<std::uint32_t>(levels.size());
      while (at > 0 && levels[at - 1].entered > value) --at;
      visit(at);
    }
  }

  /// The contents of `from` that the operation takes into `to`.
  [[nodiscard]] Set before(Local x, Set from, Set to) {
    if (act(x) == ActKind::add) return sets_.pop(kBack, history_.value[x], to);
    if (!part_.pending(x)) return sets_.push(kFront, history_.value[x], to);
    Set before = DequeSets::kNothing;
    for (const ValueNumber value : sets_.values_at(kFront, from)) {
      before = sets_.unite(before, sets_.intersect(from, sets_.push(kFront, value, to)));
    }
    return before;
  }
  /// Nothing: it shows no contents, since it refutes nothing.
  [[nodiscard]] static std::string describe(Set) { return {}; }

  void clear() {
    changes_.clear();
    counts_.clear();
    looks_ = {};
    std::fill(looks_at_.begin(), looks_at_.end(), Mask());
  }
  void open(Local x) {
    if (act(x) == ActKind::look) {
      looks_ |= bit(x);
      looks_at_[history_.value[x]] |= bit(x);
    } else {
      open_in_order(is_pure(x) ? counts_ : changes_, x);
    }
  }
  void close(Local x) {
    if (act(x) == ActKind::look) {
      looks_ &= ~bit(x);
      looks_at_[history_.value[x]] &= ~bit(x);
    } else {
      std::erase(is_pure(x) ? counts_ : changes_, x);
    }
  }

  void call(Local x, std::vector<Configuration>& current) {
    if (!is_pure(x)) return;
    const std::vector<Configuration> before = std::exchange(current, {});
    for (const Configuration& each : before) look(each, [&](const Configuration& to) { current.push_back(to); });
    window_.steps += before.size();
  }

  template <class Meet>
  void begin(Local x, const std::vector<Configuration>&, Meet&&) {
    derivations_.clear();
    moment_ = part_.response[x];
  }

  template <class Meet>
  void expand(const Configuration& from, Local x, Meet&& meet) {
    const Wanted wanted = wanted_for(from, x);
    const Mask undone = window_.used() & ~from.mask;
    for (const Local y : changes_) {
      const algo::Slot slot = window_.slot(y);
      if (!undone.has(slot) || !window_.ready(slot, undone)) continue;
      if (y != x && !(act(y) == ActKind::add ? wanted.more : wanted.fewer)) continue;
      Configuration to = from;
      if (!change(to, y)) continue;
      look(to, [&](const Configuration& seen) {
        if ((seen.mask & ~allowed_).any()) return;
        const auto met = meet(seen);
        if (recording_) derivations_.push_back({.to = met.number, .from = window_.from, .first = y, .part = seen.set});
      });
    }
  }

  bool prune(Local, std::vector<Configuration>&) { return true; }

 private:
  static constexpr End kFront = 0, kBack = 1;
  static constexpr std::int64_t kFarthest = 4;     // a count that is so far away is as bad as any
  static constexpr std::size_t kMostProducts = 3;  // of a set

  /// What may be done besides the responder: enqueues, dequeues.
  struct Wanted {
    bool more = false, fewer = false;
  };

  [[nodiscard]] ActKind act(Local x) const { return history_.act[x]; }
  [[nodiscard]] Mask bit(Local x) const { return window_.bit(x); }
  [[nodiscard]] std::int64_t count(const Configuration& each) const { return sets_.length(each.set); }
  void move(Level& level, Local x) const {
    level.left += act(x) == ActKind::take ? 1 : 0;
    level.entered += act(x) == ActKind::add ? 1 : 0;
  }

  /// Does what changes the queue; false: it cannot be done.
  [[nodiscard]] bool change(Configuration& each, Local y) {
    ++window_.steps;
    const std::int64_t now = count(each);
    if (act(y) == ActKind::add) {
      const std::int64_t entered = now + each.left;
      if (now >= history_.capacity || entered >= limits_.most_adds[moment_.number()]) return false;
      if (!leaving_.advance(each.place, static_cast<std::uint32_t>(entered), history_.value[y])) return false;
      each.set = sets_.push(kBack, history_.value[y], each.set);
    } else {
      if (now == 0 || std::int64_t{each.left} >= limits_.most_removes[moment_.number()]) return false;
      each.set = part_.pending(y) ? sets_.pop_any(kFront, each.set) : sets_.pop(kFront, history_.value[y], each.set);
      if (each.set == DequeSets::kNothing) return false;
      ++each.left;
    }
    each.mask |= bit(y);
    return true;
  }

  /// Does what changes nothing and is legal, where some contents of the set may allow more than others.
  template <class Emit>
  void look(Configuration each, Emit&& emit) {
    for (const Local y : counts_) {
      if (act(y) != ActKind::count || history_.range[y].holds(count(each))) each.mask |= bit(y);
    }
    if ((looks_ & ~each.mask).none()) return emit(each);
    std::vector<ValueNumber> seen;
    for (const ValueNumber value : sets_.values_at(kFront, each.set)) {
      if ((looks_at_[value] & ~each.mask).any()) seen.push_back(value);
    }
    if (seen.empty()) return emit(each);
    Configuration to = each;
    to.set = sets_.without(kFront, seen, each.set);
    if (to.set != DequeSets::kNothing) emit(to);
    for (const ValueNumber value : seen) {
      to.mask = each.mask | looks_at_[value];
      to.set = sets_.with(kFront, value, each.set);
      emit(to);
    }
  }

  /// What may be needed before x, or to be seen by what looks.
  [[nodiscard]] Wanted wanted_for(const Configuration& from, Local x) const {
    const std::int64_t now = count(from);
    Wanted wanted;
    switch (act(x)) {
      case ActKind::add:
        wanted.more = true;
        wanted.fewer = now >= history_.capacity;
        break;
      case ActKind::take: wanted = {.more = now == 0, .fewer = true}; break;
      default: break;
    }
    if ((looks_ & ~from.mask).any()) {
      wanted.fewer = true;
      wanted.more = wanted.more || now == 0;
    }
    for (const Local y : counts_) {
      if (from.mask.has(window_.slot(y)) || act(y) != ActKind::count) continue;
      (history_.range[y].least > now ? wanted.more : wanted.fewer) = true;
    }
    // Neither way is there room, or enough, for long.
    if (wanted.more && now >= history_.capacity) wanted.fewer = true;
    if (wanted.fewer && now == 0) wanted.more = true;
    return wanted;
  }

  /// How far it is from being possible.
  [[nodiscard]] std::int64_t distance(const Configuration& each, Local y) {
    const std::int64_t now = count(each);
    switch (act(y)) {
      case ActKind::add: return now < history_.capacity ? 0 : 1;
      case ActKind::take: return part_.pending(y) || sets_.has_at(kFront, history_.value[y], each.set) ? 0 : 1;
      case ActKind::look: return 1;
      case ActKind::count: {
        const CountRange& range = history_.range[y];
        return std::min(kFarthest, std::max(range.least - now, now - range.most));
      }
      default: return 0;
    }
  }

  Window& window_;
  const Subhistory& part_;
  const CountedHistory& history_;
  const CountLimits& limits_;
  const LeavingOrder<Mask> leaving_;
  Sets sets_;
  const std::vector<std::uint32_t> turn_;
  algo::Promise promise_;
  std::vector<Level> returned_;               // by response: what has returned, but for what is open
  history::ByRank<std::uint32_t> responses_;  // how many come before
  std::vector<Local> changes_;                // open operations
  std::vector<Local> counts_;                 // open, pure, but for looks
  Mask looks_;                                // slots of open looks
  algo::ByValue<Mask> looks_at_;
  Mask allowed_ = Mask::all();
  Rank moment_ = 0;
  bool recording_ = false;
  std::vector<Derivation> derivations_;
};

/// What cannot be passed refutes nothing, whatever was before it.
class NoPast {
 public:
  enum class Status : std::uint8_t { going, refuted };
  NoPast(const Subhistory&, const CountedActs&) {}
  [[nodiscard]] static bool begin(Rank, Rank) { return false; }
  [[nodiscard]] static Status advance() { return Status::going; }
  [[nodiscard]] static Rank rank() { return 0; }
  [[nodiscard]] static std::uint64_t steps() { return 0; }
  [[nodiscard]] static bool may_grow(core::Budget&) { return true; }
};

using Found = std::unique_ptr<core::SearchTask>;

template <class Mask>
Found start_width(const Subhistory& part, const core::DeciderOptions& options, const CountedActs& acts,
                  const algo::FixedSlots& slots, std::size_t width) {
  return std::make_unique<ContentSetSearch<OneFrontier<ForeseenSets<Mask>>, NoPast>>(
      part, options, ContentSetEffort{.width = width}, acts, slots, std::vector<bool>(part.size(), false),
      std::vector<std::uint8_t>());
}

/// Begins with the fewest masks. Where that takes too many steps, what was left out long ago is missed, and it begins
/// anew with more.
class Widening final : public core::SearchTask {
 public:
  Widening(const Subhistory& part, const core::DeciderOptions& options, CountedActs acts, algo::FixedSlots slots)
      : part_(part), options_(options), acts_(std::move(acts)), slots_(std::move(slots)) {
    begin();
  }
  Widening(const Widening&) = delete;
  Widening& operator=(const Widening&) = delete;

  bool run(std::uint64_t steps, core::Budget& budget) override {
    while (steps > 0) {
      const std::uint64_t turn = std::min(steps, kTurn);
      if (search_->run(turn, budget)) return true;
      steps -= turn;
      made_ += turn;
      if (search_->passed() > farthest_) {
        farthest_ = search_->passed();
        made_there_ = made_;
      } else if (width_ < kWidest && made_ - made_there_ > std::max(made_there_, kLeast)) {
        width_ *= kWider;
        begin();
      }
    }
    return false;
  }
  /// What cannot be passed refutes nothing.
  [[nodiscard]] core::Outcome outcome() const override {
    core::Outcome outcome = search_->outcome();
    return outcome.verdict == Verdict::violation ? core::not_applicable() : outcome;
  }
  [[nodiscard]] std::uint32_t passed() const override { return farthest_; }

 private:
  static constexpr std::size_t kWider = 4;
  static constexpr std::size_t kWidest = std::size_t{1} << 20;  // it goes on by itself from there
  static constexpr std::uint64_t kTurn = 4096;                  // steps after which it is asked how far it got
  static constexpr std::uint64_t kLeast = 500'000;              // steps in vain, or as many as led there

  void begin() {
    farthest_ = 0;
    made_ = made_there_ = 0;
    search_.reset();
    search_ = algo::with_slots(
        slots_.used, [&]<class Mask>() -> Found { return start_width<Mask>(part_, options_, acts_, slots_, width_); });
  }

  const Subhistory& part_;
  const core::DeciderOptions options_;
  const CountedActs acts_;
  const algo::FixedSlots slots_;
  std::size_t width_ = 4;
  Found search_;
  std::uint32_t farthest_ = 0;               // responses
  std::uint64_t made_ = 0, made_there_ = 0;  // steps of this width, and those until it got farthest
};

}  // namespace

std::unique_ptr<core::SearchTask> start_foreseen_sets(const Subhistory& part, CountedHistory history,
                                                      const core::DeciderOptions& options) {
  const auto counts = [&](Local x) {
    const bool changes = history.act[x] == ActKind::add || history.act[x] == ActKind::take;
    return changes || !part.pending(x);
  };
  algo::FixedSlots slots = algo::fixed_slots(part, counts);
  if (slots.used > algo::kMostOpen) return std::make_unique<core::Decided>(core::not_applicable());
  std::optional<CountLimits> limits = count_limits(part, history);
  if (!limits) return std::make_unique<core::Decided>(core::not_applicable());
  CountedActs acts{.history = std::move(history), .limits = std::move(*limits)};
  for (const ValueNumber value : acts.history.value) {
    if (value != ValueNumber::none()) acts.values = std::max(acts.values, value.number() + 1);
  }
  return std::make_unique<Widening>(part, options, std::move(acts), std::move(slots));
}

}  // namespace linchpin::types::queue
