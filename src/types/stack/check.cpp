#include "types/stack/check.hpp"

#include <algorithm>

#include "base/none.hpp"

namespace linchpin::types {

algo::Gaps StackCheck::segments_of(std::uint32_t operation) const {
  algo::Gaps gaps = algo::gaps_between(history_.call[operation], history_.response[operation]);
  if (history_.kind[operation] == ActKind::look) {
    gaps = algo::look_gaps(history_, container_.span[history_.value[operation]], operation);
  }
  return {segments_->of_gap(gaps.first), segments_->of_gap(gaps.last)};
}

StackCheck::Result StackCheck::run(core::Budget& budget, bool record_witness) {
  fault_ = container_.sum_up(history_);
  if (fault_) return Result::value_fault;
  if (budget.spent_now()) return Result::spent;
  segments_.emplace(history_, container_);
  if (container_.any_look) {
    looks_by_value_.emplace(history_);
    looks_ = StackLooks(history_, container_, *segments_, *looks_by_value_);
  }
  if (budget.spent_now()) return Result::spent;
  elimination_.emplace(*segments_, looks_);
  if (budget.spent_now()) return Result::spent;
  const algo::Bitset& open = elimination_->open();
  if (record_witness && (container_.any_look || container_.any_empty)) {
    other_segment_.assign(history_.size(), kNone);
  }
  for (std::uint32_t i = 0; container_.any_empty && i < history_.size(); ++i) {
    if (history_.kind[i] != ActKind::empty) continue;
    const algo::Gaps range = segments_of(i);
    const std::uint32_t at = open.next(range.first);
    if (at > range.last) {
      empty_ = i;
      return Result::covered_empty;
    }
    if (record_witness) other_segment_[i] = at;
  }
  bool complete = false;
  if (record_witness) {
    order_.reserve(segments_->values);
    push_segment_.resize(segments_->values);
    pop_segment_.resize(segments_->values);
    complete = elimination_->run(
        budget,
        [&](std::uint32_t k) {
          order_.push_back(k);
          push_segment_[k] = open.previous(segments_->start[k]);
          pop_segment_[k] = open.next(segments_->end[k] + 1);
        },
        [&](std::uint32_t k) {
          if (!looks_by_value_) return;
          for (const std::uint32_t look : looks_by_value_->of(segments_->value_of[k])) {
            const std::uint32_t from = std::max(segments_of(look).first, push_segment_[k]);
            other_segment_[look] = std::min(open.next(from), pop_segment_[k]);
          }
        });
  } else {
    complete = elimination_->run(
        budget, [](std::uint32_t) {}, [](std::uint32_t) {});
  }
  if (complete) {
    elimination_.reset();  // before a witness takes memory
    return Result::linearizable;
  }
  return budget.spent_now() ? Result::spent : Result::stuck;
}

}  // namespace linchpin::types
