// The report for people. A history of one object takes one line where it is linearizable; a violation is followed by
// its sentence, the operations that show it and what could not be placed.
#include <algorithm>

#include <fmt/format.h>

#include "app/operation_table.hpp"
#include "app/output.hpp"
#include "app/quantities.hpp"
#include "app/report.hpp"
#include "app/verdict_text.hpp"
#include "base/foreign_text.hpp"
#include "explain/large_core.hpp"
#include "explain/shortened.hpp"
#include "history/caveats.hpp"

namespace linchpin::app {

namespace {

constexpr std::size_t kMostOfText = 40;   // operations of a core or of a prefix's end
constexpr std::size_t kMostObjects = 20;  // linearizable objects listed one by one
constexpr std::size_t kTailOfPrefix = 8;  // operations shown before the one that blocks, where there is no core

/// What was asked to be checked thoroughly. (What does not hold is not shown as an answer at all.)
std::string checks(const ObjectVerdict& object) {
  if (object.witness_checked) return "  the witness was replayed by independent code: it holds\n";
  if (object.core_checked) {
    return "  the operations shown were decided again by independent code: not linearizable\n";
  }
  if (object.violation && !object.violation->core.empty()) {
    return "  deciding the operations shown again took independent code too long: not confirmed\n";
  }
  return {};
}

void explain_violation(const History& history, const Violation& violation, std::string& out) {
  if (!violation.sentence.empty()) out += fmt::format("  {}\n", base::foreign_text(violation.sentence));
  if (!violation.core.empty()) {
    const bool one = violation.core.size() == 1;
    const std::string few = violation.minimal && !one ? ", and as few as can be" : "";
    out += violation.start ? fmt::format("  {}; from there on {} not linearizable{}:\n",
                                         start_of_core(*violation.start), one ? "this is" : "these are", few)
                           : fmt::format("  not linearizable on {} own{}:\n", one ? "its" : "their", few);
    const auto shown = explain::closest(violation.core, violation.blocked, kMostOfText);
    out += core_table(history, violation, shown, 4);
    if (!violation.context.empty()) out += fmt::format("  {}\n", context_note());
    if (shown.size() < violation.core.size()) {
      out +=
          fmt::format("    and {} more: --json has all their numbers\n", grouped(violation.core.size() - shown.size()));
    }
  } else if (!violation.longest.empty() || violation.blocked) {
    out += fmt::format("  no small proof was found within the limits; {} can be put in order, the last of them being\n",
                       counted(violation.longest.size(), "operation"));
    std::vector<OperationIndex> shown(
        violation.longest.end() - static_cast<std::ptrdiff_t>(std::min(violation.longest.size(), kTailOfPrefix)),
        violation.longest.end());
    if (violation.blocked) shown.push_back(*violation.blocked);
    out += operation_table(history, shown, violation.blocked, 4);
    out += "  this explains and does not prove\n";
  }
  if (violation.blocked) {
    const explain::Shortened shortened(history, violation.core, violation.sentence);
    out += fmt::format("  cannot be placed: {}\n",
                       operation_and_place(history, *violation.blocked, shortened.describe(*violation.blocked)));
  }
}

void explain_unknown(const History& history, const ObjectVerdict& object, std::string& out) {
  if (object.longest.empty() && !object.reached) return;
  out +=
      fmt::format("  put in order: {} of {}", grouped(object.longest.size()), counted(object.operations, "operation"));
  if (object.reached) out += fmt::format("; stopped at {}", operation_and_place(history, *object.reached));
  out += "\n";
}

class TextReport final : public Report {
 public:
  explicit TextReport(Verify verify) : tell_checks_(verify == Verify::thoroughly) {}

  void verdict(const Origin& origin, const History& history, const HistoryVerdict& verdict,
               std::span<const SavedViolation> saved) override {
    count(verdict.verdict);
    const bool one = verdict.objects.size() == 1;
    std::string text = fmt::format("{}: {}", label(origin), coloured(verdict.verdict, verdict.reason));
    text += one ? fmt::format(" ({}; {:.3f} s)\n", how(verdict.objects[0]), verdict.seconds)
                : fmt::format(" ({} in {}; {:.3f} s)\n", sizes(verdict.operations, verdict.pending),
                              counted(verdict.objects.size(), "object"), verdict.seconds);
    for (const std::string_view each : history::caveats(history, verdict.verdict)) {
      text += fmt::format("  {}\n", base::foreign_text(each));
    }
    std::size_t linearizable = 0;
    for (const ObjectVerdict& object : verdict.objects) {
      const bool good = object.verdict == Verdict::linearizable;
      if (!one && (!good || ++linearizable <= kMostObjects)) {
        text += fmt::format("  {}: {} ({})\n", base::foreign_text(object.name), coloured(object.verdict, object.reason),
                            how(object));
      }
      if (object.refused_order) text += refused_order(history, *object.refused_order, 2);
      if (object.violation) explain_violation(history, *object.violation, text);
      if (object.verdict == Verdict::unknown) explain_unknown(history, object, text);
      if (tell_checks_) text += checks(object);
    }
    for (const SavedViolation& each : saved) {
      text += fmt::format("  saved in {} and {}\n", base::foreign_text(each.core), base::foreign_text(each.history));
    }
    if (verdict.verdict == Verdict::violation && origin.file != "-") {
      text += fmt::format("  to see it drawn: linchpin explain {}{}\n", base::foreign_text(origin.file),
                          origin.one_of_several ? fmt::format(" --index {}", origin.index) : "");
    }
    if (!one && linearizable > kMostObjects) {
      text += fmt::format("  and {} more linearizable\n", counted(linearizable - kMostObjects, "object"));
    }
    print(text);
  }

  void error(const Origin& /*origin*/, const Error& /*error*/) override { ++errors_; }

  Result<void> end() override {
    const std::size_t all = linearizable_ + violations_ + unknown_ + errors_;
    if (all < 2) return {};
    std::string text = fmt::format("{}: {} linearizable, {}, {} unknown", counted(all, "history"),
                                   grouped(linearizable_), counted(violations_, "violation"), grouped(unknown_));
    if (errors_ > 0) text += fmt::format(", {} not read", grouped(errors_));
    print(text + "\n");
    return {};
  }

 private:
  void count(Verdict verdict) {
    switch (verdict) {
      case Verdict::linearizable: ++linearizable_; break;
      case Verdict::violation: ++violations_; break;
      case Verdict::unknown: ++unknown_; break;
    }
  }

  bool tell_checks_;
  std::size_t linearizable_ = 0, violations_ = 0, unknown_ = 0, errors_ = 0;
};

}  // namespace

std::string label(const Origin& origin) {
  const std::string file = origin.file == "-" ? "standard input" : base::foreign_text(origin.file);
  return origin.one_of_several ? fmt::format("{} #{}", file, origin.index) : file;
}

std::unique_ptr<Report> make_text_report(Verify verify) { return std::make_unique<TextReport>(verify); }

}  // namespace linchpin::app
