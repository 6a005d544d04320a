#include "types/priority_queue/check.hpp"

#include <algorithm>

#include "base/none.hpp"
#include "types/priority_queue/fifo_classes.hpp"

namespace linchpin::types {

using algo::ValueNumber;

algo::Gaps PriorityQueueCheck::gaps_of(std::uint32_t operation) const {
  if (history_.kind[operation] == ActKind::empty) {
    return algo::gaps_between(history_.call[operation], history_.response[operation]);
  }
  const algo::ValueSpan& span = container_.span[history_.value[operation]];
  return history_.kind[operation] == ActKind::look ? algo::look_gaps(history_, span, operation)
                                                   : algo::remove_gaps(span);
}

void PriorityQueueCheck::sort_by_class() {
  std::uint32_t classes = 0;
  for (ValueNumber v = 0; v < history_.values; ++v) {
    if (container_.span[v].present()) classes = std::max(classes, classes_.of[v] + 1);
  }
  class_begin_.assign(classes + 1, 0);
  for (ValueNumber v = 0; v < history_.values; ++v) {
    if (container_.span[v].present()) ++class_begin_[classes_.of[v]];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& begin : class_begin_) sum += std::exchange(begin, sum);
  order_.resize(sum);
  for (ValueNumber v = 0; v < history_.values; ++v) {
    if (container_.span[v].present()) order_[class_begin_[classes_.of[v]]++] = v;
  }
  for (std::size_t c = classes; c > 0; --c) class_begin_[c] = class_begin_[c - 1];
  class_begin_[0] = 0;
}

PriorityQueueCheck::Result PriorityQueueCheck::run(core::Budget& budget, bool record_witness) {
  fault_ = container_.sum_up(history_);
  if (fault_) return Result::value_fault;
  if (budget.spent_now()) return Result::spent;
  if (container_.any_look) looks_.emplace(history_);
  sort_by_class();
  if (budget.spent_now()) return Result::spent;
  const auto classes = static_cast<std::uint32_t>(class_begin_.size()) - 1;
  open_ = method_ ? OpenGaps(classes_, classes, last_gap() + 1, *method_) : OpenGaps(classes_, classes, last_gap() + 1);
  if (record_witness) gap_.resize(history_.size());
  std::optional<FifoClasses> fifo;
  if (fifo_ties_) fifo.emplace(*this, record_witness);
  for (std::uint32_t c = 0; c < classes; ++c) {
    if (budget.spent()) return Result::spent;
    const std::uint32_t first = class_begin_[c], last = class_begin_[c + 1];
    open_.turn_to(c);
    if (!serve_class(first, last, record_witness)) return Result::overtaken;
    if (fifo && !fifo->order(first, last)) return Result::unordered;
    close_class(first, last);
    if (fifo && record_witness && !fifo->place(first, last)) has_witness_ = false;
  }
  if (container_.any_empty) open_.turn_to_end();
  for (std::uint32_t i = 0; container_.any_empty && i < history_.size(); ++i) {
    if (history_.kind[i] != ActKind::empty) continue;
    const algo::Gaps gaps = gaps_of(i);
    const std::uint32_t at = open_.next(gaps.first);
    if (at > gaps.last) {
      failed_ = i;
      return Result::covered_empty;
    }
    if (record_witness) gap_[i] = at;
    if (record_witness && fifo_ties_) side_[i] = Side::flush;
  }
  return Result::linearizable;
}

/// Finds a gap for each remove and look of a class. Adds are put as late and removes as early as possible: a value is
/// then inside only in its cover and in gaps that better values cover, where nobody worse is served.
bool PriorityQueueCheck::serve_class(std::uint32_t first, std::uint32_t last, bool record_witness) {
  constexpr std::uint32_t kAhead = 8;  // values come in the order of priorities: their spans are far apart
  for (std::uint32_t i = first; i < last; ++i) {
    if (i + kAhead < order_.size()) __builtin_prefetch(&container_.span[order_[i + kAhead]]);
    const ValueNumber v = order_[i];
    const algo::ValueSpan& span = container_.span[v];
    const algo::Gaps remove = algo::remove_gaps(span);
    const std::uint32_t served = open_.next(remove.first);
    if (served > remove.last) {
      failed_ = span.remove;
      return false;
    }
    const std::uint32_t late = algo::add_gaps(span).last;
    std::uint32_t earliest = std::min(late, served);
    for (const std::uint32_t look : looks_of(v)) {
      const algo::Gaps gaps = algo::look_gaps(history_, span, look);
      std::uint32_t at = open_.next(std::max(gaps.first, late));
      if (at > gaps.last) {
        at = open_.previous(gaps.last);
        if (at == kNone || at < gaps.first) {
          failed_ = look;
          return false;
        }
      }
      at = std::min(at, served);
      earliest = std::min(earliest, at);
      if (record_witness) gap_[look] = at;
    }
    if (record_witness) {
      gap_[span.add] = earliest;
      if (span.remove != kNone) gap_[span.remove] = served;
    }
  }
  return true;
}

void PriorityQueueCheck::close_class(std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t i = first; i < last; ++i) {
    const algo::ValueSpan& span = container_.span[order_[i]];
    if (!span.coreless()) open_.cover(span.first_response.number(), span.last_call.number() - 1);
  }
}

}  // namespace linchpin::types
