// The definitions that the evidence is checked against, written once more and on their own: happens-before on ticks,
// and operations bound to a specification.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "linchpin/history.hpp"
#include "linchpin/limits.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::evidence {

/// Whether operation i happens before an operation called at `call`. Closed intervals: strictly earlier; a clock that
/// promises responses before calls at one tick also orders equal ticks, except for an operation of zero length.
inline bool ended_before(const History& history, OperationIndex i, Tick call, Ties ties) {
  if (history.pending(i)) return false;
  const Tick response = history.response(i);
  return response < call || (ties == Ties::response_first && response == call && history.call(i) < response);
}

/// Whether `a` does what `b` does, or may do so, its result being lost.
inline bool may_do(const Operation& a, const Operation& b) {
  return a.method == b.method && (a.result == b.result || a.result_unknown()) && a.process == b.process &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end());
}
inline bool do_the_same(const Operation& a, const Operation& b) { return a.result == b.result && may_do(a, b); }

/// Operations as the specification sees them, through its method table.
class Binding {
 public:
  Binding(const History& history, const Specification& specification)
      : history_(history), uses_process_(specification.uses_process()), rows_(history.method_names().size()) {
    for (std::size_t method = 0; method < rows_.size(); ++method) {
      rows_[method] = specification.find_method(history.method_name(static_cast<MethodIndex>(method))).value_or(0xffff);
    }
  }
  [[nodiscard]] Operation view(OperationIndex i) const {
    return Operation{.method = rows_[history_.method(i)],
                     .arguments = history_.arguments(i),
                     .result = history_.result(i),
                     .process = uses_process_ ? history_.process(i) : kNoProcess,
                     .pool = &history_.pool()};
  }

 private:
  const History& history_;
  bool uses_process_;
  std::vector<std::uint16_t> rows_;  // by MethodIndex
};

}  // namespace linchpin::evidence
