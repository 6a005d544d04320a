// What an operation did to the store, as far as its request and its answer alone say it. Tests: mvcc_kv_test.cpp.
#pragma once

#include <cstdint>
#include <span>

#include "linchpin/specification_interface.hpp"
#include "types/mvcc_kv/execution.hpp"
#include "types/mvcc_kv/request.hpp"

namespace linchpin::types::mvcc_kv {

/// How sure it is that something happened.
enum class Sure : std::uint8_t { no, maybe, yes };

struct Effect {
  Sure makes_revision = Sure::no;  ///< whether it is the event of a revision
  Sure changes_leases = Sure::no;
  Sure compacts = Sure::no;

  /// Whether it changes no state in which it is legal.
  [[nodiscard]] bool keeps_all() const {
    return makes_revision == Sure::no && changes_leases == Sure::no && compacts == Sure::no;
  }
};

[[nodiscard]] Effect effect_of(const Operation& operation);

/// Whether it is a transaction that may have taken either branch.
[[nodiscard]] inline bool branch_is_open(const Operation& operation, const Answer& answer) {
  return operation.method == kTxn && !succeeded(answer);
}

/// Calls `f(act, result)` for the acts of a request: those of the branch that a transaction is told to have taken, or
/// of both. The result is nil where none is told; an act by itself has none. @pre its arguments are valid
template <class F>
void for_each_act(const Operation& operation, const Answer& answer, F&& f) {
  const ValuePool& pool = *operation.pool;
  switch (operation.method) {
    case kRange: f(range_of(operation), Value::nil()); return;
    case kPut: f(put_of(operation), Value::nil()); return;
    case kDelete: f(delete_of(operation), answer.at(0)); return;
    case kTxn: break;
    default: return;
  }
  const auto branch = succeeded(answer);
  const Value told = answer.at(1);
  const auto results = told.is_list() && branch ? pool.elements_of(told) : std::span<const Value>();
  for (const bool success : {true, false}) {
    if (branch && *branch != success) continue;
    const auto acts = pool.elements_of(operation.argument(success ? 1 : 2));
    for (std::size_t i = 0; i < acts.size(); ++i) {
      f(*parse_act(acts[i], pool), i < results.size() ? results[i] : Value::nil());
    }
  }
}

}  // namespace linchpin::types::mvcc_kv
