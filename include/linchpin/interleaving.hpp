// How threads took turns: the steps of one schedule, as an exploration tells them (linchpin/explore.hpp) and the report
// for the browser shows them (linchpin/page.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linchpin/history.hpp"

namespace linchpin {

/// One line of an interleaving: an access to shared memory, a lock, a call.
struct InterleavingStep {
  unsigned thread = 0;                           ///< counted from 0
  std::string what;                              ///< "load acquire", "write"
  std::string where;                             ///< "queue.hpp:31"; empty: unknown
  std::string function;                          ///< empty: unknown
  std::string value;                             ///< "0x10 -> 0x20"
  std::string note;                              ///< "sees the store of step 4, not the newest", "call enqueue(1)"
  std::string path = {};                         ///< of the file, as it was compiled
  unsigned line = 0;                             ///< 0: unknown
  std::optional<OperationIndex> operation = {};  ///< of the history beside it, to which the step belongs
};

struct Interleaving {
  std::string finding;   ///< in a word: "race"
  std::string message;   ///< what is wrong, in a few lines
  std::string scenario;  ///< "enqueue 1; enqueue 2 | dequeue"
  std::string token;     ///< runs the schedule again
  std::vector<InterleavingStep> steps;
};

}  // namespace linchpin
