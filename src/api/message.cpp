// Verdicts as text for test frameworks: sentence, operations, intervals. Ticks are left out; the intervals are drawn.
#include "linchpin/message.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/foreign_text.hpp"

#include "linchpin/explain.hpp"

namespace linchpin {

namespace {

constexpr std::size_t kMostShown = 24;

/// Where the operation's interval lies, a column for each distinct tick: "[--]", or "[-->" for a pending one.
std::string picture(const History& history, OperationIndex i, std::span<const Tick> ticks) {
  const auto column = [&](Tick tick) {
    return static_cast<std::size_t>(std::lower_bound(ticks.begin(), ticks.end(), tick) - ticks.begin());
  };
  const std::size_t begin = column(history.call(i));
  const std::size_t end = history.pending(i) ? ticks.size() : column(history.response(i));
  std::string text(end + 1, ' ');
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), '-');
  text[begin] = begin == end ? '|' : '[';
  if (begin != end) text[end] = history.pending(i) ? '>' : ']';
  return text;
}

std::string table(const History& history, std::span<const OperationIndex> operations) {
  std::vector<Tick> ticks;
  std::vector<std::string> processes;
  std::vector<std::string> texts;
  std::size_t process_width = 0;
  std::size_t text_width = 0;
  std::size_t picture_width = 0;
  for (const OperationIndex i : operations) {
    ticks.push_back(history.call(i));
    if (!history.pending(i)) ticks.push_back(history.response(i));
    const std::string process = history.process_name(history.process(i));
    processes.push_back(process.empty() ? "" : fmt::format("process {}: ", base::foreign_text(process)));
    texts.push_back(history.describe(i));
    process_width = std::max(process_width, processes.back().size());
    text_width = std::max(text_width, texts.back().size());
  }
  std::sort(ticks.begin(), ticks.end());
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  std::vector<std::string> pictures;
  for (const OperationIndex i : operations) {
    pictures.push_back(picture(history, i, ticks));
    picture_width = std::max(picture_width, pictures.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    text += fmt::format("  {:<{}}{:<{}}  ", processes[i], process_width, texts[i], text_width);
    const std::string fields = history.describe_fields(operations[i]);
    text += fields.empty() ? pictures[i] : fmt::format("{:<{}}  {}", pictures[i], picture_width, fields);
    text += '\n';
  }
  return text;
}

std::string violation_text(const History& history, const ObjectVerdict& object, const ObjectExplanation& explanation) {
  std::string text = fmt::format("not linearizable as a {}{}\n", base::foreign_text(object.type),
                                 object.name.empty() ? "" : fmt::format(" ({})", base::foreign_text(object.name)));
  if (!explanation.sentence.empty()) text += base::foreign_text(explanation.sentence) + "\n";
  const std::span<const OperationIndex> core = explanation.core;
  if (core.empty()) return text + "no small set of operations was found within the limits that shows it\n";
  if (explanation.start) {
    text += fmt::format("everything before {} leads to the state {}, from which\n", explanation.start->tick,
                        base::foreign_text(explanation.start->state));
  }
  if (core.size() == 1) {
    text += fmt::format("1 operation of {} cannot have taken place:\n", object.operations);
  } else {
    text += fmt::format("{} operations of {} have no order that explains them{}:\n", core.size(), object.operations,
                        explanation.minimal ? ", and are as few as can be" : "");
  }
  text += table(history, core.first(std::min(core.size(), kMostShown)));
  if (core.size() > kMostShown) text += fmt::format("  and {} more\n", core.size() - kMostShown);
  if (!explanation.context.empty()) text += "whichever of these take effect, in whatever order:\n";
  text += table(history, explanation.context);
  return text;
}

}  // namespace

std::string refused_text(const ObjectVerdict& object) {
  std::string text;
  for (const RefusedEvidence& each : object.refused_evidence) {
    if (!text.empty()) text += "; ";
    text += fmt::format("the evidence for '{}' of {} does not hold: {}", name(each.claimed), each.decider, each.why);
  }
  return text;
}

std::string message_of(const History& history, const HistoryVerdict& verdict, const CheckOptions& options) {
  if (verdict.verdict == Verdict::linearizable) return fmt::format("linearizable: {} operations", verdict.operations);
  if (verdict.verdict == Verdict::unknown) {
    std::string text = fmt::format("undecided ({}): {} operations", name(verdict.reason), verdict.operations);
    for (const ObjectVerdict& object : verdict.objects) {
      if (!object.refused_evidence.empty()) text.append("\n").append(refused_text(object));
    }
    return text;
  }
  const auto explanation = explain_verdict(history, verdict, options);
  if (!explanation) return explanation.error().to_string();
  std::string text;
  for (std::size_t i = 0; i < verdict.objects.size(); ++i) {
    if (verdict.objects[i].verdict == Verdict::violation) {
      text += violation_text(history, verdict.objects[i], explanation->objects[i]);
    }
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace linchpin
