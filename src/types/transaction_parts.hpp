// What types whose operations are transactions have in common: the parts that were asked for are completed by the
// result. Tests: those of list-append and multi-register.
#pragma once

#include <cstddef>
#include <span>

#include "linchpin/specification_interface.hpp"

namespace linchpin::types {

/// Calls `visitor` for each part, completed by the result, until it says no. False when it did, or when the result does
/// not complete the arguments. `parse(part)` reads a part, or says that it is none: it gives an optional
/// micro-operation with `writes`, `key` and `value`. `complete(micro, asked, answer)` makes of the micro-operation that
/// was answered the one that what was asked and the answer say together, or says that they contradict each other. An
/// answer that was lost is taken for what was asked.
template <class Parse, class Complete, class Visitor>
bool visit_parts(const Operation& operation, Parse&& parse, Complete&& complete, Visitor&& visitor) {
  const ValuePool& pool = *operation.pool;
  const std::span<const Value> asked = pool.elements_of(operation.argument(0));
  const bool completed = operation.result.is_list();
  if (!completed && !operation.acknowledged()) return false;
  const std::span<const Value> answered = completed ? pool.elements_of(operation.result) : asked;
  if (answered.size() != asked.size()) return false;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto wanted = parse(asked[i]);
    if (!wanted) return false;
    auto micro = wanted;
    if (!answered[i].is_unknown() && answered[i] != asked[i]) {
      micro = parse(answered[i]);
      if (!micro || wanted->writes != micro->writes || wanted->key != micro->key) return false;
      if (wanted->writes && wanted->value != micro->value) return false;
    }
    if (!complete(*micro, *wanted, answered[i]) || !visitor(*micro)) return false;
  }
  return true;
}

}  // namespace linchpin::types
