// All runs of the automata for a container's order, online. One kind for each type.
//
// Each represents all live runs at once: given what the single values of an automaton are, the crowd that covers a
// window can be guessed greedily, so that a run is one cover that is in right now. The head comment of each file says
// what it remembers, and why nothing else matters.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linchpin/specification_interface.hpp"
#include "research/automata/online/values.hpp"

namespace linchpin::automata {

/// A run accepts.
struct Alarm {
  std::string automaton;                                    ///< or the names of those of which one will: "x or y"
  std::vector<std::pair<std::string, std::string>> values;  ///< colour and value
  bool of_one_value = false;  ///< holds whatever else happens, even where other removes never returned
  bool precondition = false;  ///< a value was added twice: nothing follows
};

class OrderWatch {
 public:
  virtual ~OrderWatch() = default;
  virtual void add_called(Slot /*value*/) {}
  /// The value is in from now on, unless its remove was called before.
  virtual void add_returned(Slot value) = 0;
  /// The first remove of the value is called; if it was in, it is no longer.
  virtual void remove_called(Slot value, bool was_in) = 0;
  virtual std::optional<Alarm> remove_returned(Slot value) = 0;
  /// The values' priorities are in another pool now.
  virtual void priorities_moved(const ValuePool& /*pool*/) {}
  /// How many runs are remembered.
  [[nodiscard]] virtual std::size_t runs() const { return 0; }
  /// There were more runs than memory is allowed for, and some were given up: an alarm may be missing.
  [[nodiscard]] virtual bool gave_up() const { return false; }
};

[[nodiscard]] std::unique_ptr<OrderWatch> watch_queue_order(const OnlineValues& values);
[[nodiscard]] std::unique_ptr<OrderWatch> watch_stack_order(const OnlineValues& values);
/// `pool` holds the priorities and outlives the watch, as does the specification.
[[nodiscard]] std::unique_ptr<OrderWatch> watch_priority_order(const OnlineValues& values,
                                                               const Specification& specification,
                                                               const ValuePool& pool);

}  // namespace linchpin::automata
