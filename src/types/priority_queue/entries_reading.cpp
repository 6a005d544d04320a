#include "types/priority_queue/entries_reading.hpp"

#include <algorithm>

#include <absl/container/flat_hash_map.h>

#include "types/priority_queue/specification.hpp"

namespace linchpin::types::priority_queue {

namespace {

using Kind = EntryAct::Kind;

Kind kind_of(const Operation& operation) {
  switch (operation.method) {
    case PriorityQueue::kInsert: return operation.acknowledged(0) ? Kind::insert : Kind::never;
    case PriorityQueue::kPoll:
      if (operation.result_unknown()) return Kind::poll_any;
      return operation.result.is_nil() ? Kind::empty : Kind::poll;
    case PriorityQueue::kPeek:
      if (operation.result_unknown()) return Kind::nothing;
      return operation.result.is_nil() ? Kind::empty : Kind::peek;
    case PriorityQueue::kIsEmpty:
      if (operation.result_unknown()) return Kind::nothing;
      if (operation.returns(true)) return Kind::empty;
      return operation.returns(false) ? Kind::filled : Kind::never;
    default: return operation.result_unknown() ? Kind::nothing : Kind::never;
  }
}

}  // namespace

EntryActs::EntryActs(const history::Subhistory& part) {
  const PriorityQueue* const type = part.specification->get_if<PriorityQueue>();
  if (type == nullptr) {
    obstacle_ = "not a priority queue";
    other_type_ = true;
    return;
  }
  by_age_ = type->fifo_ties;
  total_ = type->order.total();
  order_ = type->order;
  pool_ = &part.history->pool();
  absl::flat_hash_map<std::uint64_t, std::uint32_t> values;
  acts_.resize(part.size());
  needless_.resize(part.size());
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    const Operation operation = part.view(x);
    EntryAct& act = acts_[x];
    act.kind = kind_of(operation);
    if (operation.method == PriorityQueue::kSize && act.kind != Kind::nothing && !part.pending(x)) {
      obstacle_ = "sizes are told";
    }
    if (act.kind == Kind::insert || act.kind == Kind::poll || act.kind == Kind::peek) {
      const Value value = act.kind == Kind::insert ? operation.argument(0) : operation.result;
      act.value = values.try_emplace(value.bits(), static_cast<std::uint32_t>(values.size())).first->second;
    }
    if (act.kind == Kind::insert) priorities_.push_back(operation.arguments.back());
    const bool changes = act.kind == Kind::insert || act.kind == Kind::poll || act.kind == Kind::poll_any;
    needless_[x] = part.pending(x) && !changes;
  }
  values_ = values.size();
  if (type->capacity) obstacle_ = "the priority queue may be full";
  std::sort(priorities_.begin(), priorities_.end(),
            [&](Value a, Value b) { return order_.extended(a, b, *pool_) < 0; });
  priorities_.erase(std::unique(priorities_.begin(), priorities_.end()), priorities_.end());
  if (!obstacle_.empty()) return;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> place;
  for (const Value each : priorities_) place.emplace(each.bits(), static_cast<std::uint32_t>(place.size()));
  inserts_.resize(priorities_.size());
  calls_.resize(priorities_.size());
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    EntryAct& act = acts_[x];
    if (act.kind != Kind::insert) continue;
    act.priority = place[part.arguments(x).back().bits()];
    if (!by_age_) continue;
    act.earliest = static_cast<std::uint32_t>(inserts_[act.priority].size());
    inserts_[act.priority].push_back(x);
    calls_[act.priority].push_back(part.call[x]);
  }
}

std::uint32_t EntryActs::latest(std::uint32_t priority, history::Rank rank) const {
  if (!by_age_) return 1;
  const std::vector<history::Rank>& calls = calls_[priority];
  return static_cast<std::uint32_t>(std::lower_bound(calls.begin(), calls.end(), rank) - calls.begin());
}

}  // namespace linchpin::types::priority_queue
