// Histories of a container in which no value is added twice, as the monitors of stacks and priority queues see them.
//
// Operations have an act and a dense value; a value's operations are summed up in three numbers. Gap g lies after the
// event of rank g; an operation may take effect in the gaps [call, response). Per value, with ra the least response and
// ip the greatest call of its operations, the value is certainly inside in the gaps [ra, ip), its *cover*. A value
// whose cover is empty is *coreless*: everything it does fits into one gap of [ip, ra].
//
// Completion: a value that nobody removes is removed in the extra gap `ranks`, after every event; so is, at the latest,
// a value whose remove is pending and known. Pending adds that nobody saw and pending looks may be left out: the
// specifications are closed under erasing all operations of a value.
// Tests: src/types/stack/stack_monitor_test.cpp, src/types/priority_queue/priority_queue_monitor_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algo/value_number.hpp"
#include "base/none.hpp"
#include "history/events.hpp"
#include "linchpin/act.hpp"
#include "linchpin/history.hpp"

namespace linchpin::algo {

/// Operations of one container by local index, in the order of their calls. Ranks of events are distinct.
struct ContainerHistory {
  std::vector<ActKind> kind;                ///< `omitted` as well where it is known that it cannot matter
  std::vector<ValueNumber> value;           ///< none for what is about none
  std::span<const history::Rank> call;      ///< ascending
  std::span<const history::Rank> response;  ///< none: pending
  history::Rank ranks = 0;                  ///< one beyond the last event
  std::uint32_t values = 0;                 ///< number of values

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(kind.size()); }
};

/// A value's operations, summed up.
struct ValueSpan {
  std::uint32_t add = kNone;     ///< kNone: the value does not take part
  std::uint32_t remove = kNone;  ///< kNone: stays inside
  history::Rank add_call = 0;
  history::Rank first_response = history::Rank::none();  ///< ra: the least response
  history::Rank last_call = 0;        ///< ip: the greatest call; `ranks` where nobody removes the value
  history::Rank remove_response = 0;  ///< `ranks` + 1 where the remove is pending or missing

  [[nodiscard]] bool present() const { return add != kNone; }
  [[nodiscard]] bool coreless() const { return first_response >= last_call; }
};

/// What is wrong with a single value. `operations` are not linearizable on their own.
struct ValueFault {
  enum class Kind : std::uint8_t {
    never_added,    ///< a look or remove of a value that nobody adds
    removed_twice,  ///< add, two removes
    before_add,     ///< add, and an operation that returned before the add was called
    after_remove,   ///< add, remove, and a look called after the remove returned
  };
  Kind kind = Kind::never_added;
  std::vector<std::uint32_t> operations;  ///< as listed
};

struct ContainerValues {
  ByValue<ValueSpan> span;
  bool any_look = false;
  bool any_empty = false;
  bool any_lost = false;
  bool any_unmatched = false;

  /// Sums the operations up; marks those that do not matter as dropped. O(n).
  std::optional<ValueFault> sum_up(ContainerHistory& history);
};

/// The looks of every value, in the order of their calls: rows of one array.
struct LooksByValue {
  std::vector<std::uint32_t> begin;  ///< by the number of the value; one more than there are
  std::vector<std::uint32_t> looks;  ///< operations

  explicit LooksByValue(const ContainerHistory& history);
  [[nodiscard]] std::span<const std::uint32_t> of(ValueNumber value) const {
    const std::uint32_t row = value.number();
    return std::span(looks).subspan(begin[row], begin[row + 1] - begin[row]);
  }
};

/// The gaps [first, last] in which an operation may take effect, after tightening: a look acts between its value's add
/// and remove, an add before every other operation of its value, a remove after.
struct Gaps {
  std::uint32_t first = 0, last = 0;
};
[[nodiscard]] inline Gaps gaps_between(history::Rank call, history::Rank response) {
  return {call.number(), response.number() - 1};
}
[[nodiscard]] inline Gaps add_gaps(const ValueSpan& span) { return gaps_between(span.add_call, span.first_response); }
[[nodiscard]] inline Gaps remove_gaps(const ValueSpan& span) {
  return gaps_between(span.last_call, span.remove_response);
}
[[nodiscard]] inline Gaps look_gaps(const ContainerHistory& history, const ValueSpan& span, std::uint32_t look) {
  return gaps_between(std::max(history.call[look], span.add_call),
                      std::min(history.response[look], span.remove_response));
}

/// A part of a history, with ranks made dense again.
class ContainerPart {
 public:
  /// @param operations  local indices, ascending
  ContainerPart(const ContainerHistory& whole, std::vector<std::uint32_t> operations);
  ContainerPart(const ContainerPart&) = delete;
  ContainerPart& operator=(const ContainerPart&) = delete;
  [[nodiscard]] ContainerHistory& history() { return history_; }
  [[nodiscard]] const std::vector<std::uint32_t>& operations() const { return operations_; }
  [[nodiscard]] ValueNumber original_value(ValueNumber value) const { return values_[value]; }

 private:
  std::vector<std::uint32_t> operations_;
  ByValue<ValueNumber> values_;  // those of the whole
  std::vector<history::Rank> call_, response_;
  ContainerHistory history_;
};

}  // namespace linchpin::algo
