// What the operations on an append-only log say about its places, for the deciders of logs.
//
// Every read shows a prefix of the log, so reads say which entry is at which place; so do get(i), and an append that
// returned where it is. The step to a place is made by the append that says so, or by some append of the entry that is
// known to be there, or, at a place that nobody saw, by any whose entry was seen nowhere else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algo/counting.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types::log_ {

struct Reading {
  std::string obstacle;  // why the history cannot be read so; empty: it can
  algo::CountOperations operations;
  std::vector<Value> entries;  // by place; none: not seen
  /// One or two operations that nothing can explain, with the sentence; empty: there are none.
  std::vector<std::uint32_t> impossible;
  std::string sentence;
  /// An entry is appended more often than it was seen, and there are places that nobody saw: these appends may be
  /// there.
  bool shared = false;
  /// Appends that returned, but not where they are.
  bool untold = false;
};

[[nodiscard]] Reading read(const history::Subhistory& part);

}  // namespace linchpin::types::log_
