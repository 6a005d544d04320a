// What a search that keeps only a few configurations after each response has to know: how many, which, and where to go
// back to when none of these goes on.
//
// Idea: of the configurations that are possible, many lead to a witness. Those do most often that have done little
// before it was due, and in which what is due soon is done or legal. So a few of these are kept. Where none of them
// passes a response, the search goes back some responses and keeps twice as many from there, and weighs the two
// differently; every other time it goes back twice as far. Beyond that place it keeps few again.
// Whether something was cut is remembered: a response that cannot be passed refutes the history only if nothing was.
// The widths and the way back double without end, so every search comes to an answer.
// Cost: O(width * open operations) a response. Memory: the configurations of 128 checkpoints, and of one in 512
// responses before these. Source: own: docs/design/search.md, few configurations. Tests: tests/cross/narrow_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "decide/search/configurations.hpp"
#include "decide/search/open_groups.hpp"
#include "decide/search/transitions.hpp"
#include "decide/search/window.hpp"

namespace linchpin::decide {

class Narrowing {
 public:
  /// The search as it stood between two events.
  struct Checkpoint {
    std::uint32_t rank = 0;           ///< of the next event
    std::uint32_t passed = 0;         ///< responses
    bool cut = false;                 ///< something was left out on the way
    std::vector<std::uint32_t> open;  ///< the open operations that the search looks at
    Configurations configurations;
  };

  /// Keeps `width` configurations at first. The start of the search is noted.
  Narrowing(const Window& window, Transitions& transitions, const Configurations& start, std::size_t width)
      : window_(window), transitions_(transitions), first_width_(width), width_(width) {
    checkpoints_.push_back({.open = {}, .configurations = start});
  }

  /// Whether so many configurations are enough, of which so many have passed the response.
  [[nodiscard]] bool enough(std::size_t passed, std::size_t met) const {
    return met >= kMet * width_ && (passed > 0 || met >= kMetBeforeStuck * width_);
  }
  /// Something is left out.
  void cut() { cut_ = true; }
  [[nodiscard]] bool has_cut() const { return cut_; }

  /// Keeps the most promising configurations, after so many responses.
  void keep_best(Configurations& configurations, OpenGroups& open, std::uint32_t passed);
  /// A response was passed: notes where the search stands, from time to time.
  void note(std::uint32_t rank, std::uint32_t passed, OpenGroups& open, const Configurations& configurations);
  /// No configuration passes the response after so many: where to go on from, wider. @pre has_cut()
  const Checkpoint& go_back(std::uint32_t passed);

  /// Calls `visit(configurations)` for all that the search may go back to, always in the same order.
  template <class Visit>
  void each(Visit&& visit) {
    for (Checkpoint& checkpoint : checkpoints_) visit(checkpoint.configurations);
  }

 private:
  static constexpr std::size_t kMet = 8;               // for each that is kept
  static constexpr std::size_t kMetBeforeStuck = 128;  // where none has passed
  static constexpr std::uint32_t kApart = 16;          // responses between two checkpoints
  static constexpr std::uint32_t kSafely = 48;         // so many responses further, few are kept again
  static constexpr std::size_t kNear = 64;             // checkpoints that are all kept
  static constexpr std::uint32_t kFar = 512;           // responses between two further back

  /// An open operation that has to be done soon.
  struct Due {
    std::uint32_t slot;
    Label label;
    bool pure;
    std::int64_t cost;  // of a configuration in which it cannot be done now
  };

  void weigh(OpenGroups& open, std::uint32_t passed);
  [[nodiscard]] std::int64_t cost_of(const Configurations& configurations, std::uint32_t at);
  void thin_out();

  const Window& window_;
  Transitions& transitions_;
  const std::size_t first_width_;
  std::size_t width_;
  bool cut_ = false;
  std::uint32_t attempts_ = 0;  // to pass the place at which it is stuck
  std::uint32_t stuck_at_ = 0;
  std::uint32_t back_ = kApart;
  std::vector<Checkpoint> checkpoints_;  // ascending; the first one with nothing cut
  std::vector<std::int64_t> early_;      // by slot: the cost of having done it
  std::vector<Due> due_;
  std::vector<std::pair<std::int64_t, std::uint32_t>> ranking_;  // cost, number
};

}  // namespace linchpin::decide
