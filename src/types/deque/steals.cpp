#include "types/deque/steals.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/assert.hpp"
#include "base/none.hpp"
#include "history/events.hpp"
#include "types/deque/two_ends.hpp"

namespace linchpin::types::deque {

using algo::ValueNumber;
using algo::ValueSpan;

/// Whether the owner pops the value.
bool Steals::owners(ValueNumber value) const {
  const std::uint32_t remove = container_.span[value].remove;
  return remove != kNone && at_back_[remove] != 0;
}

Steals::Result Steals::fail(Result result, std::uint32_t blocked, ValueNumber in_the_way) {
  blocked_ = blocked;
  in_the_way_ = in_the_way;
  if (in_the_way != ValueNumber::none()) suspects_.push_back(in_the_way);
  return result_ = result;
}

void Steals::read_program() {
  for (std::uint32_t i = 0; i < history_.size(); ++i) {
    const ActKind kind = history_.kind[i];
    if (kind == ActKind::lost_take && at_back_[i] == 0) pending_.push_back(i);
    if (at_back_[i] != 0 && (kind == ActKind::add || kind == ActKind::take || kind == ActKind::empty))
      program_.push_back(i);
  }
}

/// Whether the values that the owner pops nest, with nothing inside that leaves at the front.
bool Steals::nests() {
  std::vector<ValueNumber> open;
  for (std::size_t k = 0; k < program_.size(); ++k) {
    const std::uint32_t i = program_[k];
    const ValueNumber value = history_.value[i];
    if (history_.kind[i] == ActKind::add && owners(value)) {
      open.push_back(value);
    } else if (history_.kind[i] == ActKind::take) {
      LINCHPIN_ASSERT(!open.empty());  // it was pushed before, or sum_up has found the fault
      if (open.back() != value) {
        fail(Result::not_nested, i, open.back());
        return false;
      }
      open.pop_back();
    } else {
      const bool empty = history_.kind[i] == ActKind::empty;
      if (!open.empty()) {
        fail(empty ? Result::not_empty : Result::stuck, i, open.back());
        return false;
      }
      if (empty || container_.span[value].remove != kNone) last_known_ = k;
    }
  }
  return true;
}

/// Whether each thief that found nothing has a gap outside all covers.
bool Steals::place_empties() {
  std::vector<std::uint32_t> empties;
  for (std::uint32_t i = 0; i < history_.size(); ++i) {
    if (history_.kind[i] == ActKind::empty && at_back_[i] == 0) empties.push_back(i);
  }
  if (empties.empty()) return true;
  std::vector<std::int32_t> change(history_.ranks.number() + 2, 0);
  for (const ValueSpan& span : container_.span) {
    if (!span.present() || span.coreless()) continue;
    ++change[span.first_response.number()];
    --change[span.last_call.number()];
  }
  std::vector<std::uint32_t> next_open(history_.ranks.number() + 1, kNone);
  std::int32_t inside = 0;
  for (std::uint32_t gap = 0; gap <= history_.ranks.number(); ++gap) {
    inside += change[gap];
    if (inside == 0) next_open[gap] = gap;
  }
  for (std::uint32_t gap = history_.ranks.number(); gap-- > 0;) {
    if (next_open[gap] == kNone) next_open[gap] = next_open[gap + 1];
  }
  for (const std::uint32_t i : empties) {
    const std::uint32_t gap = next_open[history_.call[i].number()];
    if (gap >= history_.response[i].number()) {
      fail(Result::covered_empty, i);
      return false;
    }
    cuts_.push_back({gap, i});
  }
  std::stable_sort(cuts_.begin(), cuts_.end(), [](const Cut& a, const Cut& b) { return a.gap < b.gap; });
  return true;
}

Steals::Result Steals::place_all(bool record) {
  // An operation of the program is odd in this order, what takes its value even, after it; empties stand between.
  const auto of_owner = [](std::size_t k) { return 3 * std::uint64_t{k} + 1; };
  const auto of_thief = [](std::size_t k) { return 3 * std::uint64_t{k} + 2; };
  std::array<std::vector<Placed>, 3> lists;  // the owner's, the thieves', and what they found empty
  const auto place = [&](std::size_t list, std::uint32_t gap, std::uint64_t order, std::uint32_t operation) {
    if (record) lists[list].push_back({gap, order, operation});
  };
  std::uint32_t owner = 0, thief = 0;
  ValueNumber latest = ValueNumber::none();  // the value whose steal was called last
  std::size_t used = 0, cut = 0;
  std::vector<ValueNumber> taken;  // values nobody took that pending steals took
  const auto steal = [&](std::uint32_t call, ValueNumber value) {
    if (call > thief) latest = value;
    thief = std::max({thief, call, owner});
  };
  for (std::size_t k = 0; k < program_.size(); ++k) {
    const std::uint32_t i = program_[k];
    owner = std::max(owner, history_.call[i].number());
    const ValueNumber value = history_.value[i];
    if (history_.kind[i] == ActKind::empty) {
      owner = std::max(owner, thief);
      if (owner >= history_.response[i].number()) {
        suspects_ = taken;
        return fail(Result::owner_late, i, latest);
      }
      place(0, owner, of_owner(k), i);
      continue;
    }
    const ValueSpan& span = container_.span[value];
    for (; cut < cuts_.size() && cuts_[cut].gap < span.last_call.number(); ++cut) {
      place(2, cuts_[cut].gap, 3 * std::uint64_t{k}, cuts_[cut].operation);
    }
    if (cut > 0) owner = std::max(owner, cuts_[cut - 1].gap);
    place(0, owner, of_owner(k), i);
    if (history_.kind[i] == ActKind::take || owners(value)) continue;
    if (span.remove != kNone) {
      steal(history_.call[span.remove].number(), value);
      if (thief >= history_.response[span.remove].number()) {
        suspects_ = taken;
        return fail(Result::out_of_order, span.remove, latest);
      }
      place(1, thief, of_thief(k), span.remove);
    } else if (k < last_known_) {
      taken.push_back(value);
      if (used == pending_.size()) {
        suspects_ = taken;
        const std::uint32_t known = program_[last_known_];
        return fail(Result::not_taken,
                    history_.kind[known] == ActKind::empty ? known : container_.span[history_.value[known]].remove);
      }
      steal(history_.call[pending_[used]].number(), value);
      place(1, thief, of_thief(k), pending_[used++]);
    }
  }
  if (!record) return Result::linearizable;
  for (; cut < cuts_.size(); ++cut) place(2, cuts_[cut].gap, of_owner(program_.size()), cuts_[cut].operation);
  std::vector<Placed> gave_up;
  for (std::uint32_t i = 0; i < history_.size(); ++i) {
    if (history_.kind[i] == ActKind::free) {
      gave_up.push_back({history_.call[i].number(), 0, i});
    }
  }
  const auto before = [](const Placed& a, const Placed& b) {
    return a.gap != b.gap ? a.gap < b.gap : a.order < b.order;
  };
  std::vector<Placed> all, more;
  std::merge(lists[0].begin(), lists[0].end(), lists[1].begin(), lists[1].end(), std::back_inserter(more), before);
  std::merge(more.begin(), more.end(), lists[2].begin(), lists[2].end(), std::back_inserter(all), before);
  more.clear();
  std::merge(all.begin(), all.end(), gave_up.begin(), gave_up.end(), std::back_inserter(more), before);
  for (const Placed& each : more) order_.push_back(each.operation);
  return Result::linearizable;
}

Steals::Result Steals::run(bool record_witness) {
  fault_ = container_.sum_up(history_);
  if (fault_) return result_ = Result::value_fault;
  read_program();
  if (!nests() || !place_empties()) return result_;
  return place_all(record_witness);
}

std::vector<std::uint32_t> Steals::core() const {
  if (fault_) return fault_->operations;
  std::vector<std::uint32_t> operations = pending_;
  const auto add = [&](ValueNumber value) {
    operations.push_back(container_.span[value].add);
    if (container_.span[value].remove != kNone) operations.push_back(container_.span[value].remove);
  };
  operations.push_back(blocked_);
  if (history_.value[blocked_] != ValueNumber::none()) add(history_.value[blocked_]);
  for (const ValueNumber value : suspects_) add(value);
  if (result_ == Result::covered_empty) {
    for (ValueNumber v = 0; v < container_.span.size(); ++v) {
      const ValueSpan& span = container_.span[v];
      if (span.present() && !span.coreless() && span.first_response < history_.response[blocked_] &&
          span.last_call > history_.call[blocked_]) {
        add(v);
      }
    }
  }
  std::sort(operations.begin(), operations.end());
  operations.erase(std::unique(operations.begin(), operations.end()), operations.end());
  return operations;
}

}  // namespace linchpin::types::deque
