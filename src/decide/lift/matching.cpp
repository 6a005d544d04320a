#include "decide/lift/matching.hpp"

#include <algorithm>
#include <numeric>

#include <absl/container/flat_hash_map.h>

#include "base/none.hpp"

namespace linchpin::decide::lift {

Matching::Matching(const history::Subhistory& part, const core::LiftHistory& read) : read_(read) {
  const std::uint32_t size = part.size();
  absl::flat_hash_map<std::uint64_t, std::uint32_t> number;
  const auto concerns_one = [&](std::uint32_t i) {
    const ActKind kind = read.acts.kind[i];
    return kind == ActKind::add || kind == ActKind::look || kind == ActKind::take || kind == ActKind::missing;
  };
  value_of_.resize(size);
  std::uint32_t added = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    if (!concerns_one(i)) continue;
    value_of_[i] =
        number.try_emplace(read.acts.value[i].bits(), static_cast<std::uint32_t>(number.size())).first->second;
    added += read.acts.kind[i] == ActKind::add ? 1 : 0;
  }
  values_ = static_cast<std::uint32_t>(number.size());
  begin_.assign(values_ + 1, 0);
  for (std::uint32_t i = 0; i < size; ++i) {
    if (!concerns_one(i)) value_of_[i] = values_;
    if (read.acts.kind[i] == ActKind::add) ++begin_[value_of_[i] + 1];
    const bool lost = read.acts.kind[i] == ActKind::lost_take;
    any_lost_ = any_lost_ || lost;
    any_lost_that_returned_ = any_lost_that_returned_ || (lost && !part.pending(i));
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  adds_.resize(added);
  std::vector<std::uint32_t> filled(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t i = 0; i < size; ++i) {
    if (read.acts.kind[i] == ActKind::add) adds_[filled[value_of_[i]]++] = i;
  }
  if (any_lost_) {
    for (std::uint32_t i = 0; i < size; ++i) {
      if (read.acts.kind[i] == ActKind::add) adds_.push_back(i);
    }
  }

  variable_of_.assign(size, kNone);
  const auto append = [&](std::uint32_t i, bool pending) {
    const ActKind kind = read.acts.kind[i];
    if (!is_take(kind) && kind != ActKind::look) return;
    const bool lost = kind == ActKind::lost_take;
    Variable variable{
        .operation = i,
        .first = lost ? added : begin_[value_of_[i]],
        .may_be_nothing = pending || lost || (!read.initial.is_none() && read.acts.value[i] == read.initial),
        .takes = is_take(kind)};
    const auto first = adds_.begin() + variable.first;
    const auto last = lost ? adds_.end() : adds_.begin() + begin_[value_of_[i] + 1];
    const auto end = pending ? last
                             : std::lower_bound(first, last, part.response[i],
                                                [&](std::uint32_t add, auto rank) { return part.call[add] < rank; });
    variable.count = static_cast<std::uint32_t>(end - first);
    if (pending && variable.count == 0) return;  // it did not happen
    variable_of_[i] = static_cast<std::uint32_t>(variables_.size());
    options_ += variable.options();
    variables_.push_back(variable);
  };
  for (std::uint32_t i = 0; i < size; ++i) {
    if (part.pending(i)) append(i, true);
  }
  for (const history::Event event : part.events()) {
    if (event.is_response()) append(event.operation(), false);
  }
}

std::optional<Matching::Fault> Matching::guess(std::vector<std::uint32_t>& option) const {
  const bool newest = read_.first_guess == core::LiftGuess::newest,
             two_ends = read_.first_guess == core::LiftGuess::nearest;
  option.assign(variables_.size(), 0);
  // Of each value the additions that are left, in a line: new ones come at its back, or where there are two ends also
  // at its front, for which the line then has room.
  const std::uint32_t room = two_ends ? 2 : 1;
  std::vector<std::uint32_t> entered(begin_.begin(), begin_.end()), front = entered, line(room * begin_.back());
  for (std::uint32_t value = 0; two_ends && value < values_; ++value) front[value] = begin_[value] + begin_[value + 1];
  std::vector<std::uint32_t> back = front;
  for (std::uint32_t x = 0; x < variables_.size(); ++x) {
    const Variable& variable = variables_[x];
    const std::uint32_t nothing = variable.may_be_nothing ? 1 : 0;
    const std::uint32_t value = value_of_[variable.operation];
    const bool pending_or_lost = variable.takes && nothing == 1;
    if (pending_or_lost) continue;  // nothing
    if (variable.count == 0) {
      if (nothing == 0) return Fault{variable.operation};
      continue;
    }
    const std::uint32_t end = variable.first + variable.count;
    for (; entered[value] < end; ++entered[value]) {
      const bool at_front = two_ends && read_.acts.front(adds_[entered[value]]);
      line[at_front ? --front[value] : back[value]++] = entered[value];
    }
    const bool left = front[value] < back[value];
    const bool from_front = two_ends ? read_.acts.front(variable.operation) : !newest;
    std::uint32_t at = end - 1;
    if (left && !read_.overwrites) at = line[from_front ? front[value] : back[value] - 1];
    if (variable.takes) {
      if (!left) return Fault{variable.operation, true};
      if (from_front) {
        ++front[value];
      } else {
        --back[value];
      }
    }
    option[x] = nothing + at - variable.first;
  }
  return std::nullopt;
}

}  // namespace linchpin::decide::lift
