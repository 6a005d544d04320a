// Which configurations of the breadth-first search can be dropped, because another one can do whatever they can.
//
// A dominates B when their states are equal and what A has not done is at least as easy to do (fact 6): of each label
// that changes states, at each completed operation's response, as many are done by A as by B, and in all no more; of
// each pure label, the first that A has not done responds no earlier than B's. A also makes B redundant when one
// more operation, which it can do now as well as later, leads to a configuration that dominates B (fact 7).
//
// Each configuration is looked up under its state and the numbers done of each label, so that only those are compared
// that can dominate one another. Cost: O(configurations * (open operations + labels * kCompared)). Source:
// docs/design/search.md, facts 4, 6 and 7. Tests: tests/cross.
#pragma once

#include <cstdint>
#include <vector>

#include "decide/search/transitions.hpp"
#include "decide/search/window.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::decide {

class Redundancy {
 public:
  Redundancy(Transitions& transitions, const Window& window) : transitions_(transitions), window_(window) {}

  /// Looks at configurations, each with `mask`, `free` and `state`, whose masks are over `open`; both must stay as they
  /// are until the end.
  template <class Configuration, class Groups>
  void begin(const std::vector<Configuration>& configurations, Groups& open) {
    clear();
    for (const auto& group : open.others()) add(group, others_);
    const auto first_look = static_cast<std::uint32_t>(slots_.size());
    for (const auto& group : open.pure()) add(group, pure_);
    make_room(configurations.size(), first_look);
    for (std::uint32_t at = 0; at < configurations.size(); ++at) states_[at] = configurations[at].state;
  }
  /// Looks at some more; true: all are looked at.
  template <class Configuration>
  bool advance(const std::vector<Configuration>& configurations) {
    const auto count = static_cast<std::uint32_t>(configurations.size());
    for (std::uint32_t k = 0; k < kAtOnce; ++k) {
      if (arranged_ < count) {
        arrange(arranged_, configurations[arranged_]);
        ++arranged_;
      } else if (compared_ < count) {
        compare(compared_++);
      } else {
        return true;
      }
    }
    return false;
  }
  /// Removes what is redundant. @pre advance() returned true
  template <class Configuration>
  void drop_from(std::vector<Configuration>& configurations) const {
    std::size_t kept = 0;
    for (std::size_t at = 0; at < configurations.size(); ++at) {
      if (!dropped_[at]) configurations[kept++] = configurations[at];
    }
    configurations.resize(kept);
  }

  /// Bytes that `begin` takes for so many configurations beyond what it holds.
  [[nodiscard]] std::size_t growth(std::size_t configurations) const;

 private:
  static constexpr std::uint32_t kAtOnce = 16;
  static constexpr std::uint32_t kCompared = 4096;      // with one configuration
  static constexpr std::uint32_t kComparedLater = 256;  // with what it can lead to

  /// Where a label's operations stand in an arranged mask.
  struct Place {
    std::uint32_t begin;
    std::uint32_t pending;  // from here
    std::uint32_t end;
    std::uint64_t weight;  // of each that is done, in the key; 0 where one need not be done
    Label label;
    std::uint32_t overwrites;
  };

  void clear();
  template <class Group>
  void add(const Group& group, std::vector<Place>& places) {
    const auto begin = static_cast<std::uint32_t>(slots_.size());
    for (const std::uint32_t local : group.locals) slots_.push_back(window_.slot[local]);
    const bool all_needed = group.completed == group.locals.size() && group.overwrites == Labels::kNowhere;
    places.push_back({.begin = begin,
                      .pending = begin + group.completed,
                      .end = static_cast<std::uint32_t>(slots_.size()),
                      .weight = all_needed ? mix(4, group.label) : 0,
                      .label = group.label,
                      .overwrites = group.overwrites});
  }
  void make_room(std::size_t configurations, std::uint32_t first_look);

  /// The mask by label and by response: what need not be done any more, and what is done. Of a pure label only the
  /// first that is not done matters: with it all go.
  template <class Configuration>
  void arrange(std::uint32_t at, const Configuration& configuration) {
    std::uint64_t* const settled = &masks_[std::size_t{at} * 2 * words_];
    std::uint64_t* const done = settled + words_;
    std::uint64_t key = key_of(configuration.state);
    for (const Place& place : others_) {
      for (std::uint32_t k = place.begin; k < place.end; ++k) {
        const bool is_done = configuration.mask.has(slots_[k]);
        if (is_done) {
          set(done, k);
          key += place.weight;
        }
        if (is_done || k >= place.pending || configuration.free.has(slots_[k])) set(settled, k);
      }
    }
    for (const Place& place : pure_) {
      for (std::uint32_t k = place.begin; k < place.end && configuration.mask.has(slots_[k]); ++k) set(settled, k);
    }
    list(at, key);
  }
  void list(std::uint32_t at, std::uint64_t key);
  static void set(std::uint64_t* mask, std::uint32_t place) { mask[place >> 6] |= std::uint64_t{1} << (place & 63); }
  void compare(std::uint32_t at);
  void drop_dominated(const std::uint64_t* mask, StateId state, std::uint64_t key, std::uint32_t by);
  [[nodiscard]] int dominates(const std::uint64_t* a, const std::uint64_t* b) const;
  [[nodiscard]] const std::uint64_t* mask(std::uint32_t at) const { return &masks_[std::size_t{at} * 2 * words_]; }
  [[nodiscard]] static std::uint64_t key_of(StateId state) { return mix(3, state); }

  Transitions& transitions_;
  const Window& window_;
  std::vector<StateId> states_;  // by configuration
  std::uint32_t words_ = 1;
  std::vector<Place> others_, pure_;
  std::vector<algo::Slot> slots_;     // by place in an arranged mask
  std::vector<std::uint64_t> masks_;  // arranged by label and by response: what is settled, then what is done
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> first_, next_;  // lists of those with keys alike
  std::vector<bool> dropped_;
  std::vector<std::uint64_t> looks_;  // the places of pure labels
  std::vector<std::uint64_t> scratch_;
  std::vector<StateId> successors_;
  std::uint32_t arranged_ = 0, compared_ = 0;
};

}  // namespace linchpin::decide
