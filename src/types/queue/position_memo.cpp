#include "types/queue/position_memo.hpp"

#include <algorithm>

#include "base/none.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::types::queue {

bool PositionMemo::insert(const PositionKey& key, std::uint64_t numbers, history::Rank latest) {
  if (!seen_.insert(key).second) return false;
  std::uint64_t hash = mix(numbers, key.turns[kKinds]);
  for (const Kind kind : {kPeeks, kEmpties}) hash = mix(mix(hash, key.masks[kind]), key.turns[kind]);
  const bool empties_remain = !tracks_[kEmpties].finished();
  Node node{.key = key, .latest = latest, .next = kNone, .hash = hash, .ahead = {}};
  node.ahead[0] = static_cast<std::uint32_t>(ahead_.size());
  tracks_[kEnqueues].list_ahead(ahead_);
  node.ahead[1] = static_cast<std::uint32_t>(ahead_.size());
  tracks_[kDequeues].list_ahead(ahead_);
  node.ahead[2] = static_cast<std::uint32_t>(ahead_.size());
  std::uint32_t& first = first_[hash & (first_.size() - 1)];
  std::uint32_t alike = 0;
  for (std::uint32_t at = first; at != kNone; at = nodes_[at].next) {
    const Node& other = nodes_[at];
    if (other.hash != hash) continue;
    ++alike;
    if (empties_remain && other.latest > latest) continue;
    if (other.key.masks[kPeeks] != key.masks[kPeeks] || other.key.turns[kPeeks] != key.turns[kPeeks] ||
        other.key.masks[kEmpties] != key.masks[kEmpties] || other.key.turns[kEmpties] != key.turns[kEmpties] ||
        other.key.turns[kKinds] != key.turns[kKinds]) {
      continue;
    }
    if (as_good(other, node, kEnqueues) && as_good(other, node, kDequeues)) {
      ahead_.resize(node.ahead[0]);
      return false;
    }
  }
  if (alike >= kInList) {
    ahead_.resize(node.ahead[0]);
    return true;
  }
  node.next = first;
  first = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(node);
  if (nodes_.size() > first_.size()) grow_lists();
  return true;
}

/// Of each value, up to each response, as many members of the kind are placed by `a` as by `b`, and in all as many.
bool PositionMemo::as_good(const Node& a, const Node& b, Kind kind) {
  if (a.key.turns[kind] < b.key.turns[kind]) return false;
  if (a.key.turns[kind] == b.key.turns[kind] && a.key.masks[kind] == b.key.masks[kind]) return true;
  const PositionTrack& track = tracks_[kind];
  const std::vector<algo::ValueNumber>& value_of = value_of_[kind];
  const std::uint32_t* of_a = ahead_.data() + a.ahead[kind];
  const std::uint32_t* const end_of_a = ahead_.data() + a.ahead[kind + 1];
  const std::uint32_t* of_b = ahead_.data() + b.ahead[kind];
  const std::uint32_t* const end_of_b = ahead_.data() + b.ahead[kind + 1];
  std::uint32_t next = b.key.turns[kind];  // up to a's turn, a has all
  std::int32_t apart = 0;                  // values that a has more of
  bool good = true;
  touched_.clear();
  while (good) {
    constexpr std::uint32_t kEnd = 0xffffffffU;
    const std::uint32_t in_a = next < a.key.turns[kind] ? next : of_a != end_of_a ? *of_a : kEnd;
    const std::uint32_t in_b = of_b != end_of_b ? *of_b : kEnd;
    const std::uint32_t order = std::min(in_a, in_b);
    if (order == kEnd) break;
    if (in_a == order) {
      if (next < a.key.turns[kind]) {
        ++next;
      } else {
        ++of_a;
      }
    }
    if (in_b == order) ++of_b;
    if (in_a == in_b) continue;
    const algo::ValueNumber value = value_of[track.with_order(order)];
    std::int32_t& balance = balance_[value];
    if (balance == 0) touched_.push_back(value);
    if (in_a == order) {
      apart += balance++ == 0 ? 1 : 0;
    } else {
      apart -= balance-- == 1 ? 1 : 0;
      good = balance >= 0;
    }
  }
  for (const algo::ValueNumber value : touched_) balance_[value] = 0;
  return good && apart == 0;
}

void PositionMemo::grow_lists() {
  first_.assign(2 * first_.size(), kNone);
  for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
    std::uint32_t& first = first_[nodes_[at].hash & (first_.size() - 1)];
    nodes_[at].next = first;
    first = at;
  }
}

std::size_t PositionMemo::growth() const {
  std::size_t bytes = 0;
  if ((seen_.size() + 1) * 8 > seen_.capacity() * 7) bytes += 2 * seen_.capacity() * (sizeof(PositionKey) + 1);
  if (nodes_.size() == nodes_.capacity()) bytes += 2 * nodes_.capacity() * sizeof(Node);
  if (ahead_.size() + 128 > ahead_.capacity()) bytes += 2 * ahead_.capacity() * sizeof(std::uint32_t);
  return bytes;
}

}  // namespace linchpin::types::queue
