// Configurations as masks and interned states, for the verdict on any specification: a domain of algo::Frontier.
//
// Prunings: a pure operation that is open and legal is done at once; of open operations with one label only the one
// that responds first is done next; after a response, what another configuration can do as well is dropped
// (redundancy.hpp); what is overwritten unseen is not done at all, but may be counted as done when it responds: a
// second mask holds what need not be done, being *free*. In a chain such operations are marked, and are put in when the
// chain is asked for. Source: docs/design/search.md, facts 1 to 8.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algo/frontier/frontier.hpp"
#include "decide/search/open_groups.hpp"
#include "decide/search/quiet_states.hpp"
#include "decide/search/redundancy.hpp"
#include "decide/search/transitions.hpp"
#include "decide/search/window.hpp"

namespace linchpin::decide {

template <class OfSlots>
class InternedStates {
 public:
  using Mask = OfSlots;
  using Link = std::uint32_t;  // an operation; one that nothing sees with kUnseen
  using OfWindow = algo::Window<Mask>;
  struct Configuration {
    Mask mask, free;  ///< what is done; what need not be done
    StateId state = 0;
    std::uint32_t tail = algo::kNoLink;       ///< what was done last
    std::uint32_t hidden = Labels::kNowhere;  ///< what its last operation overwrote, if nothing saw it since
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::first_met;

  /// @param few          whether few configurations are going to be kept
  /// @param ignore_pure  whether to pass over pure operations
  /// @param keep_states  whether states stay known that no configuration has any more
  InternedStates(OfWindow& window, const history::Subhistory& part, std::shared_ptr<SearchContext> context, bool few,
                 bool ignore_pure = false, bool keep_states = false)
      : open_window_(window),
        context_(std::move(context)),
        labels_(context_->labels),
        transitions_(context_->transitions),
        window_(context_->window),
        few_(few),
        ignore_pure_(ignore_pure),
        keep_states_(keep_states),
        groups_(part, labels_, window_),
        redundancy_(transitions_, window_) {}
  InternedStates(const InternedStates&) = delete;
  InternedStates& operator=(const InternedStates&) = delete;

  [[nodiscard]] Configuration start() const { return {.state = transitions_.initial()}; }
  [[nodiscard]] bool skipped(std::uint32_t x) const {
    return window_.dropped(x) || (ignore_pure_ && labels_.pure(labels_.of(x)));
  }
  [[nodiscard]] bool impossible(std::uint32_t) const { return false; }
  /// The groups are by response.
  [[nodiscard]] bool alike(std::uint32_t, std::uint32_t) const { return false; }
  [[nodiscard]] std::uint64_t hash(const Configuration& each) const {
    std::uint64_t seed = mix(each.mask.hash(), each.state);
    return labels_.any_overwrites() ? mix(seed, each.free.hash()) : seed;
  }
  [[nodiscard]] bool same(const Configuration& a, const Configuration& b) const {
    return a.state == b.state && a.mask == b.mask && a.free == b.free;
  }

  void clear() { groups_.clear(); }
  void open(std::uint32_t x) { groups_.open(x); }
  void close(std::uint32_t x) {
    if (!std::exchange(closed_, false)) groups_.close(x);
  }

  void call(std::uint32_t x, std::vector<Configuration>& current) {
    const Label label = labels_.of(x);
    if (!labels_.pure(label)) return;
    for (Configuration& each : current) {
      ++open_window_.steps;
      if (!transitions_.legal(each.state, label)) continue;
      each.mask |= bit(x);
      each.tail = open_window_.extended(each.tail, x);
    }
  }

  /// Where the responder need not be done, it is done unseen.
  template <class Meet>
  void begin(std::uint32_t x, const std::vector<Configuration>& current, Meet&& meet) {
    if (!labels_.any_overwrites()) return;
    for (const Configuration& each : current) {
      if (is_free(each, x)) unseen(each, x, meet);
    }
  }

  /// Expands by each label's operation that responds first, and by what is pure and legal then.
  template <class Meet>
  void expand(const Configuration& from, std::uint32_t x, Meet&& meet) {
    const bool was_free = is_free(from, x);
    for (const Group& group : groups_.others()) {
      // What came last would be overwritten before anything saw it: without it, it is free, and that is better.
      if (group.overwrites != Labels::kNowhere && group.overwrites == from.hidden) continue;
      const auto first = std::find_if(group.locals.begin(), group.locals.end(),
                                      [&](std::uint32_t local) { return !from.mask.has(window_.slot[local]); });
      if (first == group.locals.end()) continue;
      ++open_window_.steps;
      successors_.clear();
      for (const StateId next : transitions_.after(from.state, group.label)) successors_.push_back(next);
      for (const StateId next : successors_) {
        Configuration to = done(from, *first, group);
        to.state = next;
        const Mask looks = legal_looks(next, to.mask);
        to.mask |= looks;
        if (looks.any()) to.hidden = Labels::kNowhere;
        const auto met = meet(to);
        if (!met.fresh) continue;
        to.tail = open_window_.extended(from.tail, *first);
        for (Mask rest = looks; rest.any(); rest.drop_first()) {
          to.tail = open_window_.extended(to.tail, open_window_.holder(rest.first()));
        }
        met.entry->tail = to.tail;
        if (!was_free && is_free(to, x)) unseen(to, x, meet);
      }
    }
  }

  /// Drops what is redundant, some at a time.
  bool prune(std::uint32_t x, std::vector<Configuration>& passed) {
    if (!closed_) {
      groups_.close(x);
      closed_ = true;
      redundancy_.begin(passed, groups_);
      open_window_.steps += passed.size();
      return false;
    }
    if (!redundancy_.advance(passed)) return false;
    redundancy_.drop_from(passed);
    for (Configuration& each : passed) each.hidden = Labels::kNowhere;
    return true;
  }

  [[nodiscard]] std::size_t growth() const { return transitions_.growth(); }

  /// Which configurations are promising: those that have done little before it was due, and in which what is due soon
  /// is done or legal.
  void weigh(std::uint32_t attempts, std::uint32_t passed) {
    const std::int64_t weight = kWeights[attempts % kWeights.size()];
    early_.assign(std::size_t{64} * window_.words(), 0);
    due_.clear();
    for (const auto groups : {groups_.others(), groups_.pure()}) {
      for (const Group& group : groups) {
        for (const std::uint32_t local : group.locals) {
          const std::uint32_t turn = window_.turn[local];
          const std::int64_t ahead = turn == Window::kNever ? kPending : std::int64_t{turn} - passed;
          const std::uint32_t slot = window_.slot[local];
          if (!group.pure) early_[slot] = ahead;
          if (ahead >= kSoon) continue;
          due_.push_back({.slot = slot, .label = group.label, .pure = group.pure, .cost = weight * (kSoon - ahead)});
        }
      }
    }
  }
  [[nodiscard]] std::int64_t cost(const Configuration& each) {
    ++open_window_.steps;
    std::int64_t cost = 0;
    for (Mask rest = each.mask; rest.any(); rest.drop_first()) cost += early_[rest.first()];
    for (const Due& due : due_) {
      if (each.mask.has(due.slot)) continue;
      // What is pure and legal is done.
      if (due.pure || !transitions_.legal(each.state, due.label)) cost += due.cost;
    }
    return cost;
  }

  /// Forgets the states that nobody has any more, where they are many.
  template <class EachKept>
  void forget(std::vector<Configuration>& current, EachKept&& each_kept) {
    const std::size_t more = few_ ? kFewStateBytesKept : kStateBytesKept;
    if (keep_states_ || transitions_.bytes() <= 2 * state_bytes_kept_ + more) return;
    std::vector<StateId> live;
    const auto gather = [&live](const std::vector<Configuration>& configurations) {
      for (const Configuration& each : configurations) live.push_back(each.state);
    };
    gather(current);
    each_kept(gather);
    transitions_.retain(live);
    state_bytes_kept_ = transitions_.bytes();
  }

  /// The operations of a chain: what nobody sees stands before what overwrites it.
  [[nodiscard]] std::vector<std::uint32_t> order(std::uint32_t tail) const {
    const auto& links = open_window_.chains();
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> hidden;  // not yet met: what overwrites them
    for (; tail != algo::kNoLink; tail = links.before(tail)) {
      const std::uint32_t local = links.element(tail);
      if ((local & kUnseen) != 0) {
        hidden.push_back(local & ~kUnseen);
        continue;
      }
      order.push_back(local);
      const std::uint32_t place = overwrites(local);
      if (place == Labels::kNowhere) continue;
      std::erase_if(hidden, [&](std::uint32_t each) {
        if (overwrites(each) != place) return false;
        order.push_back(each);
        return true;
      });
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  [[nodiscard]] std::vector<std::string> states(const std::vector<Configuration>& current) const {
    std::vector<StateId> ids;
    ids.reserve(current.size());
    for (const Configuration& each : current) ids.push_back(each.state);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (ids.size() > kStatesShown) ids.resize(kStatesShown);
    std::vector<std::string> states;
    states.reserve(ids.size());
    for (const StateId id : ids) states.push_back(transitions_.describe(id));
    return states;
  }

 private:
  using Group = OpenGroup<Mask>;
  /// An open operation that has to be done soon.
  struct Due {
    std::uint32_t slot;
    Label label;
    bool pure;
    std::int64_t cost;  // of a configuration in which it cannot be done now
  };
  static constexpr std::uint32_t kUnseen = 0x80000000U;
  static constexpr std::size_t kStatesShown = 16;
  static constexpr std::size_t kStateBytesKept = std::size_t{32} << 20;
  static constexpr std::size_t kFewStateBytesKept = std::size_t{2} << 20;  // few come back: they stay in the cache
  static constexpr std::int64_t kSoon = 16;     // what has to be done within so many responses counts
  static constexpr std::int64_t kPending = 64;  // a pending operation is as early as one that responds after so many
  static constexpr std::array<std::int64_t, 4> kWeights{4, 1, 2, 8};  // of what is due, by attempt

  [[nodiscard]] Mask bit(std::uint32_t x) const { return Mask::of(window_.slot[x]); }
  [[nodiscard]] std::uint32_t overwrites(std::uint32_t x) const { return labels_.overwrites(labels_.of(x)); }
  [[nodiscard]] bool is_free(const Configuration& each, std::uint32_t x) const {
    return each.free.has(window_.slot[x]) && !each.mask.has(window_.slot[x]);
  }
  template <class Meet>
  void unseen(Configuration each, std::uint32_t x, Meet&& meet) {
    const std::uint32_t tail = each.tail;
    each.mask |= bit(x);
    each.free &= ~bit(x);
    const auto met = meet(each);
    if (met.fresh) met.entry->tail = open_window_.extended(tail, x | kUnseen);
  }

  /// Does x, of the group: all that it overwrites can have been done just before it.
  [[nodiscard]] Configuration done(const Configuration& from, std::uint32_t x, const Group& group) {
    Configuration to{.mask = from.mask | bit(x), .free = from.free, .hidden = group.overwrites};
    if (!labels_.any_overwrites()) return to;
    if (group.overwrites != Labels::kNowhere) {
      for (const Group& other : groups_.others()) {
        if (other.overwrites == group.overwrites) to.free |= other.bits;
      }
    }
    to.free &= ~to.mask;
    return to;
  }

  /// The open pure operations that are legal, and not done.
  [[nodiscard]] Mask legal_looks(StateId state, const Mask& done) {
    Mask legal;
    for (const Group& look : groups_.pure()) {
      if ((look.bits & ~done).none()) continue;
      ++open_window_.steps;
      if (transitions_.legal(state, look.label)) legal |= look.bits;
    }
    return legal & ~done;
  }

  OfWindow& open_window_;
  std::shared_ptr<SearchContext> context_;
  const Labels& labels_;
  Transitions& transitions_;
  const Window& window_;
  const bool few_, ignore_pure_, keep_states_;
  OpenGroups<Mask> groups_;
  bool closed_ = false;  // the responder has left its group
  Redundancy redundancy_;
  std::vector<StateId> successors_;
  std::vector<std::int64_t> early_;  // by slot: the cost of having done it
  std::vector<Due> due_;
  std::size_t state_bytes_kept_ = 0;
};

}  // namespace linchpin::decide
