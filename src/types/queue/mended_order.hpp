// A search for queues whose values are counted, in one order of the values, which is mended where it does not work.
//
// Where the order in which values pass is fixed, the i-th add and the i-th remove have windows that ascend: an add must
// come before those behind it must, and not before those ahead can; a remove too, and it must come before a value
// behind it is seen at the front. Then values can be forgotten, and it is whether the count can pass where it was seen
// (ordered_counts.hpp).
//
// An order that suits what is certain mostly gets through some thousand operations, until it is wrong for a pair of
// values. Where a response cannot be passed, changes are tried that give some window near it more room: a value that
// binds those behind it moves back some places, one that binds those ahead moves forward; of two equal values, the
// adds, or the removes, change places. What gets farthest is kept, and the walk goes on from before the first moment
// that it changes. Where nothing gets further, one is drawn and kept all the same, so that two changes together may
// help; after many of these in vain it is given up.
//
// A way to the end is a linearization; that there is none proves nothing. Looks at the front have no part in the count,
// since they only narrow windows; they are put in their places afterwards. Pending removes: not read.
// Cost: that of the walk, and for each mistake of the order some walks over the time that its values are inside.
// Source: own: docs/design/search.md, section on counted queues. Tests: counted_queue_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/budget.hpp"
#include "types/queue/ordered_counts.hpp"

namespace linchpin::types::queue {

/// The values in an order that suits their windows, narrowed: those that leave first, those that nobody sees at the
/// front last.
enum class OrderedBy : std::uint8_t { all, removes };
[[nodiscard]] std::vector<ValueNumber> order_of_windows(const CountedHistory& narrowed, OrderedBy by);

class MendedOrder {
 public:
  enum class Status : std::uint8_t { going, found, nowhere };

  /// @param history  no remove is pending
  /// @param order    all values; those that are removed first, those that nobody sees at the front last
  /// @param alike    equal numbers where values are equal; empty: none are
  MendedOrder(const history::Subhistory& part, const CountedHistory& history, const std::vector<ValueNumber>& order,
              const algo::ByValue<std::uint32_t>& alike = {});

  /// An event, or a change that is tried. Returns what it cost, in events. The status is `going` before.
  std::uint64_t advance();
  [[nodiscard]] Status status() const { return status_; }
  [[nodiscard]] bool may_grow(core::Budget& budget) const;
  /// The farthest event.
  [[nodiscard]] Moment farthest() const { return farthest_; }

  /// A linearization, when found.
  [[nodiscard]] std::vector<std::uint32_t> linearization();

 private:
  using Standing = OrderedCounts::Standing;

  /// What passes at a place in the order: an add, a remove and the looks before it.
  struct Place {
    std::uint32_t alike;
    std::uint32_t add, remove;  // operations; kNone: nothing removes it
    Moment enters_after, added_by;
    Moment leaves_after, leaves_by, front_by;
    std::vector<std::uint32_t> looks = {};
    [[nodiscard]] Moment enters_by() const { return std::min(added_by, front_by); }
    [[nodiscard]] bool stays() const { return remove == kNone; }
    [[nodiscard]] bool seen() const { return !stays() || !looks.empty(); }
    /// Those that leave, and those that stay and are not seen, may change places among themselves.
    [[nodiscard]] bool may_pass(const Place& other) const {
      return stays() == other.stays() && seen() == other.seen() && (!stays() || !seen());
    }
  };
  struct Window {
    Moment enters_after, enters_by, leaves_after, leaves_by, front_by;  // front_by: of all from here on
  };
  struct Change {
    enum Kind : std::uint8_t { move, adds, removes } kind;
    std::uint32_t first, second;  // places in the order: from and to, or what changes places
  };

  void make_places(const CountedHistory& history, const std::vector<ValueNumber>& order,
                   const algo::ByValue<std::uint32_t>& alike);
  bool renew(std::size_t first, std::size_t last);
  [[nodiscard]] Window window_of(std::size_t place) const;
  void count(std::size_t place, std::int32_t by);
  bool apply(const Change& change);
  void undo(const Change& change);
  void exchange_adds(std::uint32_t first, std::uint32_t second);

  void walk();
  void stop();
  void list_changes();
  void list_near(std::size_t place);
  void list_moves(std::uint32_t place, bool back);
  std::uint64_t try_next();
  [[nodiscard]] Moment reach_of(std::uint64_t& cost);
  void decide();
  void keep(const Change& change);
  std::uint64_t random();

  const history::Subhistory& part_;
  const CountedHistory& history_;
  OrderedCounts counts_;
  std::vector<Place> places_;
  std::vector<Window> windows_;      // by place
  std::vector<Window> replaced_;     // of the places that `apply` renewed
  std::vector<Moment> moved_;        // moments that `apply` changed
  std::vector<Standing> standings_;  // before each kApart-th event
  Standing current_;
  Status status_ = Status::going;
  Moment farthest_ = 0;

  bool mending_ = false;
  std::vector<Change> changes_;
  std::size_t next_ = 0;
  std::optional<Change> best_;
  Moment best_reach_ = 0;
  std::uint32_t in_vain_ = 0;
  std::uint64_t seed_ = 0x9e3779b97f4a7c15ULL;
};

}  // namespace linchpin::types::queue
