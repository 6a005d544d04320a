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

#include "decide/search/configurations.hpp"
#include "decide/search/open_groups.hpp"
#include "decide/search/transitions.hpp"
#include "decide/search/window.hpp"

namespace linchpin::decide {

class Redundancy {
 public:
  Redundancy(Transitions& transitions, const Window& window) : transitions_(transitions), window_(window) {}

  /// Looks at configurations whose masks are over `open`; both must stay as they are until the end.
  void begin(const Configurations& configurations, OpenGroups& open);
  /// Looks at some more; true: all are looked at.
  bool advance();
  /// Removes what is redundant. @pre advance() returned true
  void drop_from(Configurations& configurations) const;

  /// Bytes that `begin` takes for so many configurations beyond what it holds.
  [[nodiscard]] std::size_t growth(std::size_t configurations) const;

 private:
  static constexpr std::uint32_t kAtOnce = 16;
  static constexpr std::uint32_t kCompared = 4096;      // with one configuration
  static constexpr std::uint32_t kComparedLater = 256;  // with what it can lead to
  static constexpr std::uint32_t kNobody = 0xffffffffU;

  /// Where a label's operations stand in an arranged mask.
  struct Place {
    std::uint32_t begin;
    std::uint32_t pending;  // from here
    std::uint32_t end;
    std::uint64_t weight;  // of each that is done, in the key; 0 where one need not be done
    Label label;
    std::uint32_t overwrites;
  };

  void arrange(std::uint32_t at);
  void compare(std::uint32_t at);
  void drop_dominated(const std::uint64_t* mask, StateId state, std::uint64_t key, std::uint32_t by);
  [[nodiscard]] int dominates(const std::uint64_t* a, const std::uint64_t* b) const;
  [[nodiscard]] const std::uint64_t* mask(std::uint32_t at) const { return &masks_[std::size_t{at} * 2 * words_]; }
  [[nodiscard]] static std::uint64_t key_of(StateId state) { return mix(3, state); }

  Transitions& transitions_;
  const Window& window_;
  const Configurations* configurations_ = nullptr;
  std::uint32_t words_ = 1;
  std::vector<Place> others_, pure_;
  std::vector<std::uint32_t> slots_;  // by place in an arranged mask
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
