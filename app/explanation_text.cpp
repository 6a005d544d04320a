#include "app/explanation_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/operation_table.hpp"
#include "app/quantities.hpp"
#include "app/table.hpp"
#include "app/verdict_text.hpp"
#include "base/foreign_text.hpp"
#include "explain/attempts.hpp"
#include "explain/large_core.hpp"
#include "explain/shortened.hpp"

namespace linchpin::app {

namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kLongestOrder = 56;  // characters of an attempt's order
constexpr std::size_t kMostOfContext = 4;  // operations of a context that are named in a sentence

/// The text in lines of at most `width`, each indented.
std::string wrapped(std::string_view text, std::size_t width) {
  std::string out, line(kIndent, ' ');
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (line.size() > kIndent && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line.assign(kIndent, ' ');
    }
    if (line.size() > kIndent) line += ' ';
    line += word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + line + "\n";
}

std::string indented(const std::string& lines) {
  std::string out;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin) + 1;
    out += std::string(kIndent, ' ') + lines.substr(begin, end - begin);
    begin = end;
  }
  return out;
}

explain::TimelineStyle narrower(explain::TimelineStyle style) {
  style.width -= std::min(style.width, kIndent);
  return style;
}

/// The operations that the picture numbers, each with its times.
std::string numbered_table(const History& history, std::span<const OperationIndex> operations,
                           const explain::Shortened& shortened) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < operations.size(); ++k) {
    const OperationIndex i = operations[k];
    rows.push_back({std::to_string(k + 1), shortened.describe(i), history.process_name(history.process(i)),
                    tick_text(history.call(i)), tick_text(history.response(i))});
  }
  return aligned({{"", true}, {"operation"}, {"process", true}, {"call", true}, {"response", true}}, rows, kIndent);
}

/// What the operations carry beside their arguments and results, where any does.
std::string fields_text(const History& history, std::span<const OperationIndex> operations,
                        const explain::Shortened& shortened) {
  std::vector<std::vector<std::string>> rows;
  for (const OperationIndex i : operations) {
    const std::string fields = history.describe_fields(i);
    if (!fields.empty()) rows.push_back({shortened.describe(i), fields});
  }
  return rows.empty() ? std::string() : "\n" + aligned({{"operation"}, {"with"}}, rows, kIndent);
}

/// "enqueue(1), enqueue(2)", its end where it is long.
std::string order_text(const explain::Shortened& shortened, const Linearization& order) {
  if (order.steps.empty()) return "nothing";
  std::string text;
  for (std::size_t k = order.steps.size(); k-- > 0;) {
    const std::string step = shortened.describe(order.steps[k].operation);
    if (!text.empty() && text.size() + step.size() > kLongestOrder) {
      return fmt::format("{}, then {}", counted(k + 1, "operation"), text);
    }
    text = text.empty() ? step : fmt::format("{}, {}", step, text);
  }
  return text;
}

std::string attempts_text(const History& history, const ObjectVerdict& verdict, const ObjectExplanation& explanation,
                          const explain::Shortened& shortened, std::size_t most) {
  if (!explanation.blocked || explanation.attempts.empty()) return {};
  std::string text =
      fmt::format("\n  {} has no place:\n",
                  operation_and_place(history, *explanation.blocked, shortened.describe(*explanation.blocked)));
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < explanation.attempts.size() && k < most; ++k) {
    const Attempt& attempt = explanation.attempts[k];
    rows.push_back({order_text(shortened, attempt.order), explain::with_short_texts(attempt.state),
                    explain::with_short_texts(attempt.refusal)});
  }
  const std::string what = fmt::format("the {} is", explain::noun_of(verdict.type));
  text += aligned({{"after"}, {what}, {"where it"}}, rows, 2 * kIndent);
  if (explanation.attempts_in_all > rows.size()) {
    text +=
        fmt::format("    and {} more: --json has them\n", counted(explanation.attempts_in_all - rows.size(), "state"));
  }
  return text;
}

/// "enqueue(1) and enqueue(2)"
std::string listed(const explain::Shortened& shortened, std::span<const OperationIndex> operations) {
  std::string text;
  for (std::size_t k = 0; k < operations.size(); ++k) {
    text += fmt::format("{}{}",
                        k == 0                      ? ""
                        : k + 1 < operations.size() ? ", "
                                                    : " and ",
                        shortened.describe(operations[k]));
  }
  return text;
}

std::string violation_text(const History& history, const ObjectVerdict& verdict, const ObjectExplanation& explanation,
                           const ExplanationLook& look) {
  std::string text = fmt::format("\n{}\n", wrapped(base::foreign_text(explanation.sentence), look.timeline.width));
  // Of a large core what is closest to the operation that has no place.
  const std::vector<OperationIndex>& core = explanation.core;
  const std::span<const OperationIndex> shown = explain::closest(core, explanation.blocked, look.rows);
  explain::Drawing drawing{.operations = {shown.begin(), shown.end()},
                           .thin = explanation.context,
                           .context = {},
                           .points = {},
                           .blocked = explanation.blocked,
                           .ties = look.ties,
                           .sentence = explanation.sentence};
  std::sort(drawing.thin.begin(), drawing.thin.end());
  std::vector<OperationIndex> refuted = core;
  refuted.insert(refuted.end(), explanation.context.begin(), explanation.context.end());
  drawing.operations.insert(drawing.operations.end(), explanation.context.begin(), explanation.context.end());
  std::stable_sort(drawing.operations.begin(), drawing.operations.end(),
                   [&](OperationIndex a, OperationIndex b) { return history.call(a) < history.call(b); });
  const explain::Shortened shortened(history, drawing.operations, explanation.sentence);
  drawing.context = explain::around(history, explanation.object, refuted, explanation.blocked, look.around);
  const explain::Timeline timeline = explain::draw(history, drawing, narrower(look.timeline));
  text += indented(timeline.text);
  if (timeline.numbered || timeline.text.empty()) text += numbered_table(history, drawing.operations, shortened);
  std::string note;
  if (explanation.start) {
    note = fmt::format("As {}, the ", start_of_core(*explanation.start));
  }
  if (note.empty()) note = "The ";
  note += core.size() == 1
              ? std::string("operation with a thick line is a violation on its own")
              : fmt::format("{} operations with thick lines are a violation on their own", grouped(core.size()));
  note += explanation.minimal && core.size() > 1 ? ", and as few as can be." : ".";
  if (!explanation.context.empty()) {
    const std::string named = explanation.context.size() <= kMostOfContext
                                  ? listed(shortened, explanation.context)
                                  : grouped(explanation.context.size()) + " others, drawn thinly and by name,";
    note +=
        explanation.context.size() == 1
            ? fmt::format(" {} shows why: with it or without it, there is no place for that operation.", named)
            : fmt::format(" {} show why: whichever of them took effect, in whatever order, it has no place.", named);
  }
  if (shown.size() < core.size()) {
    note += fmt::format(" {} of them are not drawn: --json has them.", grouped(core.size() - shown.size()));
  }
  const std::size_t others = verdict.operations - refuted.size() - timeline.drawn.size();
  if (!timeline.drawn.empty()) {
    note += fmt::format(" Of the others {} with thin lines",
                        timeline.drawn.size() == 1 ? "one is drawn" : grouped(timeline.drawn.size()) + " are drawn");
    note += others > 0 ? fmt::format(" and {} left out.", grouped(others)) : ".";
  } else if (others > 0) {
    note += fmt::format(" {} not drawn.", others == 1 ? "One other is" : grouped(others) + " others are");
  }
  text += fmt::format("\n{}", wrapped(note, look.timeline.width));
  return text + fields_text(history, drawing.operations, shortened) +
         attempts_text(history, verdict, explanation, shortened, look.rows / 2);
}

std::string linearization_text(const History& history, const ObjectExplanation& explanation,
                               const ExplanationLook& look, std::size_t from) {
  const Linearization& order = *explanation.linearization;
  const std::size_t to = std::min(order.steps.size(), from + look.rows);
  explain::Drawing drawing{.ties = look.ties};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = from; k < to; ++k) {
    const Step& step = order.steps[k];
    drawing.operations.push_back(step.operation);
    drawing.points.push_back(step);
    rows.push_back({std::to_string(k + 1 - from), history.describe(step.operation),
                    history.process_name(history.process(step.operation)),
                    fmt::format("{}..{}", tick_text(history.call(step.operation)),
                                history.pending(step.operation) ? "" : tick_text(history.response(step.operation))),
                    std::to_string(step.point), k < order.states ? explain::with_short_texts(step.state) : ""});
  }
  const explain::Timeline timeline = explain::draw(history, drawing, narrower(look.timeline));
  std::string text = fmt::format("\n{}\n", indented(timeline.text));
  text +=
      aligned({{"", true}, {"in this order"}, {"process", true}, {"called"}, {"at", true}, {"then"}}, rows, kIndent);
  return text;
}

}  // namespace

std::string explanation_text(const History& history, const ObjectVerdict& verdict, const ObjectExplanation& explanation,
                             const ExplanationLook& look) {
  if (explanation.verdict == Verdict::violation) return violation_text(history, verdict, explanation, look);
  if (!explanation.linearization || explanation.linearization->steps.empty()) return {};
  const std::size_t steps = explanation.linearization->steps.size();
  std::string text;
  if (explanation.verdict == Verdict::linearizable) {
    text = linearization_text(history, explanation, look, 0);
    if (steps > look.rows) {
      text += wrapped(fmt::format("And {} more: check --witness FILE writes the whole order.",
                                  counted(steps - look.rows, "operation")),
                      look.timeline.width);
    }
    if (!explanation.omitted.empty()) {
      text += fmt::format("  {} had no effect.\n", counted(explanation.omitted.size(), "pending operation"));
    }
    return text;
  }
  text = linearization_text(history, explanation, look, steps - std::min(steps, look.rows));
  text += wrapped(fmt::format("Put in order: {} of {}; these are the last.", grouped(steps),
                              counted(verdict.operations, "operation")),
                  look.timeline.width);
  return text;
}

}  // namespace linchpin::app
