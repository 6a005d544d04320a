#include "types/priority_queue/fifo_classes.hpp"

#include <algorithm>
#include <bit>

#include "algo/radix_sort.hpp"
#include "base/none.hpp"

namespace linchpin::types {

FifoClasses::FifoClasses(PriorityQueueCheck& check, bool record_witness)
    : check_(check), record_witness_(record_witness) {
  if (!record_witness) return;
  first_.resize(check.history_.size());
  last_.resize(check.history_.size());
  check.side_.assign(check.history_.size(), PriorityQueueCheck::Side::before);
  check.place_.assign(check.history_.size(), 0);
}

bool FifoClasses::order(std::uint32_t first, std::uint32_t last) {
  if (last - first < 2 && !record_witness_) return true;
  members_.clear();
  for (std::uint32_t i = first; i < last; ++i) {
    const algo::ValueNumber v = check_.order_[i];
    const algo::ValueSpan& span = check_.container_.span[v];
    const algo::Gaps add = algo::add_gaps(span);
    Member member{.value = v, .add_first = add.first, .add_last = add.last};
    member.earliest_last = check_.last_gap();
    const auto narrow = [&](std::uint32_t operation, algo::Gaps gaps) {
      const std::uint32_t from = check_.open_.next(gaps.first), to = check_.open_.previous(gaps.last);
      member.latest_first = std::max(member.latest_first, from);
      member.earliest_last = std::min(member.earliest_last, to);
      if (!record_witness_ || operation == kNone) return;
      first_[operation] = from;
      last_[operation] = to;
    };
    narrow(span.remove, algo::remove_gaps(span));
    for (const std::uint32_t look : check_.looks_of(v)) narrow(look, algo::look_gaps(check_.history_, span, look));
    members_.push_back(member);
  }
  return sort(members_, check_.cycle_);
}

bool FifoClasses::sort(std::vector<Member>& members, std::vector<algo::ValueNumber>& cycle) {
  const auto count = static_cast<std::uint32_t>(members.size());
  if (count < 2) return true;
  std::vector<std::uint64_t> words(count), buffer;
  const auto sorted_by = [&](std::uint32_t Member::*key) {
    constexpr unsigned kIndexBits = 32;
    constexpr std::uint32_t kFew = 256;  // below, the passes over the buckets are what costs
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      words[i] = (std::uint64_t{members[i].*key} << kIndexBits) | i;
      most = std::max(most, members[i].*key);
    }
    if (count < kFew) {
      std::sort(words.begin(), words.end());
    } else {
      algo::radix_sort(words, kIndexBits, kIndexBits + static_cast<unsigned>(std::bit_width(most)), buffer);
    }
    return std::vector<std::uint32_t>(words.begin(), words.end());  // their low halves
  };
  const std::vector<std::uint32_t> by_add = sorted_by(&Member::add_first), by_add_last = sorted_by(&Member::add_last),
                                   by_first = sorted_by(&Member::latest_first),
                                   by_last = sorted_by(&Member::earliest_last);

  std::vector<bool> gone(count, false), add_ready(count, false), serve_ready(count, false);
  std::vector<std::uint32_t> ready, sequence;
  sequence.reserve(count);
  std::uint32_t next_add = 0, next_first = 0, least_add = 0, least = 0, second = 0;
  const auto enable = [&](std::uint32_t i, std::vector<bool>& which, const std::vector<bool>& other) {
    if (which[i]) return;
    which[i] = true;
    if (other[i]) ready.push_back(i);
  };
  while (sequence.size() < count) {
    while (gone[by_add_last[least_add]]) ++least_add;
    while (gone[by_last[least]]) ++least;
    second = std::max(second, least + 1);
    while (second < count && gone[by_last[second]]) ++second;
    const std::uint32_t bound = members[by_add_last[least_add]].add_last;
    for (; next_add < count && members[by_add[next_add]].add_first <= bound; ++next_add) {
      enable(by_add[next_add], add_ready, serve_ready);
    }
    const Member& tightest = members[by_last[least]];
    for (; next_first < count && members[by_first[next_first]].latest_first <= tightest.earliest_last; ++next_first) {
      enable(by_first[next_first], serve_ready, add_ready);
    }
    if (second == count || tightest.latest_first <= members[by_last[second]].earliest_last) {
      enable(by_last[least], serve_ready, add_ready);
    }
    if (ready.empty()) {
      // Everybody must come after one of three; follow them until one comes again.
      const auto predecessor = [&](std::uint32_t i) {
        const std::uint32_t earliest = by_add_last[least_add];
        if (earliest != i && members[earliest].add_last < members[i].add_first) return earliest;
        return by_last[least] != i ? by_last[least] : by_last[second];
      };
      std::uint32_t at = by_last[least];
      for (int step = 0; step < 4; ++step) at = predecessor(at);
      cycle.clear();
      const std::uint32_t begin = at;
      do {
        cycle.push_back(members[at].value);
        at = predecessor(at);
      } while (at != begin);
      std::reverse(cycle.begin(), cycle.end());
      return false;
    }
    const std::uint32_t taken = ready.back();
    ready.pop_back();
    gone[taken] = true;
    sequence.push_back(taken);
  }
  std::vector<Member> sorted;
  sorted.reserve(count);
  for (const std::uint32_t i : sequence) sorted.push_back(members[i]);
  members.swap(sorted);
  return true;
}

bool FifoClasses::place(std::uint32_t first, std::uint32_t last) {
  using Side = PriorityQueueCheck::Side;
  const OpenGaps& outside = check_.open_;  // E, now that the class is closed
  std::vector<Member> inside;
  std::uint32_t at_once = 1;  // empties come first
  for (std::uint32_t i = first; i < last; ++i) {
    const algo::ValueNumber v = check_.order_[i];
    const algo::ValueSpan& span = check_.container_.span[v];
    Member member{.value = v};
    std::uint32_t within = span.first_response.number();
    if (span.coreless()) {
      within = span.last_call.number();
      const std::uint32_t gap = outside.next(within);
      if (gap < span.first_response.number()) {
        const auto put = [&](std::uint32_t operation) {
          check_.gap_[operation] = gap;
          check_.side_[operation] = Side::flush;
          check_.place_[operation] = at_once++;
        };
        put(span.add);
        for (const std::uint32_t look : check_.looks_of(v)) put(look);
        put(span.remove);
        continue;
      }
    }
    member.block = outside.previous(within);
    member.block_end = outside.next(within);
    const algo::Gaps add = algo::add_gaps(span);
    member.add_first = std::max(add.first, member.block);
    member.add_last = std::min(add.last, member.block_end);
    member.earliest_last = member.block_end;
    const auto narrow = [&](std::uint32_t operation) {
      first_[operation] = std::max(first_[operation], member.block);
      member.latest_first = std::max(member.latest_first, first_[operation]);
      member.earliest_last = std::min(member.earliest_last, last_[operation]);
    };
    if (span.remove != kNone) {
      narrow(span.remove);
    } else {
      member.latest_first = check_.last_gap();
    }
    for (const std::uint32_t look : check_.looks_of(v)) narrow(look);
    inside.push_back(member);
  }
  std::sort(inside.begin(), inside.end(), [](const Member& a, const Member& b) { return a.block < b.block; });
  std::vector<Member> block;
  for (std::size_t i = 0; i < inside.size();) {
    block.clear();
    const std::uint32_t left = inside[i].block;
    for (; i < inside.size() && inside[i].block == left; ++i) block.push_back(inside[i]);
    if (!place_block(block)) return false;
  }
  return true;
}

bool FifoClasses::place_block(std::vector<Member>& block) {
  using Side = PriorityQueueCheck::Side;
  std::vector<algo::ValueNumber> cycle;
  if (!sort(block, cycle)) return false;
  const std::uint32_t left = block.front().block;
  std::uint32_t added = left, served = left;
  auto place = static_cast<std::uint32_t>(block.size());
  const auto put = [&](std::uint32_t operation, std::uint32_t gap, std::uint32_t at) {
    check_.gap_[operation] = gap;
    check_.side_[operation] = gap == left ? Side::after : Side::before;
    check_.place_[operation] = at;
  };
  std::vector<std::uint32_t> looks;
  for (std::uint32_t i = 0; i < block.size(); ++i) {
    const algo::ValueSpan& span = check_.container_.span[block[i].value];
    added = std::max(added, block[i].add_first);
    put(span.add, added, i);
    const auto own = check_.looks_of(block[i].value);
    looks.assign(own.begin(), own.end());
    std::sort(looks.begin(), looks.end(), [&](std::uint32_t a, std::uint32_t b) { return first_[a] < first_[b]; });
    for (const std::uint32_t look : looks) {
      served = std::max(served, first_[look]);
      put(look, served, place++);
    }
    if (span.remove == kNone) {
      served = check_.last_gap();
    } else {
      served = std::max(served, first_[span.remove]);
      put(span.remove, served, place++);
    }
  }
  return true;
}

}  // namespace linchpin::types
