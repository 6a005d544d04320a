#include "decide/lift/named_history.hpp"

#include <algorithm>

#include "base/none.hpp"

namespace linchpin::decide::lift {

using history::Event;
using history::Rank;

NamedHistory::NamedHistory(const history::Subhistory& part, const core::LiftHistory& read) : part_(part), read_(read) {
  descending_ = read.initial.is_integer() && read.initial.integer() >= 0;
  columns_.history = part.history->restricted_to({});
  const std::uint32_t size = part.size();
  for (std::uint32_t i = 0; i < size; ++i) {
    const ActKind kind = read.acts.kind[i];
    columns_.methods().push_back(part.history->method(part.operation[i]));
    const bool names_itself = !read.acts.value[i].is_none();
    const auto arguments = part.arguments(i);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      columns_.arguments().push_back(k == 0 && names_itself ? name_of(i) : arguments[k]);
    }
    if (kind == ActKind::add && read.has_priorities && arguments.size() == 1) {
      columns_.arguments().push_back(arguments[0]);
    }
    columns_.argument_begins().push_back(static_cast<std::uint32_t>(columns_.arguments().size()));
    Value result = part.result(i);
    if (kind == ActKind::add && !result.is_unknown()) result = Value::none();
    columns_.results().push_back(result);
    columns_.calls().push_back(part.call[i].number());
    const bool returns = !part.pending(i) || is_take(kind);
    columns_.responses().push_back(!returns          ? kPending
                                   : part.pending(i) ? Tick{(part.ranks() + i).number()}
                                                     : Tick{part.response[i].number()});
  }
  index_.assign(size, kNone);
}

Value NamedHistory::name_of(std::uint32_t local) const {
  const std::int64_t number = local;
  return Value::integer(descending_ ? -1 - number : number);
}

void NamedHistory::got(std::uint32_t local, std::uint32_t add) {
  if (!part_.arguments(local).empty()) {  // its argument names what it got, not its result
    columns_.arguments()[columns_.argument_begins()[local]] = name_of(add);
    columns_.results()[local] = Value::boolean(true);
  } else {
    columns_.results()[local] = name_of(add);
  }
}

void NamedHistory::got_nothing(std::uint32_t local) {
  columns_.results()[local] = read_.overwrites ? read_.initial : Value::nil();
}

void NamedHistory::missed(std::uint32_t local, std::uint32_t add) {
  columns_.arguments()[columns_.argument_begins()[local]] = name_of(add);
}

history::Subhistory NamedHistory::restrict(std::span<const std::uint32_t> locals) const {
  history::Subhistory sub;
  const auto size = static_cast<std::uint32_t>(locals.size());
  sub.history = &columns_.history;
  sub.specification = part_.specification;
  sub.operation.resize(size);
  sub.method.resize(size);
  sub.call.resize(size);
  sub.response.assign(size, Rank::none());
  for (std::uint32_t k = 0; k < size; ++k) {
    sub.operation[k] = OperationIndex(locals[k]);
    sub.method[k] = part_.method[locals[k]];
  }
  Rank ranks = 0;
  const auto append_call = [&](std::uint32_t k) { sub.call[k] = ranks++; };
  const auto append_response = [&](std::uint32_t k) { sub.response[k] = ranks++; };
  if (8 * std::size_t{size} > part_.size()) {
    for (std::uint32_t k = 0; k < size; ++k) index_[locals[k]] = k;
    for (const Event event : part_.events()) {
      const std::uint32_t k = index_[event.operation()];
      if (k == kNone) continue;
      if (event.is_response()) {
        append_response(k);
      } else {
        append_call(k);
      }
    }
    for (const std::uint32_t local : locals) index_[local] = kNone;
  } else {
    responses_.clear();
    for (std::uint32_t k = 0; k < size; ++k) {
      if (!part_.pending(locals[k])) responses_.push_back(std::uint64_t{part_.response[locals[k]].number()} << 32 | k);
    }
    std::sort(responses_.begin(), responses_.end());
    std::size_t next = 0;
    for (std::uint32_t k = 0; k < size; ++k) {
      for (; next < responses_.size() && responses_[next] >> 32 < part_.call[locals[k]].number(); ++next) {
        append_response(static_cast<std::uint32_t>(responses_[next]));
      }
      append_call(k);
    }
    for (; next < responses_.size(); ++next) append_response(static_cast<std::uint32_t>(responses_[next]));
  }
  for (std::uint32_t k = 0; k < size; ++k) {
    if (!part_.pending(locals[k])) continue;
    if (is_take(read_.acts.kind[locals[k]])) {
      append_response(k);
    } else {
      ++sub.pending_count;
    }
  }
  return sub;
}

}  // namespace linchpin::decide::lift
