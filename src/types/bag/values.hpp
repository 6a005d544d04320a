// A bag history as its monitor sees it: what every operation did, and each value's operations summed up.
//
// Gap g lies after the event of rank g; an operation may take effect in the gaps [call, response). Letters as for
// queues: X = call of the add; Y = least response of a value's add, removes and sightings; M = greatest call of these,
// `end` where nobody removes the value. A value that is added once is certainly inside in the gaps [Y, M).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algo/value_number.hpp"
#include "base/assert.hpp"
#include "base/none.hpp"
#include "history/acts.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types::bag {

using algo::ValueNumber;
using history::Rank;
using history::Subhistory;

struct ValueRanks {
  std::uint32_t added = 0;             ///< how often
  std::uint32_t add = kNone;           ///< the operation; the last one where there are several
  std::uint32_t remove = kNone;        ///< likewise
  Rank first_response = Rank::none();  ///< Y
  Rank last_call = 0;                  ///< M
  bool seen = false;                   ///< something that returned removed or saw it
  bool missed = false;                 ///< something found it missing

  [[nodiscard]] bool repeats() const { return added > 1; }
  /// Certainly inside at some gap. @pre added once
  [[nodiscard]] bool spans() const {
    LINCHPIN_ASSERT(!repeats());
    return first_response < last_call;
  }
  [[nodiscard]] bool inside(Rank gap) const { return first_response <= gap && gap < last_call; }
};

struct Values {
  const Subhistory* part = nullptr;
  std::vector<ActKind> kind;          ///< by operation; `omitted` as well where it is known that it cannot matter
  std::vector<ValueNumber> value_of;  ///< by operation; none where it concerns no one value
  algo::ByValue<ValueRanks> ranks;
  Rank end = 0;
  std::size_t empties = 0;
  std::size_t lost = 0;
  bool any_repeats = false;
};

/// Reads the history; or says why the monitor does not decide it. O(n).
[[nodiscard]] std::string read(const Subhistory& part, Values& out);

}  // namespace linchpin::types::bag
