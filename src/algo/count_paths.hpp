// Whether a count that goes up and down by one can pass where it was seen: counters, semaphores, and queues whose order
// of values is fixed.
//
// Operations go up, or down, or saw the count in a range. Ups are alike but for their windows, and so are downs;
// nothing else tells them apart. A configuration is what is done of what is open; the count follows. What is done is
// done just before a response, of an operation x that is not done yet. Within such a block a path is determined by the
// range of counts that it passes: up and then down, or down and then up, reaches every range with the fewest steps. So
// from each configuration: straight to x; or up (or down) step by step, and where a look is newly met, on to x, or back
// the other way, and on to x where another look is newly met. Of ups, and of downs, the one that must return first goes
// first.
//
// One configuration dominates another of the same count that has not met more looks, if it has d more ups and d more
// downs left, and after the d most urgent of each are done, what is left is nowhere more urgent: it can do these pairs
// at once. Dominated ones are dropped; then few are left (a few hundred at 64 in flight; no bound is proved).
//
// At most 1,024 operations open at once. Cost: O(n) configurations and steps among those open, each O(k). Source:
// docs/design/search.md, section on counts. Compare: types/content_search.hpp. Tests: count_paths_test.cpp, and those
// of the types.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/budget.hpp"
#include "history/events.hpp"

namespace linchpin::algo {

enum class CountStep : std::uint8_t {
  none,  ///< never needed
  free,  ///< changes nothing, and may be done at its call
  up,
  down,
  look,  ///< saw a count from `least` to `most`
};

struct CountPathInput {
  static constexpr std::int64_t kFar = std::int64_t{1} << 60;

  struct Operation {
    CountStep step = CountStep::none;
    std::uint32_t deadline = history::kNoRank;  ///< moment of its response; kNoRank: it need not be done
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  struct End {
    std::uint32_t moment;
    history::Event event;
  };
  std::vector<Operation> operations;
  std::vector<End> ends;  ///< calls and responses in order; of one moment, all calls or all responses
  std::int64_t initial = 0;
  std::int64_t lowest = -kFar;  ///< the count stays in this range
  std::int64_t highest = kFar;
};

class CountPaths {
 public:
  enum class Status : std::uint8_t { going, found, nowhere, too_wide };

  /// @param input    outlives what is returned
  /// @param witness  whether `order` is going to be asked for
  [[nodiscard]] static std::unique_ptr<CountPaths> begin(const CountPathInput& input, bool witness);
  CountPaths(const CountPaths&) = delete;
  CountPaths& operator=(const CountPaths&) = delete;
  virtual ~CountPaths() = default;

  /// One event; the status is `going` before.
  virtual void advance() = 0;
  [[nodiscard]] Status status() const { return status_; }
  /// How many events are passed; where the status is `nowhere`, the next is the response that nothing reaches.
  [[nodiscard]] std::size_t passed() const { return at_; }
  /// How many configurations were made so far.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] virtual bool may_grow(core::Budget& budget) const = 0;

  struct Done {
    std::uint32_t operation;
    std::uint32_t moment;  ///< of the event before, or at, which it was done
  };
  /// What was done on a way to here, in order.
  [[nodiscard]] virtual std::vector<Done> order() const = 0;

 protected:
  CountPaths() = default;

  std::size_t at_ = 0;
  std::uint64_t steps_ = 0;
  Status status_ = Status::going;
};

}  // namespace linchpin::algo
