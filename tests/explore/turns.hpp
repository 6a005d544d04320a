// A program whose outcomes are the orders in which its threads take turns.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "linchpin/explore.hpp"

namespace linchpin {

/// Each thread takes so many turns, of which each is one step; at most 15 in all. An outcome has a digit a turn.
inline ExploreResult explore_turns(unsigned threads, unsigned turns, const ExploreOptions& options) {
  struct Order {
    std::atomic<unsigned> next = 0;
    char digits[16] = {};
  };
  Threads<Order> program([] { return std::make_unique<Order>(); });
  for (unsigned thread = 0; thread < threads; ++thread) {
    program.add([thread, turns](Order& order) {
      for (unsigned i = 0; i < turns; ++i) {
        order.digits[order.next.fetch_add(1, std::memory_order_relaxed)] = static_cast<char>('0' + thread);
      }
    });
  }
  program.observe([](Order& order) { return std::string(order.digits); });
  return explore(program, options);
}

}  // namespace linchpin
