// A frontier on its way through the events of a part.
#pragma once

#include <cstdint>
#include <utility>

#include "algo/frontier/frontier.hpp"
#include "history/subhistory.hpp"

namespace linchpin::algo {

template <class Domain>
struct Walk {
  template <class... Arguments>
  explicit Walk(Arguments&&... arguments) : frontier(std::forward<Arguments>(arguments)...) {}

  Frontier<Domain> frontier;
  history::Rank rank = 0;         // of the next event
  std::uint64_t passed_over = 0;  // events

  /// A part of a response, or an event; true: a response has been passed, or cannot be (Frontier::refuted).
  /// @pre the event is one of the part; not refuted
  bool step(const history::Subhistory& part, const Effort& effort = {}) {
    if (frontier.busy()) {
      frontier.step();
    } else {
      const history::Event event = part.events()[rank];
      const std::uint32_t x = event.operation();
      frontier.set_moment(rank);
      if (frontier.domain().skipped(x)) {
        ++passed_over;
        ++rank;
        return false;
      }
      if (!event.is_response()) {
        frontier.call(x);
        ++rank;
        return false;
      }
      frontier.respond(x, effort);
    }
    if (frontier.busy()) return false;
    if (!frontier.refuted()) ++rank;
    return true;
  }
  [[nodiscard]] std::uint64_t steps() const { return frontier.steps() + passed_over; }
};

}  // namespace linchpin::algo
