// What a search by position has been through: nodes that lead nowhere, and with them all that are no better.
//
// A node A is at least as good as B when the same numbers of each value are enqueued and dequeued, the same peeks and
// empty results and as many pending dequeues are placed, of each value at each response no fewer enqueues and no fewer
// dequeues are placed by A, and A's latest call is no later or no empty result remains. So where A led nowhere, B does
// (docs/design/search.md, positions). Nodes are found under what has to be equal; few of them are compared.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_set.h>

#include "algo/value_number.hpp"
#include "base/none.hpp"
#include "types/queue/position_track.hpp"

namespace linchpin::types::queue {

enum Kind : std::uint8_t { kEnqueues, kDequeues, kPeeks, kEmpties, kKinds };

struct PositionKey {
  std::array<std::uint64_t, kKinds> masks;
  std::array<std::uint32_t, kKinds + 1> turns;  // the last: pending dequeues used
  bool operator==(const PositionKey&) const = default;
  template <typename H>
  friend H AbslHashValue(H state, const PositionKey& key) {
    return H::combine(std::move(state), key.masks, key.turns);
  }
};

class PositionMemo {
 public:
  /// `value_of[kind][member]` numbers the values of enqueues and dequeues.
  PositionMemo(const std::array<PositionTrack, kKinds>& tracks,
               const std::array<std::vector<algo::ValueNumber>, 2>& value_of, std::uint32_t values)
      : tracks_(tracks), value_of_(value_of), balance_(values, 0), first_(kFirstLists, kNone) {}

  /// Adds the node where the tracks stand; false: it leads nowhere. `numbers`: a hash of how many enqueues and dequeues
  /// of each value are placed; `latest`: the bound from placed dequeues and peeks.
  bool insert(const PositionKey& key, std::uint64_t numbers, history::Rank latest);

  /// Bytes that the next insertion takes at once because a table grows.
  [[nodiscard]] std::size_t growth() const;

 private:
  static constexpr std::uint32_t kInList = 64;
  static constexpr std::size_t kFirstLists = 1024;

  struct Node {
    PositionKey key;
    history::Rank latest;
    std::uint32_t next;
    std::uint64_t hash;
    std::array<std::uint32_t, 3> ahead;  // where its lists begin and end in ahead_
  };

  void grow_lists();
  [[nodiscard]] bool as_good(const Node& a, const Node& b, Kind kind);

  const std::array<PositionTrack, kKinds>& tracks_;
  const std::array<std::vector<algo::ValueNumber>, 2>& value_of_;
  algo::ByValue<std::int32_t> balance_;
  std::vector<algo::ValueNumber> touched_;
  absl::flat_hash_set<PositionKey> seen_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> ahead_;  // orders of enqueues and dequeues placed beyond the turn
  std::vector<std::uint32_t> first_;  // lists of nodes, by hash; a power of two
};

}  // namespace linchpin::types::queue
