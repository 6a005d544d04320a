// The order of what stores and removes one value after the other, where only "nothing is there" is ever asked for.
//
// Units are chains of values, or single operations (chains_with_absence.hpp). A zone takes up its time, in which
// nothing else is. The others act at one moment between `opens` and `closes`: a set (anything -> something), an up
// (nothing -> something), a reset (anything -> nothing), a zero (nothing -> nothing). The sweep goes through these
// moments and does nothing until a unit closes or a zone begins, but for what costs nothing: sets while something is
// there, zeros while nothing is. Then the reset, or the up, that closes first is taken. It fails only where "nothing"
// is needed and no reset is open. Cost O(n log n). Source: own; proof in docs/design/monitors.md. Tests:
// map_removal_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "algo/value_number.hpp"
#include "history/events.hpp"

namespace linchpin::algo {

/// A chain, or an operation that only removes or found nothing.
struct AbsenceUnit {
  enum class Kind : std::uint8_t { set, up, reset, zero, zone };
  Kind kind = Kind::set;
  bool chain = false;
  bool from_absent = false, to_absent = false;
  ValueNumber first = 0;        // of a chain: its first value
  std::uint32_t operation = 0;  // of no chain
  history::Rank least_response = history::Rank::none(), greatest_call = 0;
  // The first and last moment at which it can be, just after the event of this rank; of a zone: when it begins and
  // ends.
  history::Rank opens = 0, closes = history::Rank::none();
};

class AbsenceSweep {
 public:
  /// @param hoards  sets are kept for when something has to be there: not always right, but it may please what asks so
  AbsenceSweep(const std::vector<AbsenceUnit>& units, bool hoards)
      : units_(units), hoards_(hoards), done_(units.size(), false) {}

  /// The unit that has no moment; nothing: `order` has all that are needed.
  std::optional<std::uint32_t> run();

  std::vector<std::uint32_t> order;  ///< units

 private:
  // In this order where they are at one moment.
  static constexpr unsigned kZoneEnds = 0, kOpens = 1, kCloses = 2, kZoneBegins = 3;

  [[nodiscard]] std::vector<std::uint64_t> moments() const;
  using Heap = std::priority_queue<std::pair<history::Rank, std::uint32_t>,
                                   std::vector<std::pair<history::Rank, std::uint32_t>>, std::greater<>>;

  void take(std::uint32_t number) {
    if (done_[number]) return;
    done_[number] = true;
    order.push_back(number);
  }
  void take_all(std::vector<std::uint32_t>& numbers);
  bool any_left(Heap& heap);
  void take_first(Heap& heap) {
    take(heap.top().second);
    heap.pop();
  }

  /// Something was there, and then nothing is. False: nothing can remove it.
  bool remove();
  /// Nothing was there; something is, if anything can be.
  void store();

  bool pass(unsigned what, std::uint32_t number);

  void open(const AbsenceUnit& unit, std::uint32_t number);

  bool close(const AbsenceUnit& unit, std::uint32_t number);

  const std::vector<AbsenceUnit>& units_;
  bool hoards_;             // sets are kept for when something has to be there
  std::vector<bool> done_;  // by unit
  Heap ups_, resets_, later_;
  std::vector<std::uint32_t> sets_, zeros_;  // open ones that wait
  bool present_ = false;
};

}  // namespace linchpin::algo
