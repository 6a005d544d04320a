// A picture of operations in text: a row a process, a bar an operation, columns in the order of time.
//
//   producer-a ┣enqueue(red)━●┫
//   producer-b                 ┣enqueue(blue)━●━┫
//   consumer-a                   ┣dequeue() -> blue━✗┫
//
// Columns are events, not ticks: whatever happens between two events takes as much room as the labels need. Where the
// labels do not fit into the width, numbers stand for them, in the order of `Drawing::operations`.
// Tests: timeline_test.cpp, tests/cli/golden/explain-*.txt.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linchpin/explanation.hpp"
#include "linchpin/limits.hpp"

namespace linchpin::explain {

/// Escape sequences; empty where no colours are wanted.
struct TimelineColours {
  std::string_view core, blocked, point, context, plain;
};

struct Drawing {
  std::vector<OperationIndex> operations;  ///< drawn with their label; rows of their processes come first
  std::vector<OperationIndex> thin;        ///< some of `operations`, ascending: drawn so that the others stand out
  std::vector<OperationIndex> context;     ///< drawn faintly, with a label where there is room
  std::vector<Step> points;                ///< some of `operations`, in order: where they took effect
  std::optional<OperationIndex> blocked;   ///< one of `operations`
  Ties ties = Ties::concurrent;
  std::string_view sentence = {};  ///< about `operations`: what it names is not cut from their lists
};

struct TimelineStyle {
  std::size_t width = 100;  ///< of a line
  bool ascii = false;
  TimelineColours colours = {};
};

struct Timeline {
  std::string text;                   ///< whole lines; empty when not even the numbers fit
  bool numbered = false;              ///< numbers from 1 stand for the operations
  std::vector<OperationIndex> drawn;  ///< of `context`
};

/// Context that does not fit is left out, the last first.
[[nodiscard]] Timeline draw(const History& history, const Drawing& drawing, const TimelineStyle& style);

/// The operations of the object that are closest to `core` in time and not in it: those that overlap it first. At most
/// `most`, by call. O(n).
[[nodiscard]] std::vector<OperationIndex> around(const History& history, ObjectIndex object,
                                                 std::span<const OperationIndex> core,
                                                 std::optional<OperationIndex> blocked, std::size_t most);

}  // namespace linchpin::explain
