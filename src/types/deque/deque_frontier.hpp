// The configurations of a deque history between two events: sets of contents, one for each mask.
//
// A mask has a bit for every open operation that is already done. What a mask has done determines how many values there
// are and which, and at which end each came and went, but not their order; all orders are held in one set
// (shared/deque_sets.hpp).
//
//   call of x       a slot; a pure operation that is legal is done at once, which may split a set by what is at an end
//   response of x   configurations without x are expanded, as few bits as possible first, sets of equal masks united
//                   before they are expanded, in a normal form (the block of operations done before x responds)
//
// While more values are inside than operations that are open can pop, and where there is a capacity more room than
// these can fill, nothing that is done at one end in a block is noticed at the other, but by what tells the size. Then
//                     x pops v     pops* x, or push v directly before x, all at its end
//                     x: size      pops* pushes* x, at both ends
//                     else         pops* pushes* x, at its end
//                   where an operation that tells the size was met on the way, this begins anew behind it, and while
//                   one is open, both ends and pushes before a pop may matter
// Otherwise all that is open is done in any order.
//
// Why the normal form loses nothing: what is done at the other end can be moved behind x, and so can a push directly
// followed by the pop of what it pushed, as it leaves the content as it was. Repeated, pops that take what the block
// pushed are gone, except x itself, and then what stands before x's push can be moved behind x too. Only what tells the
// size would notice: what stands before such an operation stays before it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algo/frontier/frontier.hpp"
#include "base/none.hpp"
#include "history/subhistory.hpp"
#include "types/deque/specification.hpp"
#include "types/shared/deque_sets.hpp"
#include "types/shared/end_acts.hpp"
#include "types/shared/staying.hpp"
#include "types/shared/way_back.hpp"

namespace linchpin::types::deque {

/// A domain of algo::Frontier, with fixed slots.
template <class OfSlots>
class Deques {
  /// What was done since the block began, or since an operation told the size: nothing, pops, or pushes at last.
  enum Phase : std::uint8_t { kNothing, kPopping, kPushing };

 public:
  using Mask = OfSlots;
  using Link = std::uint32_t;
  using Window = algo::Window<Mask>;
  using Acts = EndActs;
  using Kind = ActKind;
  using Sets = DequeSets;
  using Set = DequeSets::Set;
  struct Configuration {
    Mask mask;
    Set set = DequeSets::kEmpty;
    Phase phase = kNothing;  ///< during a response, until it is passed
  };
  using Derivation = types::Derivation<Mask, Set>;
  /// Where the two ends are, in a row of cells that the values stand in: the first one, and the one behind the last.
  struct Level {
    std::int32_t front, back;
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::fewest_done;

  /// Both outlive the domain.
  Deques(Window& window, const history::Subhistory& part, const EndActs& acts)
      : window_(window), part_(part), acts_(acts) {
    for (auto& looks_at : looks_at_) looks_at.resize(acts.values.size() + 1);
    sets_.limit(kMostProducts);
    for (const EndAct& act : acts.of) {
      if (act.kind == Kind::add && act.most != EndAct::kAnyNumber) room_ = act.most + 1;
    }
    Level level = {0, 0};
    returned_.push_back(level);
    for (const history::Event event : part.events()) {
      if (!event.is_response()) continue;
      move(level, acts_.of[event.operation()]);
      returned_.push_back(level);
    }
  }

  [[nodiscard]] static algo::FixedSlots slots(const history::Subhistory& part, const EndActs& acts) {
    return end_slots(part, acts);
  }
  [[nodiscard]] Configuration start() const { return {}; }
  /// Forgets all sets, and makes those of all halves of values from these (ascending), for contents of up to `most`.
  void begin_anywhere(std::uint32_t, std::uint32_t most, const std::vector<algo::ValueNumber>& values) {
    sets_ = DequeSets();
    sets_.widen(kMostProducts);
    anything_ = {StackSets::kEmptyStack};
    std::vector<StackSets::Edge> edges;
    while (anything_.size() <= most / 2 + 1) {
      edges.clear();
      for (const algo::ValueNumber value : values) edges.push_back({.top = value, .below = anything_.back()});
      anything_.push_back(sets_.halves().of_tops(edges));
    }
  }
  /// All contents of a length. @pre begin_anywhere, just now
  [[nodiscard]] Set anything(std::uint32_t length) {
    return sets_.settled(sets_.of_halves({anything_[length / 2], anything_[length - length / 2]}));
  }
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

  [[nodiscard]] Sets& sets() { return sets_; }
  [[nodiscard]] const Sets& sets() const { return sets_; }
  [[nodiscard]] bool is_pure(std::uint32_t local) const { return acts_.of[local].pure(); }
  /// Only configurations within are followed.
  void allow(const Mask& allowed) { allowed_ = allowed; }
  /// While on, each response leaves its derivations.
  void record(bool on) {
    recording_ = on;
    limit(on);
  }
  /// Whether sets may have however many products.
  void limit(bool none) { sets_.limit(none ? SIZE_MAX : kMostProducts); }
  /// How many values the deque holds at most; EndAct::kAnyNumber: any.
  [[nodiscard]] std::uint32_t room() const { return room_; }
  /// Whether contents were left out since it was asked last.
  [[nodiscard]] bool lost() { return sets_.lost(); }
  [[nodiscard]] const std::vector<Derivation>& derivations() const { return derivations_; }
  [[nodiscard]] std::size_t growth() const { return sets_.growth(); }
  /// By operation: pushes that `cost` wants early (staying.hpp).
  void set_staying(std::vector<bool> staying) { promise_.set_staying(std::move(staying)); }
  /// Between events up to that rank, for `cost`. @pre set_staying
  void weigh(history::Rank now) {
    promise_.weigh(window_, part_, now, [&](std::uint32_t local) { return is_pure(local); });
  }
  [[nodiscard]] StayingPromise::Cost cost(const Configuration& each) {
    return promise_.cost(window_, each.mask, 0, [&](std::uint32_t local) { return legal(acts_.of[local], each.set); });
  }

  [[nodiscard]] Level level(const Configuration& each, std::uint32_t passed) const {
    return moved(returned_[passed], each);
  }
  /// Calls `visit` with how many responses had come before what is now next to the end of x, or to both, was pushed,
  /// the nearest to the end first. @param levels  by response
  template <class Visit>
  void each_addition(std::span<const Level> levels, const Level& now, std::uint32_t x, std::uint32_t most,
                     Visit&& visit) const {
    const EndAct& act = acts_.of[x];
    const auto inside = static_cast<std::uint32_t>(now.back - now.front);
    for (std::uint32_t below = 0; below < most && below < inside; ++below) {
      for (const End end : {End{0}, End{1}}) {
        if (act.has_end() && end != act.end) continue;
        const std::int32_t cell =
            end == 0 ? now.front + static_cast<std::int32_t>(below) : now.back - 1 - static_cast<std::int32_t>(below);
        auto at = static_cast<std::uint32_t>(levels.size());
        while (at > 0 && levels[at - 1].front <= cell && levels[at - 1].back > cell) --at;
        visit(at);
      }
    }
  }

  /// The contents of `from` that the operation takes into `to`.
  [[nodiscard]] Set before(std::uint32_t local, Set from, Set to) {
    const EndAct& act = acts_.of[local];
    switch (act.kind) {
      case Kind::add: return sets_.pop(act.end, act.value, to);
      case Kind::take: return sets_.push(act.end, act.value, to);
      default: {
        Set before = DequeSets::kNothing;
        for (const algo::ValueNumber value : sets_.values_at(act.end, from)) {
          before = sets_.unite(before, sets_.intersect(from, sets_.push(act.end, value, to)));
        }
        return before;
      }
    }
  }
  /// A content of the set for people; empty: it is too long.
  [[nodiscard]] std::string describe(Set set) const {
    if (sets_.length(set) > kLengthShown) return {};
    Deque::State state;
    for (const algo::ValueNumber value : sets_.any_content(set)) state.push_back(acts_.values[value]);
    return Deque::describe(state, part_.history->pool());
  }

  void clear() {
    open_.clear();
    sights_.clear();
    for (Mask& looks : looks_) looks = {};
    sizes_ = {};
    pops_ = pushes_ = {};
    for (auto& looks_at : looks_at_) std::fill(looks_at.begin(), looks_at.end(), Mask());
  }
  void open(std::uint32_t local) {
    const EndAct& act = acts_.of[local];
    if (act.kind == Kind::look) {
      looks_[act.end] |= bit(local);
      looks_at_[act.end][act.value] |= bit(local);
    } else {
      open_in_order(act.pure() ? sights_ : open_, local);
      if (act.pure() && act.feels_height()) sizes_ |= bit(local);
      if (act.pops()) pops_ |= bit(local);
      if (act.kind == Kind::add) pushes_ |= bit(local);
    }
  }
  void close(std::uint32_t local) {
    const EndAct& act = acts_.of[local];
    if (act.kind == Kind::look) {
      looks_[act.end] &= ~bit(local);
      looks_at_[act.end][act.value] &= ~bit(local);
    } else {
      std::erase(act.pure() ? sights_ : open_, local);
      sizes_ &= ~bit(local);
      pops_ &= ~bit(local);
      pushes_ &= ~bit(local);
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
  void begin(std::uint32_t, const std::vector<Configuration>& current, Meet&&) {
    derivations_.clear();
    // Of configurations that open operations can empty, or nearly, or fill, none is in the normal form. On the way
    // back, which begins from fewer of them, what was done then is not known.
    ends_meet_ = recording_ || std::ranges::any_of(current, [&](const Configuration& each) {
                   const std::uint32_t length = sets_.length(each.set);
                   return length <= (pops_ & ~each.mask).count() || length + (pushes_ & ~each.mask).count() > room_;
                 });
  }

  template <class Meet>
  void expand(const Configuration& from, std::uint32_t x, Meet&& meet) {
    const EndAct& responder = acts_.of[x];
    const Mask undone = window_.used() & ~from.mask;
    const bool told = (sizes_ & undone).any();
    if (!ends_meet_ && responder.kind == Kind::empty) return;
    const bool pushes_help = ends_meet_ || !responder.pops() || told;
    if (!ends_meet_ && from.phase == kNothing && responder.kind == Kind::take) push_then_respond(from, x, meet);
    for (const std::uint32_t local : open_) {
      const algo::Slot slot = window_.slot(local);
      if (!undone.has(slot) || !window_.ready(slot, undone)) continue;
      const EndAct& act = acts_.of[local];
      if (!ends_meet_) {
        if (!told && act.end != responder.end) continue;
        if (act.pops() ? from.phase == kPushing : !pushes_help) continue;
      }
      const Set next = after(act, from.set);
      if (next == DequeSets::kNothing) continue;
      const Phase phase = ends_meet_ ? kNothing : act.pops() ? kPopping : kPushing;
      normalize(from.mask | bit(local), next, [&](const Mask& mask, Set set) {
        const bool anew = (mask & ~from.mask & sizes_).any() || (mask & bit(x)).any();
        reach({mask, set, anew ? kNothing : phase}, local, kNone, {}, meet);
      });
    }
  }

  /// Where a half of some content is about to be used up, all are cut anew, in one place.
  bool prune(std::uint32_t, std::vector<Configuration>& passed) {
    const auto short_of = [&](const Configuration& each) {
      const std::uint32_t length = sets_.length(each.set), cut = sets_.cut(each.set);
      return length >= 4 * kShort && length > sets_.longest_whole() && std::min(cut, length - cut) < kShort;
    };
    if (std::ranges::none_of(passed, short_of)) return true;
    const auto cut_of = [&](const Configuration& each) { return -moved({0, 0}, each).front; };
    const std::int32_t place = static_cast<std::int32_t>(sets_.narrow_cut(passed[0].set)) - cut_of(passed[0]);
    for (Configuration& each : passed) {
      const auto length = static_cast<std::int32_t>(sets_.length(each.set));
      each.set = sets_.cut_at(static_cast<std::uint32_t>(std::clamp(place + cut_of(each), 0, length)), each.set);
    }
    window_.steps += passed.size();
    return true;
  }

 private:
  static constexpr std::uint32_t kShort = 6;  // values in a half
  static constexpr std::uint32_t kLengthShown = 64;
  static constexpr std::size_t kMostProducts = 3;  // of a set

  [[nodiscard]] Mask bit(std::uint32_t local) const { return window_.bit(local); }

  static void move(Level& level, const EndAct& act) {
    if (act.pure()) return;
    const bool inward = act.pops();
    if (act.end == 0) {
      level.front += inward ? 1 : -1;
    } else {
      level.back += inward ? -1 : 1;
    }
  }

  /// The level behind what the configuration has done.
  [[nodiscard]] Level moved(Level level, const Configuration& each) const {
    for (Mask rest = each.mask & window_.used(); rest.any(); rest.drop_first()) {
      move(level, acts_.of[window_.holder(rest.first())]);
    }
    return level;
  }

  /// Whether it can be done now, of an operation that is not done; what is pure would be.
  [[nodiscard]] bool legal(const EndAct& act, Set set) {
    if (act.pure()) return false;
    if (!act.fits(sets_.length(set))) return false;
    if (act.kind == Kind::add) return true;
    return act.kind == Kind::lost_take ? sets_.length(set) > 0 : sets_.has_at(act.end, act.value, set);
  }

  template <class Meet>
  void reach(const Configuration& to, std::uint32_t first, std::uint32_t second, const Mask& between, Meet&& meet) {
    if ((to.mask & ~allowed_).any()) return;
    const auto met = meet(to);
    if (recording_) derivations_.push_back({met.number, window_.from, first, second, between, to.set});
  }

  template <class Meet>
  void push_then_respond(const Configuration& from, std::uint32_t x, Meet&& meet) {
    const Mask undone = window_.used() & ~from.mask;
    for (const std::uint32_t push : open_) {
      const EndAct& act = acts_.of[push];
      if (act.kind != Kind::add || act.value != acts_.of[x].value || act.end != acts_.of[x].end) continue;
      const algo::Slot slot = window_.slot(push);
      if (!undone.has(slot) || !window_.ready(slot, undone)) continue;
      Mask between;
      normalize(from.mask | bit(push), after(act, from.set), [&](const Mask& mask, Set) { between = mask; });
      ++window_.steps;
      normalize(between | bit(x), from.set, [&](const Mask& mask, Set set) {
        reach({mask, set, kNothing}, push, x, between, meet);
      });
    }
  }

  [[nodiscard]] Set after(const EndAct& act, Set set) {
    ++window_.steps;
    if (!act.fits(sets_.length(set))) return DequeSets::kNothing;
    switch (act.kind) {
      case Kind::add: return sets_.push(act.end, act.value, set);
      case Kind::take: return sets_.pop(act.end, act.value, set);
      case Kind::lost_take: return sets_.pop_any(act.end, set);
      default: return DequeSets::kNothing;
    }
  }

  /// Does all pure operations that are legal, where some contents of the set may allow more than others.
  template <class Emit>
  void normalize(Mask mask, Set set, Emit&& emit) {
    const std::uint32_t length = sets_.length(set);
    for (const std::uint32_t local : sights_) {
      const EndAct& act = acts_.of[local];
      if (act.kind != Kind::never && act.fits(length)) mask |= bit(local);
    }
    look(0, mask, set, [&](const Mask& at_front, Set left) { look(1, at_front, left, emit); });
  }

  /// Does the looks at one end that are legal.
  template <class Emit>
  void look(End end, const Mask& mask, Set set, Emit&& emit) {
    if ((looks_[end] & ~mask).none()) return emit(mask, set);
    std::vector<algo::ValueNumber> seen;
    for (const algo::ValueNumber value : sets_.values_at(end, set)) {
      if ((looks_at_[end][value] & ~mask).any()) seen.push_back(value);
    }
    if (seen.empty()) return emit(mask, set);
    const Set rest = sets_.without(end, seen, set);
    if (rest != DequeSets::kNothing) emit(mask, rest);
    for (const algo::ValueNumber value : seen) emit(mask | looks_at_[end][value], sets_.with(end, value, set));
  }

  Window& window_;
  const history::Subhistory& part_;
  const EndActs& acts_;
  Sets sets_;
  std::vector<Level> returned_;                  // by response: what has returned, but for what is open
  std::vector<std::uint32_t> open_;              // not pure
  std::vector<std::uint32_t> sights_;            // pure, but for looks
  std::array<Mask, 2> looks_;                    // by end: slots of open looks
  std::array<algo::ByValue<Mask>, 2> looks_at_;  // by end
  Mask sizes_;                                   // slots of open operations that tell the size
  Mask pops_, pushes_;                           // slots of open ones
  std::uint32_t room_ = EndAct::kAnyNumber;      // for so many values
  bool ends_meet_ = true;                        // during a response: what is done at one end may matter at the other
  Mask allowed_ = Mask::all();
  std::vector<DequeSets::Half> anything_;  // by height
  StayingPromise promise_;
  bool recording_ = false;
  std::vector<Derivation> derivations_;
};

}  // namespace linchpin::types::deque
