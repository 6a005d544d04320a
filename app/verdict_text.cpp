#include "app/verdict_text.hpp"

#include <unistd.h>

#include <utility>

#include <fmt/format.h>

#include "app/output.hpp"
#include "app/quantities.hpp"
#include "base/foreign_text.hpp"

namespace linchpin::app {

namespace {

std::string_view reason_text(Reason reason) {
  switch (reason) {
    case Reason::time: return "the time limit was reached";
    case Reason::memory: return "the memory limit was reached";
    case Reason::cancelled: return "cancelled";
    case Reason::not_applicable: return "the decider does not apply";
    case Reason::internal: return "the evidence for the answer does not hold";
    case Reason::none: break;
  }
  return "no reason given";
}

}  // namespace

std::string coloured(Verdict verdict, Reason reason) {
  const Colours& colour = colours(STDOUT_FILENO);
  switch (verdict) {
    case Verdict::linearizable: return fmt::format("{}linearizable{}", colour.good, colour.plain);
    case Verdict::violation: return fmt::format("{}violation{}", colour.bad, colour.plain);
    case Verdict::unknown: break;
  }
  return fmt::format("{}unknown{}, {}", colour.doubtful, colour.plain, reason_text(reason));
}

std::string sizes(std::size_t operations, std::size_t pending) {
  return counted(operations, "operation") + (pending > 0 ? fmt::format(", {} pending", grouped(pending)) : "");
}

std::string how(const ObjectVerdict& object) {
  std::string text = fmt::format("{}, {}", base::foreign_text(object.type), sizes(object.operations, object.pending));
  if (!object.decider.empty()) text += fmt::format(", by {}", object.decider);
  if (!object.why.empty()) text += fmt::format(": {}", base::foreign_text(object.why));
  return text;
}

std::string operation_and_place(const History& history, OperationIndex i) {
  return operation_and_place(history, i, history.describe(i));
}

std::string operation_and_place(const History& history, OperationIndex i, std::string operation) {
  std::string text = std::move(operation);
  if (history.process(i) != kNoProcess)
    text += " of process " + base::foreign_text(history.process_name(history.process(i)));
  if (history.place(i).line > 0) text += fmt::format(", line {}", history.place(i).line);
  return text;
}

std::string refused_order(const History& history, const RefusedOrder& refused, std::size_t indent) {
  std::string text =
      fmt::format("{:{}}the order asked for is refused: {}\n", "", indent, base::foreign_text(refused.sentence));
  for (const OperationIndex i : refused.operations) {
    text += fmt::format("{:{}}{}\n", "", indent + 2, operation_and_place(history, i));
  }
  return text;
}

std::string start_of_core(const CoreStart& start) {
  return fmt::format("everything before {} leads to the state {}", start.tick, base::foreign_text(start.state));
}

std::string_view context_note() {
  return "those in round brackets are context: whichever take effect, in whatever order, it has no place among them";
}

}  // namespace linchpin::app
