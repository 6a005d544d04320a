#include "decide/lift/matching.hpp"

#include <algorithm>
#include <numeric>

#include <absl/container/flat_hash_map.h>

#include "base/none.hpp"

namespace linchpin::decide::lift {

namespace {

constexpr std::size_t kMostLost = std::size_t{1} << 22;  // removals that lost their results, times values

}  // namespace

Matching::Matching(const history::Subhistory& part, const core::LiftHistory& read) : part_(part), read_(read) {
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

std::optional<Matching::Remainder> Matching::remainder() const {
  std::vector<std::uint32_t> empties, lost;
  for (std::uint32_t i = 0; i < part_.size(); ++i) {
    if (read_.acts.kind[i] == ActKind::empty && !part_.pending(i)) empties.push_back(i);
    if (read_.acts.kind[i] == ActKind::lost_take) lost.push_back(i);
  }
  if (empties.empty() || read_.overwrites || lost.size() > kMostLost / (values_ + std::size_t{1})) return std::nullopt;

  std::vector<std::vector<history::Rank>> taken(values_);  // by value: the calls of its removals
  for (std::uint32_t i = 0; i < part_.size(); ++i) {
    if (read_.acts.kind[i] == ActKind::take) taken[value_of_[i]].push_back(part_.call[i]);
  }
  struct Inside {
    history::Rank until = 0;
    std::uint32_t value = kNone;
  };
  history::ByRank<Inside> longest(part_.ranks() + 1);  // by rank: of what is inside from then on
  std::vector<history::Rank> added;
  for (std::uint32_t value = 0; value < values_; ++value) {
    added.clear();
    for (std::uint32_t at = begin_[value]; at < begin_[value + 1]; ++at) {
      if (!part_.pending(adds_[at])) added.push_back(part_.response[adds_[at]]);
    }
    std::ranges::sort(added);
    std::vector<history::Rank>& calls = taken[value];
    for (const std::uint32_t i : lost) calls.push_back(part_.call[i]);
    if (!lost.empty()) std::ranges::sort(calls);
    for (std::size_t k = 0; k < added.size(); ++k) {
      const history::Rank until = k < calls.size() ? calls[k] : part_.ranks();
      if (until > longest[added[k]].until) longest[added[k]] = {until, value};
    }
  }
  for (history::Rank rank = 1; rank < longest.size(); ++rank) {
    if (longest[rank - 1].until > longest[rank].until) longest[rank] = longest[rank - 1];
  }
  for (const std::uint32_t i : empties) {
    const Inside& inside = longest[part_.call[i]];
    if (inside.until > part_.response[i]) return remainder_of(inside.value, i);
  }
  return std::nullopt;
}

Matching::Remainder Matching::remainder_of(std::uint32_t value, std::uint32_t found_nothing) const {
  const history::Rank call = part_.call[found_nothing], response = part_.response[found_nothing];
  // The additions by their calls; the removals by their responses, the latest first, as far as they can come before.
  std::vector<std::uint32_t> adds, takes;
  for (std::uint32_t i = 0; i < part_.size() && part_.call[i] < response; ++i) {
    if (read_.acts.kind[i] == ActKind::add && value_of_[i] == value && part_.response[i] < call) adds.push_back(i);
    if (may_take(i, value)) takes.push_back(i);
  }
  std::ranges::sort(takes, std::greater<>(), [&](std::uint32_t i) { return part_.response[i]; });
  Remainder remainder{.found_nothing = found_nothing, .group = {}};
  std::size_t counted = 0;  // removals that return after the earliest call in the group
  while (!adds.empty() && remainder.group.size() <= counted) {
    const std::uint32_t add = adds.back();
    adds.pop_back();
    remainder.group.push_back(add);
    while (counted < takes.size() && part_.response[takes[counted]] > part_.call[add]) ++counted;
  }
  remainder.group.insert(remainder.group.end(), takes.begin(), takes.begin() + static_cast<std::ptrdiff_t>(counted));
  return remainder;
}

}  // namespace linchpin::decide::lift
