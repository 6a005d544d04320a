// Whether the numbers of adds and removes can pass where the count was seen, in one order of a queue's values.
//
// Where the order in which values pass is fixed, values can be forgotten: the next add is that of the next value, and
// so is the next remove. What is known of each moment is how many adds and removes may have come, and how many must
// have. A configuration is two numbers, and which of the open tests are met. Something is done only where something is
// due: the straight way to it, or first up or down to where an open test is newly met, and perhaps back to where
// another one is. Of configurations of the same count, one with fewer adds that has met no less is at least as good: it
// can do the rest as pairs.
//
// A standing can be copied, so that a walk can go on from there when the order has changed behind it. At most 64 tests
// open at once. Cost: O(configurations) an event; a few in practice. Source: docs/design/search.md, section on counted
// queues. Used by mended_order.cpp. Compare: algo/count_paths.hpp, whose operations have windows of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/shared_chains.hpp"
#include "base/none.hpp"
#include "history/subhistory.hpp"
#include "types/queue/counted.hpp"

namespace linchpin::types::queue {

class OrderedCounts {
 public:
  enum class Step : std::uint8_t { add, remove, test };
  struct Done {
    Step step;
    std::uint32_t test;  ///< its operation
    Moment moment;       ///< of the event before which it was done
  };
  using Chains = algo::SharedChains<Done>;

  struct Configuration {
    std::int32_t adds = 0;
    std::int32_t removes = 0;
    std::uint64_t met = 0;  ///< open tests, by slot
    std::uint32_t tail = kNone;
    [[nodiscard]] std::int32_t count() const { return adds - removes; }
    bool operator==(const Configuration&) const = default;
  };
  /// Before an event.
  struct Standing {
    Moment at = 0;
    std::int32_t adds_open = 0, adds_due = 0, removes_open = 0, removes_due = 0;
    std::vector<std::uint32_t> tests;  ///< open ones
    std::vector<Configuration> configurations = {{}};
  };

  OrderedCounts(const history::Subhistory& part, const CountedHistory& history);

  /// More tests are open at once than there are slots.
  [[nodiscard]] bool too_wide() const { return too_wide_; }

  /// One add, or remove, more (`by` 1) or fewer (-1) in a window.
  void put_add(Moment after, Moment until, std::int32_t by) { put(adds_open_, after, adds_due_, until, by); }
  void put_remove(Moment after, Moment until, std::int32_t by) { put(removes_open_, after, removes_due_, until, by); }

  /// Goes on past one event; false: no configuration can. With `chains`, what is done is kept there.
  bool pass(Standing& standing, Chains* chains);

 private:
  static constexpr std::size_t kMost = 64;  // configurations kept; more lead nowhere else, as far as was seen

  using ByMoment = std::vector<std::int32_t>;
  void put(ByMoment& open, Moment after, ByMoment& due, Moment until, std::int32_t by) const;
  bool require(Standing& standing, Step step, std::uint32_t test, Chains* chains);
  [[nodiscard]] bool satisfied(const Standing& standing, const Configuration& each) const;
  void finish(const Standing& standing, Configuration each);
  void visit(const Standing& standing, const Configuration& from, bool up);
  bool move(const Standing& standing, Configuration& each, bool up);
  void meet(const Standing& standing, Configuration& each);
  void keep(const Configuration& each);
  void extend(Configuration& each, Step step, std::uint32_t test);

  const history::Subhistory& part_;
  const CountedHistory& history_;
  bool too_wide_ = false;
  ByMoment adds_open_, adds_due_, removes_open_, removes_due_;
  std::vector<std::uint64_t> slot_;  // by operation: the bit of a test
  // Of the response that is being passed:
  Step step_ = Step::add;
  std::uint32_t test_ = 0;
  Moment now_ = 0;
  Chains* chains_ = nullptr;
  std::vector<Configuration> next_;
};

}  // namespace linchpin::types::queue
