// A history in which each addition has a name of its own, and each removal and look has the name of what it got.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/lift.hpp"
#include "history/columns.hpp"
#include "history/subhistory.hpp"

namespace linchpin::decide::lift {

/// Operations have the local indices of the part; so do those of a restriction's history.
class NamedHistory {
 public:
  NamedHistory(const history::Subhistory& part, const core::LiftHistory& read);
  NamedHistory(const NamedHistory&) = delete;
  NamedHistory& operator=(const NamedHistory&) = delete;

  /// The removal or look got what the addition `add` put in.
  void got(std::uint32_t local, std::uint32_t add);
  /// The removal found nothing; the look saw the initial value.
  void got_nothing(std::uint32_t local);
  /// The operation found the value missing that `add`, and nothing else, puts in.
  void missed(std::uint32_t local, std::uint32_t add);

  /// The operations of the given local indices (ascending) with dense ranks. A removal that is pending has then taken
  /// what it got, and returns after everything else. O(size log size); O(n) where that is less.
  [[nodiscard]] history::Subhistory restrict(std::span<const std::uint32_t> locals) const;

 private:
  [[nodiscard]] Value name_of(std::uint32_t local) const;

  const history::Subhistory& part_;
  const core::LiftHistory& read_;
  HistoryColumns columns_;
  bool descending_ = false;                   // names are -1, -2, ...: never the initial value
  mutable std::vector<std::uint32_t> index_;  // by local: its index in a restriction of many
  mutable std::vector<std::uint64_t> responses_;
};

}  // namespace linchpin::decide::lift
