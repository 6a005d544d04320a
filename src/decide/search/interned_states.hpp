// Configurations as masks and interned states, for the verdict on any specification: a domain of algo::Frontier.
//
// Prunings: a pure operation that is open and legal is done at once; of open operations with one label only the one
// that responds first is done next; after a response, what another configuration can do as well is dropped
// (redundancy.hpp); what is overwritten unseen is not done at all, but may be counted as done when it responds: a
// second mask holds what need not be done, being *free*. In a chain such operations are marked, and are put in when the
// chain is asked for. Source: docs/design/search.md, facts 1 to 8.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algo/frontier/frontier.hpp"
#include "algo/frontier/promise.hpp"
#include "algo/frontier/unseen.hpp"
#include "base/none.hpp"
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
  using Link = std::uint32_t;  // an operation; one that nothing sees with algo::kUnseen
  using OfWindow = algo::Window<Mask>;
  struct Configuration {
    Mask mask, free;  ///< what is done; what need not be done
    StateId state = 0;
    std::uint32_t tail = kNone;               ///< what was done last
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
        redundancy_(transitions_, window_),
        promise_(window_.turn) {}
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
      if (is_free(each, x)) algo::pass_unseen(open_window_, each, x, meet);
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
        if (!was_free && is_free(to, x)) algo::pass_unseen(open_window_, to, x, meet);
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
    promise_.weigh(open_window_, attempts, passed, [this](std::uint32_t x) { return labels_.pure(labels_.of(x)); });
  }
  [[nodiscard]] std::int64_t cost(const Configuration& each) {
    ++open_window_.steps;
    return promise_.cost(each.mask, [&](std::uint32_t x, std::int64_t cost) {
      const Label label = labels_.of(x);
      // What is pure and legal is done.
      return labels_.pure(label) || !transitions_.legal(each.state, label) ? cost : 0;
    });
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
    return algo::order_with_unseen(open_window_.chains(), tail, [this](std::uint32_t y, std::uint32_t x) {
      return overwrites(y) != Labels::kNowhere && overwrites(y) == overwrites(x);
    });
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
  static constexpr std::size_t kStatesShown = 16;
  static constexpr std::size_t kStateBytesKept = std::size_t{32} << 20;
  static constexpr std::size_t kFewStateBytesKept = std::size_t{2} << 20;  // few come back: they stay in the cache

  [[nodiscard]] Mask bit(std::uint32_t x) const { return Mask::of(window_.slot[x]); }
  [[nodiscard]] std::uint32_t overwrites(std::uint32_t x) const { return labels_.overwrites(labels_.of(x)); }
  [[nodiscard]] bool is_free(const Configuration& each, std::uint32_t x) const {
    return each.free.has(window_.slot[x]) && !each.mask.has(window_.slot[x]);
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
  algo::Promise promise_;
  std::size_t state_bytes_kept_ = 0;
};

}  // namespace linchpin::decide
