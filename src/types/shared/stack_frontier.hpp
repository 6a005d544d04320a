// The configurations of a stack history between two events: sets of stacks, one for each mask.
//
// A mask has a bit for every open operation that is already done. What a mask has done determines how many values there
// are and which, but not their order; all orders are held in one set (stack_sets.hpp).
//
//   call of x       a slot; a pure operation that is legal is done at once, which may split a set by its top
//   response of x   configurations without x are expanded, as few bits as possible first, sets of equal masks united
//                   before they are expanded, in this normal form (the block of operations done before x responds):
//                     x pops v     pops* x, or push v directly before x
//                     x: empty     pops* x
//                     else         pops* pushes* x
//                   where an operation felt the height on the way, this begins anew behind it
//
// Why the normal form loses nothing: a block without x in which a push is directly followed by the pop of what it
// pushed (and operations that look at it between) can be moved as a unit behind x, as it leaves the stack as it was.
// Repeated, pops that take what the block pushed are gone, except x itself, and then what stands before x's push can be
// moved behind x too. Only what feels the height would notice: what stands before such an operation stays before it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algo/frontier/frontier.hpp"
#include "base/none.hpp"
#include "history/subhistory.hpp"
#include "types/answers.hpp"
#include "types/shared/end_acts.hpp"
#include "types/shared/stack_sets.hpp"
#include "types/shared/staying.hpp"
#include "types/shared/way_back.hpp"

namespace linchpin::types {

/// A domain of algo::Frontier, with fixed slots.
template <class OfSlots>
class Stacks {
  /// What was done since the block began, or since an operation felt the height: nothing, pops, or pushes at last.
  enum Phase : std::uint8_t { kNothing, kPopping, kPushing };

 public:
  using Mask = OfSlots;
  using Link = std::uint32_t;
  using Window = algo::Window<Mask>;
  using Acts = EndActs;
  using Kind = ActKind;
  using Sets = StackSets;
  using Set = StackSets::Set;
  using Level = std::uint32_t;  ///< how many values are inside
  struct Configuration {
    Mask mask;
    Set set = StackSets::kEmptyStack;
    Phase phase = kNothing;  ///< during a response, until it is passed
  };
  using Derivation = types::Derivation<Mask, Set>;
  static constexpr bool kMerges = true;
  static constexpr std::size_t kWeightsAtOnce = 4;  // all: with one at a time, the time is luck
  static constexpr algo::Expand kFirst = algo::Expand::fewest_done;

  /// All outlive the domain. @param sets  that it shares with others; none: it has its own
  Stacks(Window& window, const history::Subhistory& part, const EndActs& acts, StackSets* sets = nullptr)
      : window_(window),
        part_(part),
        acts_(acts),
        sets_(sets == nullptr ? own_sets_ : *sets),
        looks_at_(acts.values.size() + 1 + StackSets::kMostFloors) {}
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  [[nodiscard]] static algo::FixedSlots slots(const history::Subhistory& part, const EndActs& acts) {
    return end_slots(part, acts);
  }
  [[nodiscard]] Configuration start() const { return {}; }
  /// Forgets all sets, and makes those of all stacks of values from these (ascending) of up to `most`, on a floor of
  /// `least` that nobody looks into.
  void begin_anywhere(std::uint32_t least, std::uint32_t most, const std::vector<algo::ValueNumber>& values) {
    sets_ = StackSets();
    least_ = least;
    anything_ = {sets_.unseen(least)};
    std::vector<StackSets::Edge> edges;
    while (least + anything_.size() <= most) {
      edges.clear();
      for (const algo::ValueNumber value : values) edges.push_back({.top = value, .below = anything_.back()});
      anything_.push_back(sets_.of_tops(edges));
    }
  }
  /// All stacks of a height. @pre begin_anywhere, just now
  [[nodiscard]] Set anything(std::uint32_t height) const { return anything_[height - least_]; }
  /// Pure and pending: never needed.
  [[nodiscard]] bool skipped(std::uint32_t local) const { return part_.pending(local) && acts_.of[local].pure(); }
  [[nodiscard]] bool impossible(std::uint32_t local) const { return acts_.of[local].kind == Kind::never; }
  [[nodiscard]] bool alike(std::uint32_t a, std::uint32_t b) const {
    return !acts_.of[b].pure() && acts_.of[a] == acts_.of[b];
  }
  [[nodiscard]] std::uint64_t hash(const Configuration& each) const { return mix(each.mask.hash(), each.phase); }
  [[nodiscard]] bool same(const Configuration& a, const Configuration& b) const {
    return a.mask == b.mask && a.phase == b.phase;
  }
  void merge(Configuration& into, const Configuration& each) { into.set = sets_.unite(into.set, each.set); }

  [[nodiscard]] bool is_pure(std::uint32_t local) const { return acts_.of[local].pure(); }
  [[nodiscard]] StackSets& sets() { return sets_; }
  [[nodiscard]] const StackSets& sets() const { return sets_; }
  /// Only configurations within are followed.
  void allow(const Mask& allowed) { allowed_ = allowed; }
  /// While on, each response leaves its derivations.
  void record(bool on) { recording_ = on; }
  [[nodiscard]] const std::vector<Derivation>& derivations() const { return derivations_; }
  [[nodiscard]] std::size_t growth() const { return sets_.growth(); }
  /// By operation: pushes that `cost` wants early (staying.hpp).
  void set_staying(std::vector<bool> staying) { promise_.set_staying(std::move(staying)); }
  /// Between events up to that rank, for `cost`. @pre set_staying
  void weigh(history::Rank now) {
    promise_.weigh(window_, part_, now, [&](std::uint32_t local) { return is_pure(local); });
  }
  [[nodiscard]] StayingPromise::Cost cost(const Configuration& each) const {
    const float variety = &sets_ == &own_sets_ ? sets_.variety(each.set) : 0;  // at a deque's end it is no better
    return promise_.cost(window_, each.mask, variety,
                         [&](std::uint32_t local) { return legal(acts_.of[local], each.set); });
  }

  [[nodiscard]] Level level(const Configuration& each, std::uint32_t) const { return sets_.height(each.set); }
  /// Calls `visit` with how many responses had come before what is now on top was pushed, then for what lies below.
  /// @param levels  by response
  template <class Visit>
  void each_addition(std::span<const Level> levels, Level now, std::uint32_t, std::uint32_t most, Visit&& visit) const {
    auto at = static_cast<std::uint32_t>(levels.size());
    for (std::uint32_t below = 0; below < most && below < now; ++below) {
      while (at > 0 && levels[at - 1] >= now - below) --at;
      visit(at);
    }
  }

  /// The stacks of `from` that the operation takes into `to`.
  [[nodiscard]] Set before(std::uint32_t local, Set from, Set to) {
    const EndAct& act = acts_.of[local];
    switch (act.kind) {
      case Kind::add: return sets_.pop(act.value, to);
      case Kind::take: return sets_.push(act.value, to);
      default: {
        std::vector<StackSets::Edge> tops(sets_.tops(from).begin(), sets_.tops(from).end());
        for (StackSets::Edge& edge : tops) edge.below = sets_.intersect(edge.below, to);
        std::erase_if(tops, [](const StackSets::Edge& edge) { return edge.below == StackSets::kNothing; });
        return sets_.of_tops(tops);
      }
    }
  }
  /// A stack of the set for people; empty: it is too high.
  [[nodiscard]] std::string describe(Set set) const {
    if (sets_.height(set) > kHeightShown) return {};
    std::vector<Value> stack;
    for (const algo::ValueNumber value : sets_.any_stack(set)) stack.push_back(acts_.values[value]);
    return fmt::format("[{}], top last", join(stack, part_.history->pool()));
  }

  void clear() {
    open_.clear();
    sights_.clear();
    looks_ = {};
    feeling_ = {};
    std::fill(looks_at_.begin(), looks_at_.end(), Mask());
  }
  void open(std::uint32_t local) {
    const EndAct& act = acts_.of[local];
    if (act.kind == Kind::look) {
      looks_ |= bit(local);
      looks_at_[act.value] |= bit(local);
    } else {
      open_in_order(act.pure() ? sights_ : open_, local);
      if (act.feels_height()) feeling_ |= bit(local);
    }
  }
  void close(std::uint32_t local) {
    const EndAct& act = acts_.of[local];
    if (act.kind == Kind::look) {
      looks_ &= ~bit(local);
      looks_at_[act.value] &= ~bit(local);
    } else {
      std::erase(act.pure() ? sights_ : open_, local);
      feeling_ &= ~bit(local);
    }
  }

  void call(std::uint32_t local, std::vector<Configuration>& current) {
    if (!acts_.of[local].pure()) return;
    // Only the new operation can have become legal, so that masks stay distinct.
    const std::vector<Configuration> before = std::exchange(current, {});
    for (const Configuration& each : before) {
      normalize(each.mask, each.set, [&](const Mask& mask, Set set) { current.push_back({.mask = mask, .set = set}); });
    }
    window_.steps += before.size();
  }

  template <class Meet>
  void begin(std::uint32_t, const std::vector<Configuration>&, Meet&&) {
    derivations_.clear();
  }

  template <class Meet>
  void expand(const Configuration& from, std::uint32_t x, Meet&& meet) {
    const EndAct& responder = acts_.of[x];
    const Mask undone = window_.used() & ~from.mask;
    const bool ends_popping = responder.kind == Kind::take || responder.kind == Kind::empty;
    const bool pushes_help = !ends_popping || (feeling_ & undone).any();
    // The other normal form of a pop's block: the value pushed, and popped at once by the responder.
    const bool pops_any_height = responder.kind == Kind::take && !responder.feels_height();
    if (from.phase == kNothing && pops_any_height) push_then_respond(window_.from, from, x, meet);
    for (const std::uint32_t local : open_) {
      const algo::Slot slot = window_.slot(local);
      if (!undone.has(slot) || !window_.ready(slot, undone)) continue;
      const EndAct& act = acts_.of[local];
      if (act.pops() ? from.phase == kPushing && !act.feels_height() : !pushes_help) continue;
      const Set next = after(act, from.set);
      if (next == StackSets::kNothing) continue;
      const Phase phase = act.feels_height() ? kNothing : act.pops() ? kPopping : kPushing;
      normalize(from.mask | bit(local), next, [&](const Mask& mask, Set set) {
        const bool anew = (mask & ~from.mask & feeling_).any() || (mask & bit(x)).any();
        reach({mask, set, anew ? kNothing : phase}, window_.from, local, kNone, {}, meet);
      });
    }
  }

  bool prune(std::uint32_t, std::vector<Configuration>&) { return true; }

 private:
  static constexpr std::uint32_t kHeightShown = 64;

  [[nodiscard]] Mask bit(std::uint32_t local) const { return window_.bit(local); }

  /// Whether it can be done now, of an operation that is not done; what is pure would be.
  [[nodiscard]] bool legal(const EndAct& act, Set set) const {
    if (act.pure() || !act.fits(sets_.height(set))) return false;
    return act.kind == Kind::add ||
           (act.kind == Kind::lost_take ? sets_.height(set) > 0 : sets_.has_top(act.value, set));
  }

  template <class Meet>
  void reach(const Configuration& to, std::uint32_t from, std::uint32_t first, std::uint32_t second,
             const Mask& between, Meet&& meet) {
    if ((to.mask & ~allowed_).any()) return;
    const auto met = meet(to);
    if (recording_) derivations_.push_back({met.number, from, first, second, between, to.set});
  }

  template <class Meet>
  void push_then_respond(std::uint32_t number, const Configuration& from, std::uint32_t x, Meet&& meet) {
    const Mask undone = window_.used() & ~from.mask;
    for (const std::uint32_t push : open_) {
      const EndAct& act = acts_.of[push];
      if (act.kind != Kind::add || act.value != acts_.of[x].value) continue;
      const algo::Slot slot = window_.slot(push);
      if (!undone.has(slot) || !window_.ready(slot, undone)) continue;
      const Set pushed = after(act, from.set);
      if (pushed == StackSets::kNothing) continue;
      Mask between;
      normalize(from.mask | bit(push), pushed, [&](const Mask& mask, Set) { between = mask; });
      ++window_.steps;
      normalize(between | bit(x), from.set, [&](const Mask& mask, Set set) {
        reach({mask, set, kNothing}, number, push, x, between, meet);
      });
    }
  }

  [[nodiscard]] Set after(const EndAct& act, Set set) {
    ++window_.steps;
    if (!act.fits(sets_.height(set))) return StackSets::kNothing;
    switch (act.kind) {
      case Kind::add: return sets_.push(act.value, set);
      case Kind::take: return sets_.pop(act.value, set);
      case Kind::lost_take: return sets_.pop_any(set);
      default: return StackSets::kNothing;
    }
  }

  /// Does all pure operations that are legal, where some stacks of the set may allow more than others.
  template <class Emit>
  void normalize(Mask mask, Set set, Emit&& emit) {
    const std::uint32_t height = sets_.height(set);
    for (const std::uint32_t local : sights_) {
      const EndAct& act = acts_.of[local];
      if (act.kind != Kind::never && act.fits(height)) mask |= bit(local);
    }
    if ((looks_ & ~mask).none()) {
      emit(mask, set);
      return;
    }
    split_.clear();
    rest_.clear();
    for (const StackSets::Edge& edge : sets_.tops(set)) {
      ((looks_at_[edge.top] & ~mask).any() ? split_ : rest_).push_back(edge);
    }
    if (split_.empty()) {
      emit(mask, set);
      return;
    }
    const Set rest = sets_.of_tops(rest_);
    if (rest != StackSets::kNothing) emit(mask, rest);
    // `emit` may not come back here, so that the list stays.
    for (const StackSets::Edge& edge : split_) emit(mask | looks_at_[edge.top], sets_.of_tops({&edge, 1}));
  }

  Window& window_;
  const history::Subhistory& part_;
  const EndActs& acts_;
  StackSets own_sets_;
  StackSets& sets_;
  std::vector<std::uint32_t> open_;    // not pure
  std::vector<std::uint32_t> sights_;  // pure, but for looks
  Mask looks_;                         // slots of open looks
  Mask feeling_;                       // slots of open operations that feel the height
  algo::ByValue<Mask> looks_at_;
  Mask allowed_ = Mask::all();
  std::vector<StackSets::Edge> split_, rest_;
  std::vector<Set> anything_;  // by height, from least_ on
  std::uint32_t least_ = 0;
  StayingPromise promise_;
  bool recording_ = false;
  std::vector<Derivation> derivations_;
};

}  // namespace linchpin::types
