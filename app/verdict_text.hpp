// Phrases that the reports for people share.
#pragma once

#include <string>
#include <string_view>

#include "app/report.hpp"

namespace linchpin::app {

/// "violation", or "unknown, the time limit was reached": coloured for standard output.
[[nodiscard]] std::string coloured(Verdict verdict, Reason reason);
/// "6 operations, 1 pending"
[[nodiscard]] std::string sizes(std::size_t operations, std::size_t pending);
/// "queue, 6 operations, by queue-monitor: no value is enqueued twice"
[[nodiscard]] std::string how(const ObjectVerdict& object);
/// "dequeue() -> 1 of process 2, line 7"
[[nodiscard]] std::string operation_and_place(const History& history, OperationIndex i);
/// The same with another text for the operation.
[[nodiscard]] std::string operation_and_place(const History& history, OperationIndex i, std::string operation);
/// The order asked for, its refusal and the operations that refuse it, each with its place: a line each, indented.
[[nodiscard]] std::string refused_order(const History& history, const RefusedOrder& refused, std::size_t indent = 0);
/// "everything before 8123 leads to the state 412"
[[nodiscard]] std::string start_of_core(const CoreStart& start);
/// What the operations of a violation's context are shown for.
[[nodiscard]] std::string_view context_note();

}  // namespace linchpin::app
