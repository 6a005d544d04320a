// Mends an order of transactions until it replays, or finds why none does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "types/multi_register/precedence.hpp"

namespace linchpin::types::multi_register {

/// Replays the order. Where a read sees another write than it saw, that write goes before the one that it saw, or
/// behind the read. If the edges so far leave but one of these, it is an edge, too; else one is tried. If neither is
/// left, the last of the trials that this rests on is taken back, and the other way is certain (dependency-directed
/// backtracking); if it rests on none, there is no order.
class Repair {
 public:
  Repair(const history::Subhistory& part, const Reading& reading, Precedence& precedence)
      : part_(part),
        reading_(reading),
        precedence_(precedence),
        written_(reading.keys.size()),
        nth_(reading.writes.size(), 0) {
    writer_.reserve(reading.writes.size());
    for (std::uint32_t t = 0; t < part.size(); ++t) writer_.resize(reading.write_begin[t + 1], t);
    const history::Subhistory& times = part.recorded != nullptr ? *part.recorded : part;
    const std::vector<std::uint32_t> at = history::same_operations(part, times);
    middle_.reserve(part.size());
    for (const std::uint32_t t : at) {
      middle_.push_back(std::uint64_t{times.call[t].number()} + std::min(times.response[t], times.ranks()).number());
    }
  }

  enum class End : std::uint8_t { replays, contradiction, given_up };
  [[nodiscard]] End run(core::Budget& budget);
  /// After a contradiction.
  [[nodiscard]] Contradiction contradiction() const;

 private:
  /// Of three transactions of one key: `writer` wrote what `reader` saw, `other` wrote the key as well.
  struct Triple {
    std::uint32_t writer = kNone;  ///< kNone: the reader saw the initial value
    std::uint32_t other = 0;
    std::uint32_t reader = 0;
    std::uint32_t read = 0;  ///< index in the reading
  };
  /// An edge that follows from a triple: the reader before the other, or the other before the writer.
  struct Added {
    Triple triple;
    bool other_last = false;
    std::vector<Link> because;            ///< paths that leave no other way; of a trial: none
    std::vector<std::uint32_t> rests_on;  ///< trials, ascending
    [[nodiscard]] std::uint32_t from() const { return other_last ? triple.reader : triple.other; }
    [[nodiscard]] std::uint32_t to() const { return other_last ? triple.other : triple.writer; }
  };

  bool resolve(const Triple& triple);
  bool insert(Added added);
  bool back_jump(Added failed);
  void rewind(std::uint32_t place);
  [[nodiscard]] std::vector<std::uint32_t> trials_of(const std::vector<Link>& links) const;
  [[nodiscard]] bool prefers_last(const Triple& triple) const;
  [[nodiscard]] std::string clause(const Link& link, const std::string& from, const std::string& to) const;

  const history::Subhistory& part_;
  const Reading& reading_;
  Precedence& precedence_;
  std::vector<std::uint64_t> middle_;                // by local index: of call and response as recorded, twice that
  std::vector<std::uint32_t> writer_;                // by index of `writes`: the transaction
  std::vector<std::vector<std::uint32_t>> written_;  // by key: what the replay wrote so far
  std::vector<std::uint32_t> nth_;                   // by index of `writes` that were replayed: its place in `written_`
  std::uint32_t place_ = 0;                          // of the transaction that is replayed next
  std::vector<Added> added_;                         // all that ever were, also those taken back: reasons refer to them
  std::vector<std::uint32_t> there_;                 // those that are there
  std::vector<std::uint32_t> trials_;                // of these, the trials
  std::uint32_t back_jumps_ = 0;
  std::optional<Added> failed_;  // what leaves no order
};

}  // namespace linchpin::types::multi_register
