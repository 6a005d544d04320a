// The states that can be reached between two quiet points: moments at which no operation is open.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/budget.hpp"
#include "decide/search/transitions.hpp"
#include "decide/search/window.hpp"
#include "history/subhistory.hpp"

namespace linchpin::decide {

/// What searches over one part can share, so that their state ids mean the same.
struct SearchContext {
  Labels labels;
  Transitions transitions;
  Window window;
  explicit SearchContext(const history::Subhistory& part)
      : labels(part), transitions(part, labels), window(part, labels) {}
  SearchContext(const SearchContext&) = delete;
  SearchContext& operator=(const SearchContext&) = delete;
};

/// Events [first, last) of a part, where no operation is open before `first` and none is at `last`.
struct Segment {
  history::Rank first = 0;
  history::Rank last = 0;
  bool ignore_pure = false;  ///< as if the pure operations were not there: more states, never fewer
};

/// All states possible after the segment when it starts in one of `start`, ascending; empty: it cannot be passed.
/// Nothing when it takes more than `steps` steps or the budget is spent. By the configuration set, without witness.
[[nodiscard]] std::optional<std::vector<StateId>> states_after(const history::Subhistory& part,
                                                               const std::shared_ptr<SearchContext>& context,
                                                               Segment segment, std::span<const StateId> start,
                                                               std::uint64_t steps, core::Budget& budget);

}  // namespace linchpin::decide
